package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares ours with all other ways that a server has, on a new database with the schemas of the ways. */
record SqlWays(Extent extent, Section section, Database database, Connection connection, List<SqlWay> ways) {
    /** What is measured with them. */
    @FunctionalInterface
    interface Work {
        void with(SqlWays ways) throws Exception;
    }

    /** Creates the database, and the sequences of these names. */
    static void measure(Extent extent, Section section, List<String> sequences, Work work) throws Exception {
        Database database = Database.create(1);
        try (ShardedDatabases sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, 8, database);
                Connection connection = database.connect()) {
            SqlWay.install(database);
            for (String sequence : sequences) {
                SqlWay.createSequence(database, sequence);
            }
            SqlWays ways = new SqlWays(extent, section, database, connection, SqlWay.of(connection));
            ways.noteMissing();
            work.with(ways);
        }
    }

    /** One measurement of a way. */
    @FunctionalInterface
    interface Measured {
        double cost(SqlWay way) throws Exception;
    }

    /** Measures all alternately, and adds the ratios of this library to each of the others. */
    void compare(String what, @Nullable Double goal, int rounds, String unit, Measured measured) throws Exception {
        Map<String, Rounds.Measurement> measurements = new LinkedHashMap<>();
        for (SqlWay way : ways) {
            measurements.put(way.label(), () -> measured.cost(way));
        }
        note(what, goal, Rounds.run(rounds, measurements), unit);
    }

    /** Notes ours against each other way; the goal is that against the published function. */
    void note(String what, @Nullable Double goal, Rounds rounds, String unit) {
        for (SqlWay way : ways) {
            if (way != SqlWay.OURS) {
                Double limit = way == SqlWay.PUBLISHED ? goal : null;
                section.ratio(what + ", ÷ " + way.label(), limit, rounds, SqlWay.OURS.label(), way.label(), unit);
            }
        }
        section.raw(what + ", " + unit, rounds);
    }

    /** Says what an older server does not have. */
    private void noteMissing() {
        if (!ways.contains(SqlWay.UUID7)) {
            section.other(SqlWay.UUID7.label(), "–", "not on this server, which is older than PostgreSQL 18");
        }
    }
}
