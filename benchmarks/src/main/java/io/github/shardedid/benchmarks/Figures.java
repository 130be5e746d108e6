package io.github.shardedid.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;

/**
 * Measures everything, or the parts that the system property {@value #ONLY} names, separated by commas: {@code save},
 * {@code find}, {@code threads}, {@code queries}, {@code next_id}, {@code memory}, {@code jvm}, {@code dump}, {@code move}, {@code start}. Writes the tables and the raw output.
 */
public final class Figures {
    static final String ONLY = "sharded-id.benchmarks.only";

    private static final int SHARDS = 2_000;
    private static final double MANY_GOAL = 50;
    private static final int FEW_SHARDS = 64;
    private static final double FEW_GOAL = 6;

    private Figures() {}

    public static void main(String[] arguments) throws Exception {
        Report report = new Report();
        measure(Extent.FULL, SHARDS, report);
        report.write(
                Path.of(System.getProperty("sharded-id.benchmarks.raw", "target/figures")),
                Path.of(System.getProperty("sharded-id.benchmarks.page", "docs/benchmarks.md")),
                environment());
        System.exit(0);
    }

    static void measure(Extent extent, int shards, Report report) throws Exception {
        if (isWanted("save")) {
            try (SaveFigures saves = new SaveFigures(Database.create(1), Database.create(2), Database.create(1))) {
                saves.measure(extent, report);
            }
        }
        if (isWanted("find")) {
            try (FindFigures finds = new FindFigures(Database.create(1), Database.create(2), Database.create(1))) {
                finds.measure(extent, report);
            }
        }
        if (isWanted("threads")) {
            try (ThreadFigures threads =
                    new ThreadFigures(Database.create(1), Database.create(2), Database.create(1))) {
                threads.measure(extent, report);
            }
        }
        if (isWanted("queries")) {
            queries(extent, Math.min(shards, FEW_SHARDS), FEW_GOAL, report);
            queries(extent, shards, MANY_GOAL, report);
        }
        if (isWanted("next_id")) {
            new NextIdFigures(extent, report).measure();
        }
        if (isWanted("dump")) {
            MoveFigures.measureBesideDump(extent, report);
        }
        if (isWanted("move")) {
            MoveFigures.measureUnderLoad(extent, report);
        }
        if (isWanted("start")) {
            new StartFigures(shards).measure(extent, report);
        }
        if (isWanted("memory") || isWanted("jvm")) {
            Database many = JvmIdFigures.manyShards(shards);
            if (isWanted("memory")) {
                BackendMemory.measure(report, many, shards);
            }
            if (isWanted("jvm")) {
                new JvmIdFigures(extent, report).measure(many, shards);
            }
        }
    }

    private static void queries(Extent extent, int shards, double goal, Report report) throws Exception {
        try (QueryFigures queries = new QueryFigures(
                shards, extent.of(1_000), Database.create(1), Database.create(2), Database.create(1))) {
            queries.measureNewest(extent, report, goal);
            queries.measureByIds(extent, report);
        }
    }

    private static boolean isWanted(String part) {
        List<String> only = Arrays.asList(System.getProperty(ONLY, "").split(",", -1));
        return only.equals(List.of("")) || only.contains(part);
    }

    private static String environment() throws Exception {
        try (Connection connection = Database.create(1).connect()) {
            return String.join(
                    " · ",
                    "PostgreSQL " + Database.query(connection, "SHOW server_version")
                            + (Database.embedded() ? ", embedded on the same machine" : ""),
                    "`fsync` " + Database.query(connection, "SHOW fsync"),
                    "JDK " + Runtime.version(),
                    "Hibernate " + org.hibernate.Version.getVersionString(),
                    "driver " + connection.getMetaData().getDriverVersion(),
                    "hypersistence-tsid " + System.getProperty("sharded-id.benchmarks.tsid", ""),
                    "JMH " + System.getProperty("sharded-id.benchmarks.jmh", ""),
                    Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.arch"));
        }
    }
}
