package io.github.shardedid.hibernate.temporal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.temporal.Rates.Fee;
import io.github.shardedid.hibernate.temporal.Rates.Rate;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hibernate's own histories are refused. */
@Tag("quick")
class TemporalIntegrationTests {
    private static final int SHARDS = 8;

    private static TestCluster cluster() {
        return new TestCluster(
                IdLayout.DEFAULT,
                SHARDS,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
    }

    private static Configuration configuration(TestCluster databases, Class<?>... entities) {
        Configuration configuration = new Configuration().addAnnotatedClasses(entities);
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Rate.class,
                Fee.class,
                Rates.Doc.class,
                Rates.GlobalDoc.class,
                Rates.OwnDoc.class,
                Rates.Tagged.class
            })
    void historiesAreRefused(Class<?> entity) {
        try (TestCluster databases = cluster()) {
            Class<?>[] entities = entity == Rates.OwnDoc.class
                    ? new Class<?>[] {entity, Rates.Tagged.class}
                    : new Class<?>[] {entity};
            assertThatThrownBy(() -> configuration(databases, entities)
                            .buildSessionFactory()
                            .close())
                    .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                    .hasStackTraceContaining(entity.getSimpleName())
                    .hasStackTraceContaining(
                            (entity == Rate.class || entity == Fee.class ? "@Temporal" : "@Audited") + " of Hibernate")
                    .hasStackTraceContaining("org.hibernate.envers.Audited");
        }
    }
}
