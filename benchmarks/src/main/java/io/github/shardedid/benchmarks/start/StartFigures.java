package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.benchmarks.started.StartedApplication;
import io.github.shardedid.id.IdLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The start of a Spring Boot application whose shards are all up to date: of two shards and of many. */
public final class StartFigures {
    private static final double GOAL = 1.3;

    private final int shards;
    private final Map<String, Double> heaps = new LinkedHashMap<>();

    StartFigures(int shards) {
        this.shards = shards;
    }

    /** Measures starts. */
    public static void measure(Extent extent, Section section) throws Exception {
        new StartFigures(extent.shards()).start(extent, section);
    }

    private void start(Extent extent, Section section) throws Exception {
        Application few = new Application(2);
        Application many = new Application(shards);
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("many", () -> start(many));
        ways.put("two", () -> start(few));
        Rounds rounds = Rounds.run(extent.rounds(7), ways);
        section.ratio(
                "start of an up-to-date application of " + shards + " shards ÷ 2 shards",
                GOAL,
                rounds,
                "many",
                "two",
                "s");
        section.other(
                "heap in use of the application after its start, " + shards + " shards (2 shards)",
                "told",
                String.format(Locale.ROOT, "%.1f MB (%.1f MB)", heap(shards), heap(2)));
        section.raw("start of an application, s", rounds);
    }

    private double heap(int of) {
        return heaps.getOrDefault(Integer.toString(of), Double.NaN);
    }

    /** Shards on two databases, with tables. */
    private record Application(int shards, Database first, Database second) {
        Application(int shards) throws Exception {
            this(shards, Database.create(1), Database.create(2));
            ShardedDatabases.withTables(IdLayout.DEFAULT, shards, first, second).close();
        }
    }

    private double start(Application application) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                StartedApplication.class.getName(),
                "--spring.main.banner-mode=off",
                "--sharded-id.migrations=",
                "--sharded-id.shards=" + application.shards));
        command.addAll(of("pg1", application.first));
        command.addAll(of("pg2", application.second));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
        heaps.put(Integer.toString(application.shards), number(output, StartedApplication.MEGABYTES));
        return number(output, StartedApplication.SECONDS);
    }

    private static List<String> of(String name, Database database) {
        String prefix = "--sharded-id.databases." + name + ".";
        return List.of(prefix + "url=" + database.url(), prefix + "username=postgres", prefix + "password=postgres");
    }

    private static double number(String output, String label) {
        return output.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> Double.parseDouble(line.substring(label.length())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output));
    }
}
