package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ShardContext;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.test.context.jdbc.Sql;
import org.springframework.test.context.jdbc.SqlConfig;

/** Rows for a test from scripts. */
@OnTestCluster
class TestDataIntegrationTests {
    @Autowired
    private DataSource dataSource;

    @Autowired
    private Customers customers;

    @Autowired
    private Countries countries;

    @Test
    void aScriptForOneShard() {
        ShardContext.run(6, () -> new ResourceDatabasePopulator(new ClassPathResource("db/testkit/customers.sql"))
                .execute(dataSource));

        assertThat(ShardContext.call(6, () -> customers.count())).isEqualTo(2);
        assertThat(ShardContext.call(5, () -> customers.count())).isZero();
    }

    @Test
    void aScriptWithoutAScopeIsRefused() {
        assertThatThrownBy(() -> new ResourceDatabasePopulator(new ClassPathResource("db/testkit/customers.sql"))
                        .execute(dataSource))
                .hasStackTraceContaining("NoShardException");
    }

    @Test
    @Sql(
            scripts = "/db/testkit/countries.sql",
            config = @SqlConfig(dataSource = "globalDataSource", transactionManager = "globalTransactionManager"))
    void aScriptForGlobalTables() {
        assertThat(countries.count()).isEqualTo(3);
    }
}
