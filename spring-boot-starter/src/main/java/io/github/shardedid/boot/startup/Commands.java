package io.github.shardedid.boot.startup;

import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.boot.startup.CommandContext.ShardsAndDatabase;
import io.github.shardedid.boot.startup.CommandListener.Command;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MoveGoal.Balance;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import javax.sql.DataSource;
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
            new Command("restore", Commands::restore),
            new Command("drain", Commands::drain),
            new Command("rebalance", Commands::rebalance));

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

    private static void log(RecordedPlan plan) {
        LOG.info(
                "Plan {} ({}): {}, {} of {} moves have ended{}, started {}{}",
                plan.id(),
                plan.goal(),
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

    private static void move(CommandContext context) {
        ShardsAndDatabase wanted = context.shardsAndDatabase();
        ShardMover mover = context.mover();
        log(mover.run(mover.plan(MoveGoal.move(wanted.shards(), wanted.database()))));
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

    private static void restore(CommandContext context) {
        ShardRanges shards = context.shards();
        ShardMover mover = context.mover();
        DataSource backup = context.dataSource("sharded-id.restore-from");
        shards.shards().forEach(shard -> mover.restore(shard, backup));
        LOG.info(
                "Restored shards {}. The rows before are in schemas shard_<number>_replaced_<generation>, which"
                        + " --sharded-id.drop-old-copy drops",
                shards);
    }

    private static void logCopies(int shard, ShardMover mover) {
        mover.copies(shard).forEach(copy -> LOG.info("{}", copy));
    }

    private static void drain(CommandContext context) {
        ShardMover mover = context.mover();
        run(context, mover, mover.drain(context.value()));
    }

    private static void rebalance(CommandContext context) {
        ShardMover mover = context.mover();
        run(context, mover, mover.rebalance(balance(context)));
    }

    private static Balance balance(CommandContext context) {
        try {
            return Balance.valueOf(context.value().strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ShardedIdPropertiesException(
                    context.property() + " cannot be " + context.value() + ". Set it to size or count.", e);
        }
    }

    private static void run(CommandContext context, ShardMover mover, MovePlan plan) {
        boolean online = context.isTrue("sharded-id.run-plan");
        boolean offline = context.isTrue("sharded-id.run-plan-offline");
        if (online && offline) {
            throw new ShardedIdPropertiesException(
                    "sharded-id.run-plan and sharded-id.run-plan-offline are both given: a plan runs either with logical"
                            + " replication or offline. Remove one of them.");
        }
        LOG.info("The plan:\n{}", plan);
        if (online) {
            log(mover.run(plan));
        } else if (offline && !plan.moves().isEmpty()) {
            log(mover.run(mover.begin(plan, true)));
        } else if (!plan.moves().isEmpty()) {
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
