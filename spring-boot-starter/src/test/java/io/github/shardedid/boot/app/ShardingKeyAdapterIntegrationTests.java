package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardingKeyType;
import java.sql.JDBCType;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's own adapter for JDBC sharding keys, on top of the routing data source. */
@Tag("quick")
class ShardingKeyAdapterIntegrationTests {
    private static final ThreadLocal<Long> CURRENT_TENANT = new ThreadLocal<>();

    private final RunningApp app = RunningApp.shared();

    @Test
    void aTemplateOverTheAdapterWorksInTheShardOfTheKey() {
        DataSource dataSource = app.bean(DataSource.class);
        ShardingKeyDataSourceAdapter keyed = new ShardingKeyDataSourceAdapter(dataSource, () -> dataSource
                .createShardingKeyBuilder()
                .subkey(CURRENT_TENANT.get(), JDBCType.BIGINT)
                .build());
        JdbcTemplate jdbc = new JdbcTemplate(keyed);
        try {
            CURRENT_TENANT.set(13L);
            jdbc.update("INSERT INTO app_user (name) VALUES ('of tenant 13')");
            assertThat(app.query(5, "SELECT name FROM $.app_user WHERE name = 'of tenant 13'"))
                    .hasSize(1);
            CURRENT_TENANT.set(14L);
            assertThat(jdbc.queryForList("SELECT id FROM app_user WHERE name = 'of tenant 13'"))
                    .isEmpty();
        } finally {
            CURRENT_TENANT.remove();
        }
    }

    @Test
    void aTransactionOverTheAdapterKeepsItsKey() {
        DataSource dataSource = app.bean(DataSource.class);
        User user = app.userIn(6);
        ShardingKeyDataSourceAdapter keyed = new ShardingKeyDataSourceAdapter(dataSource, () -> dataSource
                .createShardingKeyBuilder()
                .subkey(user.id(), ShardingKeyType.ID)
                .build());

        new TransactionTemplate(new DataSourceTransactionManager(keyed))
                .executeWithoutResult(status ->
                        new JdbcTemplate(keyed).update("UPDATE app_user SET name = 'renamed' WHERE id = ?", user.id()));

        assertThat(app.query(6, "SELECT name FROM $.app_user WHERE id = " + user.id()))
                .containsExactly("renamed");
    }
}
