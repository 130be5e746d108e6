package io.github.shardedid.benchmarks.jvmid;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A generator of ids in the JVM, and its benchmark method. */
enum JvmWay {
    OURS("ours", "ours", true),
    TSID("tsid", "TSID (hypersistence)", true),
    TSID_CREATOR("tsidCreator", "TSID (tsid-creator)", true),
    SNOWFLAKE("cosIdSnowflake", "CosId's snowflake", true),
    SEGMENTS("cosIdSegments", "CosId's segment chain", false),
    UUID4("uuid4", "UUIDv4 (JDK)", false),
    UUID7("uuid7", "UUIDv7 (JUG)", false),
    FLOOR("floor", "a clock and an atomic number", false);

    private final String method;
    private final String label;
    private final boolean timeOrdered;

    /** timeOrdered: whether its ids have 64 bits and sort by time. */
    JvmWay(String method, String label, boolean timeOrdered) {
        this.method = method;
        this.label = label;
        this.timeOrdered = timeOrdered;
    }

    String method() {
        return method;
    }

    String label() {
        return label;
    }

    /** All but ours. */
    static List<JvmWay> others() {
        return Arrays.stream(values()).filter(way -> way != OURS).collect(Collectors.toList());
    }

    /** Those that make the same kind of id as we do. */
    static List<JvmWay> rivals() {
        return others().stream().filter(way -> way.timeOrdered).collect(Collectors.toList());
    }
}
