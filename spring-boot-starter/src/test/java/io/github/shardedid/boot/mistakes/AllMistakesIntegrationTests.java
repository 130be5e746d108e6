package io.github.shardedid.boot.mistakes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.boot.autoconfigure.Analyses;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** The first shard of the global database, or of the smallest one, shows what is wrong, before the others are migrated. */
class AllMistakesIntegrationTests {
    private final TestDatabase large = PostgresServers.shared(1).newDatabase();
    private final TestDatabase small = PostgresServers.shared(2).newDatabase();

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EntityScan
    static class Mistaken {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EntityScan("io.github.shardedid.boot.mistakes.none")
    static class Early {
        @Bean
        Object reader(JdbcClient client) {
            return ShardContext.call(0, () -> client.sql("SELECT count(*) FROM author")
                    .query(Long.class)
                    .single());
        }
    }

    /** A database takes no connections when the first shard has been migrated. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Losing {
        static @Nullable Runnable loss;

        @Bean
        static BeanPostProcessor losing() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof CurrentShardMap) {
                        requireNonNull(loss).run();
                    }
                    return bean;
                }
            };
        }

        @Bean
        PersistenceManagedTypes types() {
            return PersistenceManagedTypes.of();
        }
    }

    private ConfigurableApplicationContext start(Class<?> application, String... properties) {
        List<String> all = new ArrayList<>(DatabaseProperties.of("large", large));
        all.addAll(DatabaseProperties.of("small", small));
        all.addAll(List.of(
                "sharded-id.shards=6",
                "sharded-id.databases.large.shards=0-3",
                "sharded-id.databases.small.shards=4-5",
                "sharded-id.migrations=classpath:db/mistakes"));
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(all.toArray(String[]::new))
                .run(Stream.of(properties).map(each -> "--" + each).toArray(String[]::new));
    }

    private static List<String> migrated(TestDatabase database) {
        return database.query("SELECT schemaname::text FROM pg_tables WHERE tablename = 'author' ORDER BY 1");
    }

    @Test
    @Tag("quick")
    void areToldInOneErrorAfterOneShardHasBeenMigrated() {
        FailureAnalysis analysis =
                requireNonNull(Analyses.of(requireNonNull(catchThrowable(() -> start(Mistaken.class)))));

        assertThat(analysis.getCause()).isInstanceOf(ShardedIdMappingException.class);
        assertThat(analysis.getDescription())
                .contains("$Country", "$Book.author", "@ForeignShard")
                .contains("ALTER TABLE author ALTER COLUMN id SET DEFAULT next_id")
                .contains("ALTER TABLE book ALTER COLUMN id DROP IDENTITY")
                .contains("CREATE SEQUENCE loan_id_seq", "CREATE SEQUENCE")
                .contains(
                        "table shard_0004.shelf on database small", "column until of shard_0004.loan on database small")
                .contains("$Reader.id is generated, but has no @ShardedId")
                .contains("$Room.branch refers to", "$Branch, whose id has no @ShardedId", "annotate that id")
                .doesNotContain("$Branch has no @ShardedId, so the entity is global", "global entity io");
        assertThat(catchThrowable(() -> start(Mistaken.class))).isNotNull();
        assertThat(migrated(small)).containsExactly("shard_0004");
        assertThat(migrated(large)).isEmpty();
    }

    @Test
    void aScriptThatFailsIsToldWithTheMistakesOfTheMappings() {
        FailureAnalysis analysis = requireNonNull(Analyses.of(requireNonNull(catchThrowable(
                () -> start(Mistaken.class, "sharded-id.migrations=classpath:db/mistakes,classpath:db/mistaken")))));

        assertThat(analysis.getDescription())
                .contains("$Country", "The migration V3__syntax.sql failed in shard 4 of database small")
                .contains("ALTER TABLE author ALTER COLUMN id SET DEFAULT next_id")
                .doesNotContain("The mappings need");
        assertThat(migrated(large)).isEmpty();
        assertThat(catchThrowable(
                        () -> start(Early.class, "sharded-id.migrations=classpath:db/mistakes,classpath:db/mistaken")))
                .hasStackTraceContaining("V3__syntax.sql failed");
    }

    @Test
    void bootsFlywayIsRefusedWithTheMistakesOfTheMappings() {
        FailureAnalysis analysis = requireNonNull(
                Analyses.of(requireNonNull(catchThrowable(() -> start(Mistaken.class, "spring.flyway.enabled=true")))));

        assertThat(analysis.getDescription())
                .contains("$Country", "table shard_0004.shelf on database small", "Set spring.flyway.url");
        assertThat(analysis.getAction()).contains("Correct the mappings", "Correct the property");
        assertThat(migrated(large)).isEmpty();
        assertThat(catchThrowable(() -> start(Early.class, "spring.flyway.enabled=true")))
                .hasStackTraceContaining("Set spring.flyway.url");
    }

    @Test
    void scriptsThatFailInAShardAndInTheGlobalSchemaAreReportedTogether() {
        String[] scripts = {
            "sharded-id.migrations=classpath:db/mistakes,classpath:db/mistaken",
            "sharded-id.global.database=large",
            "sharded-id.global.migrations=classpath:db/mistaken"
        };
        FailureAnalysis analysis =
                requireNonNull(Analyses.of(requireNonNull(catchThrowable(() -> start(Mistaken.class, scripts)))));

        assertThat(analysis.getDescription())
                .contains(
                        "$Book.author",
                        "failed in shard 0 of database large",
                        "schema sharded_global of database large")
                .contains("ALTER TABLE author ALTER COLUMN id SET DEFAULT next_id");
        assertThat(analysis.getAction()).contains("Correct the mappings", "Correct the script");
        assertThat(catchThrowable(() -> start(Early.class, scripts)))
                .hasStackTraceContaining("failed in shard 0 of database large")
                .hasStackTraceContaining("Suppressed: ");
    }

    @Test
    void refusalsOfAllKindsAreReportedBeforeAnythingIsWritten() {
        FailureAnalysis analysis = requireNonNull(Analyses.of(requireNonNull(catchThrowable(() -> start(
                Mistaken.class,
                "sharded-id.databases.down.url=jdbc:postgresql://localhost:1/app",
                "sharded-id.hikari.connection-timeout=250",
                "sharded-id.epoch=2020-02-02T00:00:00Z",
                "sharded-id.migrations=classpath:db/nowhere",
                "sharded-id.databases.large.shards=0-2",
                "sharded-id.common-schemas=lost,gone",
                "sharded-id.provisioning.application-role=nobody_here")))));

        assertThat(analysis.getDescription())
                .contains("$Country", "db/nowhere", "has no schema 'lost', 'gone'", "[nobody_here]")
                .contains("these cannot be reached: {down=", "3");
        assertThat(analysis.getAction())
                .contains("Correct the mappings", "Correct the script", "Create the schema or the roles")
                .contains("Start the databases", ".shards: each shard must be");
        assertThat(large.query("SELECT nspname FROM pg_namespace WHERE nspname = 'sharded_id'"))
                .isEmpty();
    }

    @Test
    void aDatabaseThatIsLostAfterTheFirstShardIsReportedAndTheNextStartGoesOn() {
        String name = large.name();
        TestDatabase beside = PostgresServers.shared(1).newDatabase();
        Losing.loss = () -> {
            beside.execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
            beside.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
        };
        try {
            assertThat(Analyses.of(requireNonNull(catchThrowable(() -> start(Losing.class))))
                            .getDescription())
                    .contains("Databases became unreachable before their shards were migrated: {large=");
            assertThat(migrated(small)).hasSize(2);
        } finally {
            beside.execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");
            beside.drop();
        }
        assertThat(migrated(large)).isEmpty();

        Losing.loss = () -> {};
        start(Losing.class).close();
        assertThat(migrated(large)).hasSize(4);
    }

    @Test
    void rightsThatLackInSeveralDatabasesAreToldAtOnce() {
        for (TestDatabase database : List.of(large, small)) {
            database.execute("DO $$ BEGIN CREATE ROLE mistaken LOGIN PASSWORD 'mistaken';"
                    + " EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        }
        String[] user = Stream.of("large", "small")
                .flatMap(name -> Stream.of("username", "password")
                        .map(property -> "sharded-id.databases." + name + "." + property + "=mistaken"))
                .toArray(String[]::new);

        FailureAnalysis analysis =
                requireNonNull(Analyses.of(requireNonNull(catchThrowable(() -> start(Mistaken.class, user)))));

        assertThat(analysis.getDescription())
                .contains("User mistaken of database large may not", "User mistaken of database small may not")
                .contains("$Country", "$Book.author");
        assertThat(large.query("SELECT nspname FROM pg_namespace WHERE nspname = 'sharded_id'"))
                .isEmpty();

        List.of(large, small)
                .forEach(database ->
                        database.execute("DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO mistaken',"
                                + " current_database()); END $$"));
        assertThat(Analyses.of(requireNonNull(catchThrowable(() -> start(Mistaken.class, user))))
                        .getDescription())
                .contains("the right to read table shard_0004.loan on database small");
    }

    @Test
    void aShardIsMigratedBeforeAnythingReadsIt() {
        try (ConfigurableApplicationContext context = start(Early.class)) {
            assertThat(context.getBean("reader")).isEqualTo(0L);
        }
        assertThat(migrated(small)).hasSize(2);
        assertThat(migrated(large)).hasSize(4);

        String epoch = "sharded-id.epoch=2020-02-02T00:00:00Z";
        assertThat(Analyses.of(requireNonNull(catchThrowable(() -> start(Mistaken.class, epoch))))
                        .getDescription())
                .contains("$Country", "$Book.author", "epoch is");
        assertThat(Analyses.of(requireNonNull(catchThrowable(() -> start(Early.class, epoch))))
                        .getCause())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.LAYOUT_MISMATCH);
    }
}
