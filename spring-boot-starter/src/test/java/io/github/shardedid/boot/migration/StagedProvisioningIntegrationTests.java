package io.github.shardedid.boot.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@Tag("quick")
class StagedProvisioningIntegrationTests {
    private static final String CONSTRAINTS = "SELECT conname FROM pg_constraint WHERE conrelid ="
            + " 'shard_0001.visit'::regclass AND conname LIKE 'sharded%' ORDER BY 1";

    private final TestDatabase pg1 = PostgresServers.shared(1).newDatabase();
    private final TestDatabase pg2 = PostgresServers.shared(2).newDatabase();
    private final AtomicBoolean down = new AtomicBoolean();

    private DataSource unreachableWhileDown() {
        return new DelegatingDataSource(pg2.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (down.get()) {
                    throw new SQLException("Connection refused", "08001");
                }
                return super.getConnection();
            }
        };
    }

    @Test
    void aSessionFactoryMadeAfterADatabaseCameBackGetsItsConstraintsThere() {
        Map<String, DataSource> databases = Map.of("pg1", pg1.dataSource(), "pg2", unreachableWhileDown());
        Provisioner provisioner = new Provisioner(
                new ClusterDefinition(
                        IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.parse("0"), "pg2", ShardRanges.parse("1"))),
                databases,
                ShardMigrations.at("classpath:db/shard"));
        provisioner.provision();
        down.set(true);
        StagedProvisioning start = new StagedProvisioning(provisioner, true, new StaticListableBeanFactory());
        assertThat(start.begin(Set.of())).containsOnlyKeys("pg2");
        start.afterSingletonsInstantiated();

        down.set(false);
        assertThat(start.again()).isEmpty();
        assertThat(pg2.query(CONSTRAINTS)).containsExactly("sharded_id_check");
        start.colocated(Map.of("visit", Set.of("visitor")));

        assertThat(pg2.query(CONSTRAINTS)).containsExactly("sharded_id_check", "sharded_id_check_visitor");
    }
}
