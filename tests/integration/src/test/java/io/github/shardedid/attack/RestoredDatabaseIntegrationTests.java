package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.JvmIdSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database of the cluster, dumped and restored on a fresh server. */
@Tag("attack")
@Tag("embedded-only")
class RestoredDatabaseIntegrationTests {
    private static final int SHARDS = 2;
    private static final int IDS = 3000;

    private static final String SEEN = "SELECT count(*) FROM " + new Place(0, "sharded_id_lease").qualified()
            + " WHERE node = -1 AND server = sharded_id.lease_stamp(xmin)";

    private final Set<Long> handed = new HashSet<>();

    @Test
    void idsGoOnWithoutRepetitionInADatabaseThatWasDumpedAndRestored() throws SQLException {
        Optional<Path> binaries = InstalledPostgresServer.binaries();
        assumeTrue(binaries.isPresent(), "No PostgreSQL server with pg_dump and psql is installed on this machine");
        try (InstalledPostgresServer server = new InstalledPostgresServer(binaries.orElseThrow());
                InstalledPostgresServer fresh = new InstalledPostgresServer(binaries.orElseThrow())) {
            TestDatabase before = server.newDatabase();
            RoutingDataSource dataSource = provisioned(before);
            try (JvmIdSource ids = new JvmIdSource(dataSource, JvmIdOptions.DEFAULT)) {
                Awaitility.await().until(() -> IdLayout.DEFAULT
                        .decode(take(ids, dataSource))
                        .node()
                        .isPresent());
                before.query("SELECT " + new Place(0, "photo").call("next_ids", ", " + IDS))
                        .forEach(this::add);

                TestDatabase after = fresh.newDatabase();
                server.copy(before.name(), fresh, after.name());

                goOn(provisioned(after), after, ids, dataSource);
            }
        }
    }

    private void goOn(RoutingDataSource restored, TestDatabase after, JvmIdSource old, RoutingDataSource dataSource)
            throws SQLException {
        after.query("SELECT " + new Place(0, "photo").call("next_ids", ", " + IDS))
                .forEach(this::add);
        try (JvmIdSource ids = new JvmIdSource(restored, JvmIdOptions.DEFAULT.withLease(Duration.ofSeconds(20)))) {
            for (int i = 0; i < IDS / 10; i++) {
                assertThat(IdLayout.DEFAULT.decode(take(ids, restored)).node())
                        .as("leases that the dump does not know may last")
                        .isEmpty();
                // A JVM that has not heard of it goes on within its window.
                assertThat(IdLayout.DEFAULT.decode(take(old, dataSource)).node())
                        .isPresent();
            }
            // The time to wait starts when the copy first sees that it is one.
            Awaitility.await().until(() -> after.queryLong(SEEN) == 1);
            ClockSeam.install(after);
            ClockSeam.set(after, JvmIdOptions.LONGEST_LEASE.plus(Duration.ofSeconds(10)));
            Awaitility.await()
                    .until(() ->
                            IdLayout.DEFAULT.decode(take(ids, restored)).node().isPresent());
            for (int i = 0; i < IDS / 10; i++) {
                take(ids, restored);
                take(old, dataSource);
            }
        }
    }

    private long take(JvmIdSource ids, RoutingDataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            long id = ids.next(0, "photo_id_seq", connection);
            add(Long.toString(id));
            return id;
        }
    }

    private void add(String id) {
        assertThat(handed.add(Long.valueOf(id))).as("id %s is new", id).isTrue();
    }

    private static RoutingDataSource provisioned(TestDatabase database) {
        ClusterDefinition definition =
                new ClusterDefinition(IdLayout.DEFAULT, SHARDS, Map.of("pg1", ShardRanges.of(0, 1)));
        Map<String, DataSource> sources = Map.of("pg1", database.dataSource());
        new Provisioner(definition, sources, ShardMigrations.at("classpath:db/attack")).provision();
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition, sources));
        return new RoutingDataSource(new Cluster(IdLayout.DEFAULT, map), sources);
    }
}
