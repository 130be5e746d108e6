package io.github.shardedid.operations.internal.schema;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardSchema;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The SQL that lives in the databases, with the constants of a layout put in. */
public final class FunctionSql {
    /** The server's clock, which does not stand still within a transaction, as {@code now()} does. */
    public static final String CLOCK = "pg_catalog.clock_timestamp()";

    private static final String DIRECTORY = "/io/github/shardedid/provisioning/";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");
    private static final Pattern FUNCTION =
            Pattern.compile("REPLACE FUNCTION sharded_id\\.(\\w+)\\(.*?AS \\$body\\$(.*?)\\$body\\$", Pattern.DOTALL);

    /** Advisory locks of the generator's first version: this class, and the sequence's oid. */
    private static final int OLD_LOCK_CLASS = 1_768_842_083;

    private static final String OLD_LOCK =
            "PERFORM pg_catalog.pg_advisory_xact_lock(" + OLD_LOCK_CLASS + ", seq::pg_catalog.oid::int);";

    /**
     * Below a window's end there is room for as many burnt values as PostgreSQL can have server processes (2^18 - 1)
     * only if a generation spans at least 19 bits.
     */
    private static final int WIDE_BITS = 19;

    /** After a change of the server no lease is granted for as long. */
    private static final long LONGEST_LEASE_MILLIS = 300_000;

    /** In the last part of the epoch, four months by default, ids are made on the careful way only. */
    private static final long LAST_PART = 100;

    /** A sequence that made an id a day ago has no bounds that forbid the next one. */
    private static final long RECENT_MILLIS = 86_400_000;

    private FunctionSql() {}

    /** A function as it should be, or as a database has it. */
    public record Function(String name, String body) {}

    /** The tables that hold what a database knows of its cluster. */
    public static String metaSchema() {
        return load("meta.sql");
    }

    /** All functions of schema {@code sharded_id}, for a database that may make ids of any timestamp. */
    public static String functions(IdLayout layout, int shardCount) {
        return functions(layout, shardCount, CLOCK);
    }

    public static String functions(IdLayout layout, int shardCount, String clock) {
        return functions(layout, shardCount, clock, 0);
    }

    /** Those that make no id of a timestamp before {@code earliest}, which is 0 if any will do. */
    public static String functions(IdLayout layout, int shardCount, String clock, long earliest) {
        return functions(constants(layout, shardCount, clock, earliest));
    }

    /** The same, which wait for those of the first version as these do for each other. */
    public static String transitional(IdLayout layout, int shardCount, String clock, long earliest) {
        Map<String, String> constants = constants(layout, shardCount, clock, earliest);
        constants.put("transition", "true");
        constants.put("old_lock", OLD_LOCK);
        return functions(constants);
    }

    private static String functions(Map<String, String> constants) {
        return fill(load("functions.sql") + load("leases.sql") + load("moves.sql") + load("roles.sql"), constants);
    }

    /** The schema of a shard with its wrappers. */
    public static String shardSchema(int shard) {
        return fill(load("shard.sql"), Map.of("schema", ShardSchema.nameOf(shard), "shard", Integer.toString(shard)));
    }

    /** What the functions of schema {@code sharded_id} should be. */
    public static Set<Function> expected(IdLayout layout, int shardCount, String clock, long earliest) {
        Set<Function> functions = new LinkedHashSet<>();
        Matcher matcher = FUNCTION.matcher(functions(layout, shardCount, clock, earliest));
        while (matcher.find()) {
            functions.add(new Function(matcher.group(1), matcher.group(2)));
        }
        return functions;
    }

    private static Map<String, String> constants(IdLayout layout, int shardCount, String clock, long earliest) {
        int lowBits = layout.shardBits() + layout.sequenceBits();
        long window = 1L << lowBits;
        int own = layout.databaseSequences();
        long epoch = layout.epoch().toEpochMilli();
        int unit = layout.unit().millis();
        Map<String, String> constants = new HashMap<>();
        constants.put("wide", Boolean.toString(lowBits >= WIDE_BITS));
        constants.put("old_lock_class", Integer.toString(OLD_LOCK_CLASS));
        constants.put("transition", "false");
        constants.put("old_lock", "");
        constants.put("state_bits", Integer.toString(lowBits >= WIDE_BITS ? lowBits : 0));
        constants.put("low_bits", Integer.toString(lowBits));
        constants.put("low_mask", Long.toString(window - 1));
        constants.put("window_distance", window + "::bigint");
        constants.put("window_mask", Long.toString(window - own));
        constants.put(
                "window_start",
                (lowBits < 31 ? "(shard" : "(shard::bigint") + " OPERATOR(pg_catalog.<<) " + layout.sequenceBits()
                        + ")");
        constants.put("room", Integer.toString(own - 2));
        constants.put("database_sequences", Integer.toString(own));
        constants.put("sequences_per_node", Integer.toString(Math.max(1, layout.sequencesPerNode())));
        constants.put("sequence_bits", Integer.toString(layout.sequenceBits()));
        constants.put("max_sequence", Integer.toString((1 << layout.sequenceBits()) - 1));
        constants.put("max_timestamp", Long.toString(layout.maxTimestamp()));
        constants.put("late", Long.toString(layout.maxTimestamp() - layout.maxTimestamp() / LAST_PART));
        constants.put("recent", Long.toString(RECENT_MILLIS / unit));
        constants.put("max_id", Long.toString(layout.maxId()));
        constants.put("max_shard", Integer.toString(shardCount - 1));
        constants.put("max_layout_shard", Integer.toString(layout.maxShards() - 1));
        constants.put("shard_count", Integer.toString(shardCount));
        constants.put("epoch", Long.toString(epoch));
        constants.put("unit_millis", Integer.toString(unit));
        constants.put("longest_lease", Long.toString(LONGEST_LEASE_MILLIS / unit));
        constants.put("layout", layout.toString());
        String now = timestamp(clock, epoch, unit);
        constants.put("now", earliest == 0 ? now : "greatest(" + now + ", " + earliest + ")");
        constants.put(
                "not_too_early",
                earliest == 0
                        ? ""
                        : " AND (p OPERATOR(pg_catalog.>>) " + lowBits + ") OPERATOR(pg_catalog.>=) " + earliest);
        return constants;
    }

    /** The present as a timestamp of the layout, for use outside of the functions. */
    public static String present(IdLayout layout, String clock) {
        return timestamp(clock, layout.epoch().toEpochMilli(), layout.unit().millis());
    }

    private static String timestamp(String clock, long epoch, int unit) {
        String millis = "(pg_catalog.date_part('epoch', " + clock + ") OPERATOR(pg_catalog.*) 1000)";
        return unit == 1
                ? "(pg_catalog.floor(" + millis + ")::bigint OPERATOR(pg_catalog.-) " + epoch + "::bigint)"
                : "pg_catalog.floor((" + millis + " OPERATOR(pg_catalog.-) " + epoch + ") OPERATOR(pg_catalog./) "
                        + unit + ")::bigint";
    }

    private static String fill(String template, Map<String, String> constants) {
        return PLACEHOLDER.matcher(template).replaceAll(found -> {
            String value = constants.get(found.group(1));
            if (value == null) {
                throw new IllegalStateException("No value for " + found.group() + " in the SQL of this library");
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private static String load(String file) {
        return Sql.load(FunctionSql.class, DIRECTORY + file);
    }
}
