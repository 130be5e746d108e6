package io.github.shardedid.boot.startup;

import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.boot.startup.CommandContext.ShardsAndDatabase;
import io.github.shardedid.boot.startup.CommandListener.Command;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commands: on all shards, and those that move shards, and show or clean up what moves left behind. */
final class Commands {
    static final List<Command> ALL = List.of(
            new Command("report-drift", Commands::reportDrift),
            new Command("repair-migrations", context -> context.provisioner().repair()),
            new Command("check-move", Commands::check),
            new Command("move", Commands::move),
            new Command("move-offline", Commands::moveOffline),
            new Command("resume-move", context -> each(context.shards(), context.mover()::resume)),
            new Command("abort-move", context -> each(context.shards(), context.mover()::abort)),
            new Command("show-moves", Commands::show),
            new Command("stop-plan", context -> log(context.mover().stopPlan(context.value()))),
            new Command("drop-old-copy", Commands::dropOldCopy),
            new Command("recover", Commands::recover),
            new Command("drain", context -> plan(context, MoveGoal.drain(context.value()))),
            new Command("rebalance", context -> plan(context, MoveGoal.BALANCE)));

    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    private Commands() {}

    private static void each(ShardRanges shards, IntFunction<Move> work) {
        shards.shards().mapToObj(work).forEach(Commands::log);
    }

    private static void show(CommandContext context) {
        ShardMover mover = context.mover();
        mover.plans().forEach(Commands::log);
        log(mover.moves());
    }

    private static void log(MovePlan plan) {
        LOG.info(
                "{}: {}, {} of {} moves have ended{}, started {}{}",
                plan,
                plan.state(),
                plan.done(),
                plan.total(),
                plan.offline() ? " (offline)" : "",
                plan.started(),
                plan.failure() == null ? "" : ". " + plan.failure());
    }

    private static void check(CommandContext context) {
        ShardsAndDatabase wanted = context.shardsAndDatabase();
        ShardMover mover = context.mover();
        List<Integer> blocked = new ArrayList<>();
        Map<List<String>, List<Integer>> byObstacles = new LinkedHashMap<>();
        wanted.shards().shards().forEach(shard -> {
            List<String> obstacles = mover.check(shard, wanted.database());
            if (!obstacles.isEmpty()) {
                blocked.add(shard);
            }
            byObstacles.computeIfAbsent(obstacles, same -> new ArrayList<>()).add(shard);
        });
        byObstacles.forEach((obstacles, shards) -> LOG.info(
                "{} {} → {}: {}",
                shards.size() == 1 ? "Shard" : "Shards",
                ShardRanges.of(shards.stream().mapToInt(shard -> shard).toArray()),
                wanted.database(),
                obstacles.isEmpty() ? "no obstacles" : String.join("\n  ", obstacles)));
        if (!blocked.isEmpty()) {
            throw new MoveRefusedException("There are obstacles to moving shards " + blocked + " to database "
                    + wanted.database() + "; they are listed above. Nothing was changed.");
        }
    }

    /** Several shards are a plan, which another instance continues if this process stops. */
    private static void move(CommandContext context) {
        ShardsAndDatabase wanted = context.shardsAndDatabase();
        ShardMover mover = context.mover();
        if (wanted.shards().shards().count() == 1) {
            each(wanted.shards(), shard -> mover.move(shard, wanted.database()));
            return;
        }
        MoveGoal goal = MoveGoal.move(wanted.shards(), wanted.database());
        log(mover.plan(goal).isEmpty() ? List.of() : mover.run(mover.begin(goal, false)));
    }

    private static void moveOffline(CommandContext context) {
        ShardsAndDatabase wanted = context.shardsAndDatabase();
        ShardMover mover = context.mover();
        each(wanted.shards(), shard -> mover.moveOffline(shard, wanted.database()));
    }

    private static void dropOldCopy(CommandContext context) {
        ShardsAndDatabase wanted = context.shardsAndDatabase();
        ShardMover mover = context.mover();
        mover.dropOldCopies(wanted.shards(), wanted.database());
        LOG.info("Dropped the old copies of shards {} in database {}", wanted.shards(), wanted.database());
    }

    private static void recover(CommandContext context) {
        ShardMover mover = context.mover();
        if (context.value().indexOf(':') < 0) {
            context.shards().shards().forEach(shard -> logCopies(shard, mover));
            LOG.info(
                    "Nothing was changed. With a database, such as --{}={}:pg1, this command makes the copy there the"
                            + " shard; rows that are only in other copies remain there",
                    context.property(),
                    context.value());
            return;
        }
        ShardsAndDatabase wanted = context.shardsAndDatabase();
        wanted.shards().shards().forEach(shard -> {
            logCopies(shard, mover);
            mover.recover(shard, wanted.database());
            LOG.info("Recovered shard {}: database {} owns it", shard, wanted.database());
        });
    }

    private static void logCopies(int shard, ShardMover mover) {
        mover.copies(shard).forEach(copy -> LOG.info("{}", copy));
    }

    private static void plan(CommandContext context, MoveGoal goal) {
        boolean online = context.isTrue("sharded-id.run-plan");
        boolean offline = context.isTrue("sharded-id.run-plan-offline");
        if (online && offline) {
            throw new ShardedIdPropertiesException(
                    "sharded-id.run-plan and sharded-id.run-plan-offline are both given: a plan runs either with logical"
                            + " replication or offline. Remove one of them.");
        }
        ShardMover mover = context.mover();
        List<PlannedMove> moves = mover.plan(goal);
        moves.forEach(move ->
                LOG.info("Shard {} {} → {}: {} bytes", move.shard(), move.source(), move.target(), move.bytes()));
        if (moves.isEmpty()) {
            LOG.info("Nothing to move");
        } else if (online || offline) {
            log(mover.run(mover.begin(goal, offline)));
        } else {
            LOG.info("Nothing was moved. Add --sharded-id.run-plan=true to run the plan, or"
                    + " --sharded-id.run-plan-offline=true to copy each shard while it is fenced");
        }
    }

    private static void log(List<Move> moves) {
        if (moves.isEmpty()) {
            LOG.info("No moves");
        }
        moves.forEach(Commands::log);
    }

    private static void log(Move move) {
        LOG.info(
                "Shard {} {} → {}: {}{}, started {}{}{}",
                move.shard(),
                move.source(),
                move.target(),
                move.step(),
                move.offline() ? " (offline)" : "",
                move.started(),
                move.pause() == null
                        ? ""
                        : ", writes paused for " + move.pause().toMillis() + " ms",
                move.failure() == null ? "" : ". " + move.failure());
    }

    private static void reportDrift(CommandContext context) {
        context.provisioner().drift().lines().forEach(line -> LOG.info("{}", line));
    }
}
