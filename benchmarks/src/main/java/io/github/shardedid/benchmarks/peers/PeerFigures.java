package io.github.shardedid.benchmarks.peers;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.peers.Reading.Kind;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.waiting.Waits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.shardingsphere.driver.api.ShardingSphereDataSourceFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** A row by its id, and a user's rows, beside what else an application could do to reach them on two databases. */
public final class PeerFigures {
    private static final Map<Kind, Double> GOALS_OF_PLAIN = Map.of(Kind.IN_TRANSACTION, 0.65, Kind.IN_AUTOCOMMIT, 1.1);
    private static final double GOAL_OF_SHARDING_SPHERE = 0.6;

    private final Extent extent;
    private final Section section;
    private final Readings readings;
    private int calls;

    private PeerFigures(Extent extent, Section section, Readings readings) {
        this.extent = extent;
        this.section = section;
        this.readings = readings;
    }

    /** A way to read. */
    @FunctionalInterface
    private interface Read {
        void by(Reading reading, Kind kind, int call);
    }

    /** Measures finds and queries. */
    public static void measure(Extent extent, Section section) throws Exception {
        section.peer(ShardingSphereDataSourceFactory.class);
        section.peer(AbstractRoutingDataSource.class);
        try (Readings readings = new Readings(Database.create(1), Database.create(2), Database.create(1))) {
            PeerFigures figures = new PeerFigures(extent, section, readings);
            for (Kind kind : Kind.values()) {
                String where = kind == Kind.IN_TRANSACTION ? " in a transaction" : " in autocommit";
                figures.measure("find by id" + where, kind, Reading::find);
                figures.measure("a user's " + SamePhotos.PHOTOS_OF_A_USER + " rows" + where, kind, Reading::ofUser);
            }
        }
    }

    /** Compares what a user waits for. */
    public static void measure(Waits waits, Database first, Database second, Database single) throws Exception {
        try (Readings readings = new Readings(first, second, single)) {
            Kind kind = Kind.IN_TRANSACTION;
            String find = "find by id";
            int[] calls = {0};
            for (String peer : List.of(Readings.PLAIN, Readings.SHARDING_SPHERE, Readings.SEARCH_PATH)) {
                waits.compare(
                        find,
                        peer,
                        peer.equals(Readings.PLAIN) ? GOALS_OF_PLAIN.get(kind) : null,
                        () -> readings.by(Readings.OURS).find(kind, calls[0]++),
                        () -> readings.by(peer).find(kind, calls[0]++));
            }
            waits.compare(
                    "a user's " + SamePhotos.PHOTOS_OF_A_USER + " rows",
                    Readings.PLAIN,
                    GOALS_OF_PLAIN.get(kind),
                    () -> readings.by(Readings.OURS).ofUser(kind, calls[0]++),
                    () -> readings.by(Readings.PLAIN).ofUser(kind, calls[0]++));
        }
    }

    private void measure(String what, Kind kind, Read read) throws Exception {
        int times = extent.of(200);
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        for (String name : readings.names()) {
            Reading reading = readings.by(name);
            ways.put(name, () -> Timed.micros(times, () -> read.by(reading, kind, calls++)));
        }
        Rounds.run(extent.rounds(50), ways);
        Rounds measured = Rounds.run(extent.rounds(100), ways);
        for (String theirs : readings.names()) {
            if (!theirs.equals(Readings.OURS)) {
                section.ratio(what + " ÷ " + theirs, goal(kind, theirs), measured, Readings.OURS, theirs, "µs");
            }
        }
        section.raw(what + ", µs", measured);
    }

    private static @Nullable Double goal(Kind kind, String theirs) {
        if (theirs.equals(Readings.SHARDING_SPHERE)) {
            return GOAL_OF_SHARDING_SPHERE;
        }
        return theirs.equals(Readings.PLAIN) ? GOALS_OF_PLAIN.get(kind) : null;
    }
}
