package io.github.shardedid.boot.startup;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Shards on two servers, provisioned, without tables of an application. */
public final class MovedShards {
    private final TestDatabase pg1 = PostgresServers.shared(1).newDatabase();
    private final TestDatabase pg2 = PostgresServers.shared(2).newDatabase();

    private final ClusterDefinition definition;

    /** Four, two on each. */
    public MovedShards() {
        this(4, "0-1", "2-3");
    }

    public MovedShards(int count, String first, String second) {
        definition = new ClusterDefinition(
                IdLayout.DEFAULT, count, Map.of("pg1", ShardRanges.parse(first), "pg2", ShardRanges.parse(second)));
        new Provisioner(definition, sources(), ShardMigrations.none()).provision();
    }

    private Map<String, DataSource> sources() {
        return Map.of("pg1", pg1.dataSource(), "pg2", pg2.dataSource());
    }

    /** A mover in this process. */
    public ShardMover mover(MoveListener listener) {
        MoveOptions options = MoveOptions.DEFAULT
                .withListener(listener)
                .withReplicationSources(Map.of("pg1", reach(pg1), "pg2", reach(pg2)));
        return new ShardMover(definition, sources(), ShardMigrations.none(), options);
    }

    private static ReplicationSource reach(TestDatabase database) {
        return new ReplicationSource(
                database.server().peerHost(),
                database.server().peerPort(),
                database.name(),
                database.server().username(),
                database.server().password());
    }

    /** Shard 1 has moved to pg2, which is then as a backup of before has it. */
    public void moveAndForget() {
        mover(MoveListener.NONE).moveOffline(1, "pg2");
        pg2.execute("DELETE FROM sharded_id.shard WHERE shard = 1; DROP SCHEMA shard_0001 CASCADE");
    }

    public TestDatabase pg1() {
        return pg1;
    }

    public TestDatabase pg2() {
        return pg2;
    }

    public String password() {
        return pg1.server().password();
    }

    public List<String> properties() {
        List<String> properties =
                new ArrayList<>(List.of("sharded-id.shards=" + definition.shardCount(), "sharded-id.migrations="));
        properties.addAll(database("pg1", pg1));
        properties.addAll(database("pg2", pg2));
        return properties;
    }

    private static List<String> database(String name, TestDatabase database) {
        List<String> properties = new ArrayList<>(DatabaseProperties.of(name, database));
        String prefix = "sharded-id.databases." + name + ".replication.";
        properties.add(prefix + "host=" + database.server().peerHost());
        properties.add(prefix + "port=" + database.server().peerPort());
        return properties;
    }

    /** Runs an application as a process of its own. */
    CommandProcess.Ended run(String... arguments) throws IOException, InterruptedException {
        return CommandProcess.run(properties(), arguments);
    }
}
