package io.github.shardedid.boot.mistakes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.boot.app.Visit;
import io.github.shardedid.boot.autoconfigure.Analyses;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** One error lists what is wrong with the mappings and their tables; another one what provisioning refuses. */
class AllMistakesIntegrationTests {
    private final TestDatabase large = PostgresServers.shared(1).newDatabase();
    private final TestDatabase small = PostgresServers.shared(2).newDatabase();

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EntityScan
    static class Mistaken {}

    /** An entity of another application, whose table has a unique column here. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Unique {
        @Bean
        PersistenceManagedTypes types() {
            return PersistenceManagedTypes.of(Visit.class.getName());
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

    @Test
    @Tag("quick")
    void areToldInOneError() {
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
                .contains("$Reader has no @ShardedId, but its default in shard_0000 on database large is next_id")
                .contains("$Room.branch refers to", "$Branch, whose id has no @ShardedId", "annotate that id")
                .doesNotContain("$Branch has no @ShardedId, so the entity is global", "global entity io");
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
                .contains("db/nowhere", "has no schema 'lost', 'gone'", "[nobody_here]")
                .contains("these cannot be reached: {down=", "3");
        assertThat(analysis.getAction())
                .contains("Correct the script", "Create the schema or the roles")
                .contains("Start the databases", ".shards: each shard must be");
        assertThat(large.query("SELECT nspname FROM pg_namespace WHERE nspname = 'sharded_id'"))
                .isEmpty();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void whatIsUniqueInAShardOnlyIsLoggedOnce(CapturedOutput output) {
        start(Unique.class, "sharded-id.migrations=classpath:db/unique").close();
        assertThat(output).containsOnlyOnce("Unique in each shard, not in the cluster");
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
                .contains("User mistaken of database large may not", "User mistaken of database small may not");
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
}
