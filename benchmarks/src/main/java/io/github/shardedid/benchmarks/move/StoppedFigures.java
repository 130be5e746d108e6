package io.github.shardedid.benchmarks.move;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The time during which writes to a shard are blocked: during a move under load, compared with a dump and restore, for which
 * the application must be stopped so that no writes are lost.
 */
final class StoppedFigures {
    private static final int WRITES_BEFORE = 20_000;
    private static final long GOAL_MILLIS = 500;

    private final MovedShard shard;
    private final Path binaries;
    private final Rounds rounds = new Rounds();
    private int failures;
    private long longestPause;

    StoppedFigures(MovedShard shard, Path binaries) {
        this.shard = shard;
        this.binaries = binaries;
    }

    void measure(Extent extent, Section section) throws Exception {
        int moves = extent.rounds(3);
        for (int move = 0; move < moves; move++) {
            moveUnderLoad(extent, section, move == moves - 1);
            rounds.add("dump", shard.dump(binaries));
        }
        section.ratio(
                "writes blocked: pause of a move under load ÷ `pg_dump \\| psql` with the application stopped",
                null,
                rounds,
                "pause",
                "dump",
                "s");
        section.other(
                "longest pause of these moves under load; failed calls",
                GOAL_MILLIS + " ms; 0",
                longestPause + " ms; " + failures);
        section.other(
                "move under load, of " + shard.size(),
                "–",
                String.format(Locale.ROOT, "%.1f s", rounds.median("move")));
        section.raw("pause of a move under load, the move, and a dump, s", rounds);
    }

    private void moveUnderLoad(Extent extent, Section section, boolean reported) throws Exception {
        try (MovedLoad load = new MovedLoad(shard.application())) {
            load.awaitWrites();
            load.reset();
            load.awaitWrites(extent.of(WRITES_BEFORE));
            String toMoving = load.toMoving().summary();
            String toOthers = load.toOthers().summary();
            load.reset();
            rounds.add("move", shard.moveAway());
            load.stop();
            rounds.add("pause", shard.lastPause() / 1e3);
            longestPause = Math.max(longestPause, shard.lastPause());
            failures += load.failures();
            if (reported) {
                String what = " during a move: median / 99 % / longest (before it)";
                section.other("writes to the shard" + what, "–", load.toMoving().summary() + " (" + toMoving + ")");
                section.other(
                        "writes to other shards" + what, "–", load.toOthers().summary() + " (" + toOthers + ")");
                section.raw("writes to the shard during the last move: how many took", load.toMoving());
            }
        }
    }
}
