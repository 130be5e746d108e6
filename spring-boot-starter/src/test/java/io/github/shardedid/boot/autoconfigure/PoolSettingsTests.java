package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import io.github.shardedid.ClusterConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Settings of HikariCP and of the driver that do not work stop the start before any database is asked. */
class PoolSettingsTests {
    private static final String URL = "jdbc:postgresql://localhost:1/app";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=" + URL,
                    "sharded-id.databases.pg1.shards=0-7");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "currentSchema|databases.pg1.url=" + URL + "?currentSchema=public",
                "currentSchema|databases.pg1.url=jdbc:aws-wrapper:postgresql://localhost:1/app?currentSchema=public",
                "currentSchema|hikari.data-source-properties.currentSchema=public",
                "options with search_path|databases.pg1.url=" + URL + "?options=-c%20search_path=public",
                "options with search_path|hikari.data-source-properties.options=--search-path=public",
                "prepareThreshold|databases.pg1.hikari.data-source-properties.prepareThreshold=-1",
                "replication|hikari.data-source-properties.replication=database",
                "targetServerType=preferSecondary|databases.pg1.url=" + URL + "?targetServerType=preferSecondary",
                "targetServerType=slave|hikari.data-source-properties.targetServerType=slave",
                "schema. |hikari.schema=public",
                "connection-init-sql|hikari.connection-init-sql=SET SEARCH_PATH = public",
                "data-source-class-name|hikari.data-source-class-name=org.postgresql.ds.PGSimpleDataSource",
                "dataSourceJNDI|hikari.data-source-j-n-d-i=java:app"
            })
    void areRefusedByName(String namedAndSetting) {
        int bar = namedAndSetting.indexOf('|');
        runner.withPropertyValues("sharded-id." + namedAndSetting.substring(bar + 1))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ClusterConfigurationException.class)
                        .hasMessageContaining("sharded-id.databases.pg1")
                        .hasMessageContaining("does not work: " + namedAndSetting.substring(0, bar)));
    }

    @Test
    void aReplicaMayBeChosenAmongHosts() {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl("jdbc:postgresql://one,two/app?targetServerType=preferSecondary");
        assertThatNoException().isThrownBy(() -> PoolSettings.check(pool, "replica", "no_shard", true));
        assertThatThrownBy(() -> PoolSettings.check(pool, "database", "no_shard", false))
                .hasMessageContaining("replicas");
    }
}
