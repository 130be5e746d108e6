package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A context without databases: a test of web pages, for instance, excludes the auto-configuration of the data source. */
class ExcludedAutoConfigurationTests {
    @Test
    void theOthersBackOffWithTheDataSource() {
        List<Class<?>> others = new ArrayList<>(BackOffTests.autoConfigurations());
        others.remove(ShardedIdAutoConfiguration.class);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(others.toArray(Class<?>[]::new)))
                .withPropertyValues(
                        "sharded-id.shards=8",
                        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                        "sharded-id.databases.pg1.shards=0-7",
                        "sharded-id.global.database=pg1",
                        "spring.sql.init.mode=always")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DataSource.class));
    }
}
