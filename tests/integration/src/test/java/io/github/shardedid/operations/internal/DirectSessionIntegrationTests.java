package io.github.shardedid.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PgBouncerServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.postgresql.ds.PGSimpleDataSource;

/** What needs a session refuses a pooler, also one that ignores the parameters that a session begins with. */
@Tag("embedded-only")
@EnabledIf("isInstalled")
class DirectSessionIntegrationTests {
    private static final String ASKED_FOR = "Set the data source of pg1 to one that leads to the server itself";

    private final TestDatabase pg1 = PostgresServers.shared(1).newDatabase();
    private final TestDatabase pg2 = PostgresServers.shared(2).newDatabase();
    private final ClusterDefinition definition = new ClusterDefinition(
            IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.parse("0"), "pg2", ShardRanges.parse("1")));
    private PgBouncerServer pooler;

    static boolean isInstalled() {
        return PgBouncerServer.isInstalled();
    }

    @BeforeEach
    void start() {
        pooler = new PgBouncerServer(PostgresServers.shared(1), 2);
    }

    @AfterEach
    void stop() {
        pooler.close();
        pg1.drop();
        pg2.drop();
    }

    private Map<String, DataSource> direct() {
        return Map.of("pg1", pg1.dataSource(), "pg2", pg2.dataSource());
    }

    private Map<String, DataSource> pooled() {
        PGSimpleDataSource pooled = new PGSimpleDataSource();
        pooled.setUrl(pooler.url(pg1.name()));
        pooled.setUser(pg1.server().username());
        return Map.of("pg1", pooled, "pg2", pg2.dataSource());
    }

    @Test
    void provisioningChangesNothing() {
        assertThatThrownBy(() -> new Provisioner(definition, pooled(), ShardMigrations.none()).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.DIRECT_CONNECTION_REQUIRED)
                .hasMessageContaining("Database pg1 is behind a pooler")
                .hasMessageContaining(ASKED_FOR);
        for (TestDatabase database : new TestDatabase[] {pg1, pg2}) {
            assertThat(database.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                    .isEmpty();
        }
    }

    @Test
    void movesAndTheShardMapAreRefused() {
        new Provisioner(definition, direct(), ShardMigrations.none()).provision();

        assertThat(new ShardMover(definition, pooled(), ShardMigrations.none()).check(1, "pg1"))
                .singleElement()
                .asString()
                .contains(ASKED_FOR);
        assertThatThrownBy(() -> new DatabaseShardMapSource(definition, pooled()).load())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.DIRECT_CONNECTION_REQUIRED)
                .hasMessageContaining(ASKED_FOR);
    }
}
