package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ClusterConfigurationException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses the embedded database by which {@code @DataJpaTest} and {@code @AutoConfigureTestDatabase} replace the primary data source,
 * before beans are created: no database is provisioned for a test that cannot start.
 */
final class ReplacedDataSourceCheck {
    /** Spring Boot's bean definition of the embedded database has a class of this package. */
    private static final String TEST_DATABASES = "org.springframework.boot.jdbc.test.autoconfigure.";

    private ReplacedDataSourceCheck() {}

    static void check(ConfigurableListableBeanFactory beans) {
        Stream.of(beans.getBeanDefinitionNames())
                .filter(name -> isTestDatabase(beans, name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ClusterConfigurationException("A test has replaced the data source \"" + name
                            + "\" by an embedded database, as @DataJpaTest and @AutoConfigureTestDatabase do. It has no shards, so the"
                            + " application cannot start on it. Nothing was sent to the databases in sharded-id.databases. Add"
                            + " @AutoConfigureShardedCluster of sharded-id-spring-boot-starter-test to the test: it starts PostgreSQL databases with shards. To"
                            + " use the databases in sharded-id.databases, add @AutoConfigureTestDatabase(replace = Replace.NONE), or"
                            + " set spring.test.database.replace=none for all tests.");
                });
    }

    private static boolean isTestDatabase(ConfigurableListableBeanFactory beans, String name) {
        String type = beans.getBeanDefinition(name).getBeanClassName();
        return type != null && type.startsWith(TEST_DATABASES) && beans.isTypeMatch(name, DataSource.class);
    }
}
