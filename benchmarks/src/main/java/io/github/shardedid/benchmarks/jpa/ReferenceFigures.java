package io.github.shardedid.benchmarks.jpa;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.waiting.Waits;
import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/** Reference tables: reads of rows that refer to copies, beside those that refer to the global database, and the wait for all copies. */
public final class ReferenceFigures implements AutoCloseable {
    private static final GlobalDatabase GLOBAL = GlobalDatabase.on("pg1");
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int SHARDS = 8;
    private static final int LOCATIONS = 100;
    private static final int ROWS = 1_000;

    /** Calls of a round. */
    private static final int CALLS = 40;

    private final Map<String, HikariDataSource> pools = new HashMap<>();
    private final List<Long> copied = new ArrayList<>();
    private final List<Long> global = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final Database second;
    private final RoutingDataSource source;
    private final SessionFactory sessions;

    /** A row of the reference table, which is copied to all databases. */
    @Entity(name = "CopiedLocation")
    @GlobalEntity(replicated = true)
    @Table(name = "location")
    static class CopiedLocation {
        @Id
        int id;

        @Nullable
        String name;
    }

    /** A row of a table of the global database alone. */
    @Entity(name = "GlobalLocation")
    @GlobalEntity
    @Table(name = "spot")
    static class GlobalLocation {
        @Id
        int id;

        @Nullable
        String name;
    }

    /** A row that refers to a copy. */
    @Entity(name = "PhotoWithCopy")
    @Table(name = "copied_photo")
    static class PhotoWithCopy {
        @Id
        @ShardedId(strategy = IdStrategy.JVM)
        @Nullable
        Long id;

        @ManyToOne
        @Nullable
        CopiedLocation location;

        @Column(name = "location_id", insertable = false, updatable = false)
        int locationId;
    }

    /** A row that refers to the global database. */
    @Entity(name = "PhotoWithGlobal")
    @Table(name = "global_photo")
    static class PhotoWithGlobal {
        @Id
        @ShardedId(strategy = IdStrategy.JVM)
        @Nullable
        Long id;

        @ManyToOne
        @Nullable
        GlobalLocation location;
    }

