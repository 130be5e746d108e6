package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.jpa.Saves.Way;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import io.hypersistence.tsid.TSID;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** New entities saved by Hibernate, a thousand in a transaction and one alone, by our ids and by others. */
public final class SaveFigures {
    static final int ENTITIES = 1_000;

    private static final List<Way> OURS = List.of(Way.JVM, Way.DATABASE);
    private static final Map<Way, String> THEIRS = new LinkedHashMap<>();

    static {
        THEIRS.put(Way.POOLED, "plain JPA, a pooled sequence");
        THEIRS.put(Way.IDENTITY, "plain JPA, `IDENTITY`");
        THEIRS.put(Way.TSID, "plain JPA, `@Tsid`");
        THEIRS.put(Way.UUID, "plain JPA, `@UuidGenerator(style = VERSION_7)`");
    }

    private final Extent extent;
    private final Section section;
    private final Saves saves;

    private SaveFigures(Extent extent, Section section, Saves saves) {
        this.extent = extent;
        this.section = section;
        this.saves = saves;
    }

    /** Measures saves of a thousand entities, and of a single one. */
    public static void measure(Extent extent, Section section) throws Exception {
        section.peer(TSID.class);
        try (Saves saves = new Saves(Database.create(1), Database.create(2), Database.create(1))) {
            SaveFigures figures = new SaveFigures(extent, section, saves);
            saves.awaitLeases();
            figures.measure("1,000 entities saved", ENTITIES, 1, extent.rounds(60), "ms");
            figures.measure("one entity saved", 1, extent.of(200), extent.rounds(100), "µs");
        }
    }

    private void measure(String what, int entities, int calls, int rounds, String unit) throws Exception {
        double micros = unit.equals("ms") ? 1e3 : 1;
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        for (Way way : Way.values()) {
            ways.put(way.name(), () -> {
                // A measurement stays in one shard, so that its database is as warm as plain JPA's single one.
                long shard = saves.nextShard();
                double cost = Timed.micros(calls, () -> saves.save(way, shard, entities)) / micros;
                saves.check(way);
                return cost;
            });
        }
        // Ours is more code, which takes longer until it is compiled; on one core its compilation delays the others,
        // too.
        Rounds.run(extent.rounds(150), ways);
        Rounds measured = Rounds.run(rounds, ways);
        for (Way ours : OURS) {
            THEIRS.forEach((theirs, name) -> section.ratio(
                    what + ", strategy `" + ours + "`, ÷ " + name,
                    theirs == Way.POOLED ? 1.0 : null,
                    measured,
                    ours.name(),
                    theirs.name(),
                    unit));
        }
        section.raw(what + ", " + unit, measured);
    }
}
