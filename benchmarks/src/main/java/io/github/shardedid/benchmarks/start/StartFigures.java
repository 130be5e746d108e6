package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.test.SilentServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The start of a Spring Boot application whose shards are all up to date: of two shards, some and many, and beside it one of
 * plain JPA on one database.
 */
public final class StartFigures {
    private static final double GOAL = 1.3;
    private static final int SOME = 64;

    private final Section section;
    private final Rounds rounds;

    private StartFigures(Section section, Rounds rounds) {
        this.section = section;
        this.rounds = rounds;
    }

    /** Measures starts. */
    public static void measure(Extent extent, Section section) throws Exception {
        List<StartedShards> applications = new ArrayList<>();
        applications.add(StartedShards.plain());
        applications.add(StartedShards.of(2));
        if (!extent.quick()) {
            applications.add(StartedShards.of(SOME));
        }
        applications.add(StartedShards.of(extent.shards()));
        try (SilentServer silent = new SilentServer()) {
            StartedShards plain = StartedShards.plainWithTwentyEntities();
            StartedShards many = StartedShards.withTwentyEntities(extent.of(1_000));
            StartedShards hanging = applications.get(1).whileOneHangs(silent);
            Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
            applications.forEach(application -> ways.put(application.toString(), application::start));
            for (StartedShards each : List.of(hanging, plain, many)) {
                ways.put(each.toString(), each::start);
            }
            StartFigures figures = new StartFigures(section, Rounds.runAtOnce(extent.rounds(6), ways));
            figures.note(applications);
            figures.more("start of " + hanging + ", beyond that with both", "3 s", hanging, applications.get(1));
            figures.more("start of " + many + ", beyond " + plain, "1 s", many, plain);
        }
    }

    private void more(String what, String goal, StartedShards of, StartedShards than) {
        double more = rounds.median(of.toString()) - rounds.median(than.toString());
        section.other(what, goal, String.format(Locale.ROOT, "%.1f s", more));
    }

    private void note(List<StartedShards> applications) {
        StartedShards plain = applications.get(0);
        StartedShards two = applications.get(1);
        ratio(two, plain, null);
        for (StartedShards more : applications.subList(2, applications.size())) {
            ratio(more, two, GOAL);
        }
        section.ways(applications.stream().map(StartedShards::toString).toList());
        section.compared(
                "start, s",
                applications.stream()
                        .map(application -> rounds.median(application.toString()))
                        .toList());
        section.compared(
                "heap in use after the start, MB",
                applications.stream().map(StartedShards::megabytes).toList());
        section.compared(
                "connections opened by the start, to all databases",
                applications.stream().map(StartedShards::connections).toList());
        section.raw("start of an application, s", rounds);
    }

    private void ratio(StartedShards of, StartedShards other, @Nullable Double goal) {
        section.ratio(
                "start of an up-to-date application of " + of + " ÷ " + other,
                goal,
                rounds,
                of.toString(),
                other.toString(),
                "s");
    }
}
