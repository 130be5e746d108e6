package io.github.shardedid.attack;

import io.github.shardedid.move.ClusterRecovery;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.move.TestMoveOptions;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.Map;
import javax.sql.DataSource;

/** An instance of an application: does its work, and completes what processes that have died have begun. */
final class InstanceWorker {
    private InstanceWorker() {}

    public static void main(String[] arguments) throws Exception {
        WorkerOptions options = WorkerOptions.parse(arguments);
        Map<String, DataSource> databases = LoadOptions.unpooled(options);
        LoadWorker.run(options, map -> new ClusterRecovery(map, databases, () -> mover(options, databases), null));
    }

    private static ShardMover mover(WorkerOptions options, Map<String, DataSource> databases) {
        return new ShardMover(
                LoadOptions.definition(options),
                databases,
                ShardMigrations.at(LoadOptions.SCRIPTS),
                TestMoveOptions.oneAtATime(MoveOptions.DEFAULT));
    }
}