    private ReferenceFigures(List<Database> databases, List<ReplicationSource> reach) throws SQLException {
        second = databases.get(1);
        Map<String, ReplicationSource> sources = new HashMap<>();
        Map<String, ShardRanges> ranges = new HashMap<>();
        for (int i = 0; i < databases.size(); i++) {
            String name = "pg" + (i + 1);
            pools.put(name, databases.get(i).pool(name));
            sources.put(name, reach.get(i));
            ranges.put(name, ShardRanges.parse(i == 0 ? "0-3" : "4-7"));
        }
        ClusterDefinition definition = new ClusterDefinition(IdLayout.DEFAULT, SHARDS, ranges);
        new Provisioner(definition, pools, ShardMigrations.none())
                .withGlobal(GLOBAL, ShardMigrations.none())
                .provision();
        databases
                .get(0)
                .execute("CREATE TABLE sharded_global.location (id int PRIMARY KEY, name text);"
                        + " CREATE TABLE sharded_global.spot (id int PRIMARY KEY, name text);"
                        + " INSERT INTO sharded_global.location SELECT i, 'location ' || i FROM generate_series(1, "
                        + LOCATIONS
                        + ") i;"
                        + " INSERT INTO sharded_global.spot TABLE sharded_global.location");
        Map<String, String> failures = new ShardMover(
                        definition, pools, ShardMigrations.none(), MoveOptions.DEFAULT.withReplicationSources(sources))
                .replicate(GLOBAL, Set.of("location"));
        if (!failures.isEmpty()) {
            throw new SQLException("No copies: " + failures);
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .get(shard * databases.size() / SHARDS)
                    .execute("SET search_path = " + ShardSchema.nameOf(shard)
                            + "; CREATE SEQUENCE copied_photo_id_seq MINVALUE 0; CREATE SEQUENCE global_photo_id_seq MINVALUE 0;"
                            + " CREATE TABLE copied_photo (id bigint PRIMARY KEY, location_id int REFERENCES sharded_global.location);"
                            + " CREATE TABLE global_photo (id bigint PRIMARY KEY, location_id int)");
        }
        source = new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, new CurrentShardMap(new DatabaseShardMapSource(definition, pools))),
                pools,
                RoutingOptions.DEFAULT.withGlobal(GLOBAL));
        sessions = Sessions.of(
                source, CopiedLocation.class, GlobalLocation.class, PhotoWithCopy.class, PhotoWithGlobal.class);
    }

    /**
     * Compares them.
     *
     * @param databases the databases of the shards, the first one that of the originals
     * @param reach how the servers reach each other's databases
     */
    public static void measure(Waits waits, List<Database> databases, List<ReplicationSource> reach) throws Exception {
        try (ReferenceFigures figures = new ReferenceFigures(databases, reach)) {
            figures.compare(waits);
        }
    }

    private void compare(Waits waits) throws Exception {
        for (int i = 0; i < waits.extent().of(ROWS); i++) {
            int location = 1 + i % LOCATIONS;
            ShardContext.run(
                    i % SHARDS,
                    () -> sessions.inTransaction(session -> {
                        PhotoWithCopy photo = new PhotoWithCopy();
                        photo.location = session.getReference(CopiedLocation.class, location);
                        session.persist(photo);
                        copied.add(photo.id);
                    }));
            ShardContext.run(
                    i % SHARDS,
                    () -> sessions.inTransaction(session -> {
                        PhotoWithGlobal photo = new PhotoWithGlobal();
                        photo.location = session.getReference(GlobalLocation.class, location);
                        session.persist(photo);
                        global.add(photo.id);
                    }));
        }
        source.awaitReplicated(LONGEST);
        waits.compare(
                "find a row and the row of a reference table to which it refers",
                "the same with a table of the global database",
                null,
                1,
                CALLS,
                () -> find(PhotoWithCopy.class, copied),
                () -> find(PhotoWithGlobal.class, global));
        waits.compare(
                "find a row and the row of a reference table to which it refers",
                "a query of the row alone",
                null,
                1,
                CALLS,
                () -> find(PhotoWithCopy.class, copied),
                this::findAlone);
        waits.compare(
                "change a row of a reference table, and wait until all databases have it",
                "change a row of the global database",
                null,
                1,
                CALLS,
                () -> {
                    change("CopiedLocation");
                    await();
                },
                () -> change("GlobalLocation"));
    }

    private void find(Class<?> type, List<Long> ids) {
        Long id = ids.get(calls.getAndIncrement() % ids.size());
        sessions.inTransaction(session -> session.find(type, id));
    }

    private void findAlone() {
        Long id = copied.get(calls.getAndIncrement() % copied.size());
        sessions.inTransaction(session -> session.createSelectionQuery(
                        "select locationId from PhotoWithCopy where id = :id", Integer.class)
                .setParameter("id", id)
                .getSingleResult());
    }

    private void change(String entity) {
        int call = calls.getAndIncrement();
        sessions.inTransaction(
                session -> session.createMutationQuery("update " + entity + " set name = :name where id = :id")
                        .setParameter("name", "location " + call)
                        .setParameter("id", 1 + call % LOCATIONS)
                        .executeUpdate());
    }

    private void await() {
        try {
            source.awaitReplicated(LONGEST);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Also drops the subscription, and the slot on the other server, which would keep its log. */
    @Override
    public void close() throws SQLException {
        sessions.close();
        try (Connection connection = second.connect()) {
            String subscription = Database.query(
                    connection,
                    "SELECT subname FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid"
                            + " WHERE d.datname = current_database()");
            Database.execute(connection, "DROP SUBSCRIPTION " + subscription);
        }
        pools.values().forEach(HikariDataSource::close);
    }
}
