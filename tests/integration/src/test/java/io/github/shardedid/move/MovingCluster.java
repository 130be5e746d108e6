package io.github.shardedid.move;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.ProvisionedCopies;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Four shards on two databases, whose shard 1 a test moves about. */
final class MovingCluster implements AutoCloseable {
    static final String SCRIPTS = "classpath:db/move";
    static final int SHARD = 1;

    /** What is in the shard's tables, as text. */
    private static final String ROWS =
            "SELECT 'photo ' || p::text FROM SCHEMA.photo p UNION ALL SELECT 'likes ' || l::text"
                    + " FROM SCHEMA.likes l UNION ALL SELECT 'note ' || n::text FROM SCHEMA.note n UNION ALL"
                    + " SELECT 'visit ' || v::text FROM SCHEMA.visit v ORDER BY 1";

    private final Map<String, TestDatabase> databases = new TreeMap<>();
    private final ClusterDefinition definition = new ClusterDefinition(
            IdLayout.DEFAULT, 4, Map.of("pg1", ShardRanges.parse("0-1"), "pg2", ShardRanges.parse("2-3")));

    MovingCluster() {
        ProvisionedCopies.make(MovingCluster.class, 2, empty -> new MovingCluster(empty).provision())
                .forEach(this::add);
    }

    MovingCluster(PostgresServer first, PostgresServer second) {
        this(List.of(first.newDatabase(), second.newDatabase()));
        provision();
    }

    /** Of two databases that are still to be provisioned. */
    MovingCluster(List<TestDatabase> databases) {
        databases.forEach(this::add);
    }

    private void add(TestDatabase database) {
        databases.put("pg" + (databases.size() + 1), database);
    }

    void provision() {
        new Provisioner(definition, sources(), ShardMigrations.at(SCRIPTS)).provision();
    }

    ClusterDefinition definition() {
        return definition;
    }

    TestDatabase database(String name) {
        return Objects.requireNonNull(databases.get(name));
    }

    Map<String, DataSource> sources() {
        Map<String, DataSource> sources = new TreeMap<>();
        databases.forEach((name, database) -> sources.put(name, database.dataSource()));
        return sources;
    }

    MoveOptions options() {
        Map<String, ReplicationSource> reach = new TreeMap<>();
        databases.forEach((name, database) -> reach.put(name, reach(database)));
        return MoveOptions.DEFAULT.withReplicationSources(reach);
    }

    private static ReplicationSource reach(TestDatabase database) {
        PostgresServer server = database.server();
        return new ReplicationSource(
                server.peerHost(), server.peerPort(), database.name(), server.username(), server.password());
    }

    ShardMover mover() {
        return mover(options());
    }

    ShardMover mover(MoveOptions options) {
        return new ShardMover(definition, sources(), ShardMigrations.at(SCRIPTS), options);
    }

    ShardMover mover(MoveOptions options, String... scripts) {
        return new ShardMover(definition, sources(), ShardMigrations.at(scripts), options);
    }

    ShardMover mover(Map<String, DataSource> sources) {
        return new ShardMover(definition, sources, ShardMigrations.at(SCRIPTS), options());
    }

    /** Whether a session that has died is not known to be gone yet. */
    static boolean busy(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("Another process is at work");
    }

    /** The rows, whether the shard is fenced in that database or not. */
    List<String> allRows(String database) {
        String schema = database(database)
                .query("SELECT nspname FROM pg_namespace WHERE nspname ~ '^shard_0001(_fenced_[0-9]+)?$'"
                        + " ORDER BY nspname = 'shard_0001' DESC, length(nspname) DESC, nspname DESC")
                .get(0);
        return rows(database, schema);
    }

    /** What an abort has to leave as it was. */
    List<String> everything(String database) {
        return database(database)
                .query("SELECT 'schema ' || nspname || nspacl::text FROM pg_namespace WHERE nspname LIKE 'shard_0001%'"
                        + " UNION ALL SELECT 'sequence ' || s::text FROM pg_sequences s WHERE schemaname LIKE 'shard_0001%'"
                        + " UNION ALL SELECT 'relation ' || c.oid::regclass || c.relreplident::text || coalesce(c.relacl::text,"
                        + " '') FROM pg_class c WHERE relnamespace = 'shard_0001'::regnamespace"
                        + " UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1");
    }

    String home() {
        return new DatabaseShardMapSource(definition, sources()).load().databaseOf(SHARD);
    }

    /** Fills the shard at its home. */
    void fill(int photos) {
        database(home())
                .execute(
                        "SET search_path = shard_0001; INSERT INTO photo (caption) SELECT 'photo ' || i FROM"
                                + " generate_series(1, " + photos
                                + ") i; INSERT INTO likes (photo_id, stars) SELECT id, 4.5 FROM"
                                + " photo; INSERT INTO note (body) SELECT 'note ' || i FROM generate_series(1, 50) i; INSERT INTO visit"
                                + " SELECT date '2026-06-01' + i, 'somebody' FROM generate_series(1, 400) i ON CONFLICT DO NOTHING");
    }

    List<String> rows(String database) {
        return database(database).query(ROWS.replace("SCHEMA", "shard_0001"));
    }

    List<String> rows(String database, String schema) {
        return database(database).query(ROWS.replace("SCHEMA", schema));
    }

    /** The shard's rows of sharded_id.shard in both databases. */
    List<String> states() {
        List<String> states = new ArrayList<>();
        databases.forEach((name, database) -> database.query(
                        "SELECT generation || ' ' || state FROM sharded_id.shard WHERE shard = " + SHARD)
                .forEach(state -> states.add(name + " " + state)));
        return states;
    }

    /** All that a move makes for itself and should have removed. */
    List<String> leftovers() {
        List<String> left = new ArrayList<>();
        databases.forEach((name, database) -> left.addAll(database.query("SELECT '" + name
                + " slot ' || slot_name FROM pg_replication_slots WHERE database = current_database() UNION ALL SELECT '"
                + name + " publication ' || pubname FROM pg_publication UNION ALL SELECT '" + name
                + " subscription ' || subname FROM pg_subscription WHERE subdbid = (SELECT oid FROM pg_database WHERE"
                + " datname = current_database()) UNION ALL SELECT '" + name + " table ' || oid::regclass FROM pg_class"
                + " WHERE relname = 'sharded_id_move_marker' UNION ALL SELECT '" + name
                + " identity ' || oid::regclass FROM pg_class WHERE relreplident = 'f'")));
        return left;
    }

    @Override
    public void close() {
        databases.values().forEach(TestDatabase::drop);
    }
}
