package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardMap;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;

/** A command of {@link ShardCommands} that has to do with moves of shards. */
final class MoveOperation implements ClusterOperation {
    private static final Logger LOG = LoggerFactory.getLogger(MoveOperation.class);

    private final String name;
    private final Binder binder;
    private final Command command;

    private MoveOperation(String name, Binder binder, Command command) {
        this.name = name;
        this.binder = binder;
        this.command = command;
    }

    /** What one of the commands does, with the value it was given. */
    private interface Command {
        void run(String property, String value, Tools tools);
    }

    /** What commands work with. */
    private record Tools(ShardMover mover, Supplier<ShardMap> map, boolean runPlan, boolean runPlanOffline) {}

    static List<ClusterOperation> all(Binder binder) {
        BiFunction<String, Command, ClusterOperation> operation =
                (name, command) -> new MoveOperation(name, binder, command);
        return List.of(
                operation.apply("check-move", MoveOperation::check),
                operation.apply("move", MoveOperation::move),
                operation.apply("move-offline", MoveOperation::moveOffline),
                operation.apply("resume-move", (property, value, tools) -> each(property, value, tools.mover::resume)),
                operation.apply("abort-move", (property, value, tools) -> each(property, value, tools.mover::abort)),
                operation.apply("show-moves", (property, value, tools) -> show(tools.mover.moves())),
                operation.apply("drop-old-copy", MoveOperation::dropOldCopy),
                operation.apply("recover", MoveOperation::recover),
                operation.apply("drain", (property, value, tools) -> plan(tools, tools.mover.drain(value))),
                operation.apply(
                        "rebalance",
                        (property, value, tools) -> plan(tools, tools.mover.rebalance(balance(property, value)))));
    }

    @Override
    public String property() {
        return "sharded-id." + name;
    }

    @Override
    public void run(
            ShardedIdProperties properties,
            ClusterDefinition definition,
            ShardedDatabases databases,
            ShardMigrations migrations) {
        String value = binder.bind(property(), String.class).get();
        ShardMover mover = ConfiguredMover.of(properties, definition, databases.byName(), migrations, new MoveLog());
        Tools tools = new Tools(
                mover,
                new DatabaseShardMapSource(definition, databases.byName())::load,
                isTrue("sharded-id.run-plan"),
                isTrue("sharded-id.run-plan-offline"));
        if (tools.runPlan && tools.runPlanOffline) {
            throw new ShardedIdPropertiesException(
                    "A plan is run by logical replication (sharded-id.run-plan) or offline (sharded-id.run-plan-offline),"
                            + " but both are given. Leave one out.");
        }
        command.run(property(), value, tools);
    }

    private boolean isTrue(String property) {
        return binder.bind(property, Boolean.class).orElse(false);
    }

    private static void each(String property, String value, IntFunction<Move> work) {
        ShardsAndDatabase.shards(property, value)
                .shards()
                .mapToObj(work)
                .forEach(move -> LOG.info("{}", MoveLog.text(move)));
    }

    private static void check(String property, String value, Tools tools) {
        ShardsAndDatabase wanted = ShardsAndDatabase.parse(property, value);
        wanted.shards().shards().forEach(shard -> {
            List<String> hindrances = tools.mover.check(shard, wanted.database());
            LOG.info(
                    "Shard {} → {}: {}",
                    shard,
                    wanted.database(),
                    hindrances.isEmpty() ? "nothing is in the way" : String.join("\n  ", hindrances));
        });
    }

    private static void move(String property, String value, Tools tools) {
        ShardsAndDatabase wanted = ShardsAndDatabase.parse(property, value);
        ShardMap map = tools.map.get();
        MovePlan plan = new MovePlan(wanted.shards()
                .shards()
                .mapToObj(shard -> new PlannedMove(shard, map.databaseOf(shard), wanted.database(), -1))
                .toList());
        show(tools.mover.run(plan));
    }

    private static void moveOffline(String property, String value, Tools tools) {
        ShardsAndDatabase wanted = ShardsAndDatabase.parse(property, value);
        each(
                property,
                value.substring(0, value.indexOf(':')),
                shard -> tools.mover.moveOffline(shard, wanted.database()));
    }

    private static void dropOldCopy(String property, String value, Tools tools) {
        ShardsAndDatabase wanted = ShardsAndDatabase.parse(property, value);
        wanted.shards().shards().forEach(shard -> {
            tools.mover.dropOldCopy(shard, wanted.database());
            LOG.info("The old copies of shard {} in database {} are dropped", shard, wanted.database());
        });
    }

    private static void recover(String property, String value, Tools tools) {
        if (value.indexOf(':') < 0) {
            ShardsAndDatabase.shards(property, value).shards().forEach(shard -> showCopies(shard, tools));
            LOG.info(
                    "Nothing was changed. The same with a database, such as --{}={}:pg1, makes the copy there the shard;"
                            + " rows that are only in other copies stay in these",
                    property,
                    value);
            return;
        }
        ShardsAndDatabase wanted = ShardsAndDatabase.parse(property, value);
        wanted.shards().shards().forEach(shard -> {
            showCopies(shard, tools);
            tools.mover.recover(shard, wanted.database());
            LOG.info("Shard {} is recovered: database {} owns it", shard, wanted.database());
        });
    }

    private static void showCopies(int shard, Tools tools) {
        tools.mover.copies(shard).forEach(copy -> LOG.info("{}", copy));
    }

    private static void plan(Tools tools, MovePlan plan) {
        LOG.info("The plan:\n{}", plan);
        if (tools.runPlan) {
            show(tools.mover.run(plan));
        } else if (tools.runPlanOffline) {
            show(tools.mover.runOffline(plan));
        } else if (!plan.moves().isEmpty()) {
            LOG.info("Nothing was moved. The same with --sharded-id.run-plan=true runs the plan, with"
                    + " --sharded-id.run-plan-offline=true it copies each shard behind its fence");
        }
    }

    private static Balance balance(String property, String value) {
        try {
            return Balance.valueOf(value.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ShardedIdPropertiesException(property + " cannot be " + value + ". Write size or count.", e);
        }
    }

    private static void show(List<Move> moves) {
        if (moves.isEmpty()) {
            LOG.info("No moves");
        }
        moves.forEach(move -> LOG.info("{}", MoveLog.text(move)));
    }
}
