package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.Analyses;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase.Replace;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

/** Tests as they were before the move to shards: Spring Boot replaces their data source by an embedded database. */
class ReplacedDataSourceIntegrationTests {
    private static final TestDatabase PG1 = PostgresServers.shared(1).newDatabase();

    @AfterAll
    static void drop() {
        PG1.drop();
    }

    /** The properties of the application, which its tests have, too. */
    static class Configured {
        @DynamicPropertySource
        static void databases(DynamicPropertyRegistry registry) {
            registry.add("sharded-id.shards", () -> 4);
            DatabaseProperties.of("pg1", PG1).forEach(property -> {
                int equals = property.indexOf('=');
                registry.add(property.substring(0, equals), () -> property.substring(equals + 1));
            });
        }
    }

    @DataJpaTest
    static class Slice extends Configured {}

    @SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @AutoConfigureTestDatabase
    static class WholeApplication extends Configured {}

    @SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @AutoConfigureTestDatabase(replace = Replace.ANY)
    static class Any extends Configured {}

    @ParameterizedTest
    @ValueSource(classes = {Slice.class, WholeApplication.class, Any.class})
    void areRefusedBeforeTheConfiguredDatabasesAreProvisioned(Class<?> test) {
        assertThatThrownBy(() -> prepare(test)).satisfies(failure -> {
            FailureAnalysis analysis = Analyses.of(failure);
            assertThat(analysis.getCause()).isInstanceOf(ClusterConfigurationException.class);
            assertThat(analysis.getDescription())
                    .contains(
                            "A test has replaced the data source \"shardedDataSource\"",
                            "@AutoConfigureShardedCluster",
                            "@AutoConfigureTestDatabase(replace = Replace.NONE)");
            assertThat(analysis.getAction()).contains("annotation");
        });
        assertThat(PG1.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                .isEmpty();
    }

    @SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @AutoConfigureTestDatabase(replace = Replace.AUTO_CONFIGURED)
    @TestPropertySource(properties = "sharded-id.provisioning.enabled=false")
    static class AutoConfigured extends Configured {}

    @Test
    void aReplacementThatDoesNotConcernTheShardsIsNone() {
        assertThatThrownBy(() -> prepare(AutoConfigured.class))
                .satisfies(failure -> assertThat(Analyses.of(failure).getDescription())
                        .as("the start goes on to the databases")
                        .contains("The cluster is not completely provisioned"));
    }

    private static void prepare(Class<?> test) throws Exception {
        Object instance = test.getDeclaredConstructor().newInstance();
        new TestContextManager(test).prepareTestInstance(instance);
    }
}
