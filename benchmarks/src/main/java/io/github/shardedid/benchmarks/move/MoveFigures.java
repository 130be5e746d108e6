package io.github.shardedid.benchmarks.move;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.test.InstalledPostgresServer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The cost of moving a shard, compared with a dump, and the latency of concurrent writes. */
public final class MoveFigures {
    private static final int PHOTOS = 800_000;
    private static final int REMARKS_OF_EACH = 3;
    private static final int MOVES = 20;

    private MoveFigures() {}

    /** Measures a move beside a dump. */
    public static void measureBesideDump(Extent extent, Section section) throws Exception {
        Optional<Path> binaries = InstalledPostgresServer.binaries();
        String dumped = "move of a shard ÷ `pg_dump \\| psql` of the same schema, the application not stopped";
        if (binaries.isEmpty()) {
            section.other(dumped, "1.5", "no `pg_dump` on this machine");
        } else {
            try (MovedShard shard = MovedShard.on(
                    new InstalledPostgresServer(binaries.get()), new InstalledPostgresServer(binaries.get()))) {
                section.other(dumped, "1.5", besideDump(shard, binaries.get(), extent, section));
                new StoppedFigures(shard, binaries.get()).measure(extent, section);
            }
        }
    }

    /** Measures moves under load. */
    public static void measureUnderLoad(Extent extent, Section section) throws Exception {
        try (MovedShard shard = MovedShard.onServersOfTheRun()) {
            underLoad(shard, extent, section);
        }
    }

    private static String besideDump(MovedShard shard, Path binaries, Extent extent, Section section) throws Exception {
        shard.fill(extent.of(PHOTOS), REMARKS_OF_EACH);
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("move", shard::moveAway);
        ways.put("dump", () -> shard.dump(binaries));
        Rounds rounds = Rounds.runAtOnce(extent.rounds(3), ways);
        section.raw("move and dump of a shard, s", rounds);
        return String.format(
                Locale.ROOT,
                "%.2f (%.1f s, %.1f s; %s)",
                rounds.ratio("move", "dump").median(),
                rounds.median("move"),
                rounds.median("dump"),
                shard.size());
    }

    private static void underLoad(MovedShard shard, Extent extent, Section section) throws Exception {
        shard.fill(extent.of(10_000), 0);
        try (MovedLoad load = new MovedLoad(shard.application())) {
            int moves = Math.max(2, extent.of(MOVES));
            for (int move = 0; move < moves; move++) {
                load.awaitWrites();
                shard.moveAway();
            }
            load.stop();
            section.other(
                    "longest write, of " + load.writes() + ", to a shard that moves to and fro " + moves
                            + " times under load (to other shards); failed calls",
                    "500 ms; 0",
                    String.format(
                            Locale.ROOT,
                            "%.0f ms (%.0f ms); %d",
                            load.toMoving().longest(),
                            load.toOthers().longest(),
                            load.failures()));
            section.other(
                    "pause of writes to the shard as the mover counts it, median and longest",
                    "200 ms",
                    shard.medianPause() + " ms, " + shard.longestPause() + " ms");
            section.raw("writes to a shard that moves to and fro: how many took", load.toMoving());
            section.raw("writes to other shards meanwhile: how many took", load.toOthers());
        }
    }
}
