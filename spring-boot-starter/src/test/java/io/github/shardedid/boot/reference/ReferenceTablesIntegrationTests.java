package io.github.shardedid.boot.reference;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.topology.CurrentShardMap;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Two shards on two servers, of which the first has the global database; their scripts refer to tables of it. */
@Tag("embedded-only")
@ExtendWith(OutputCaptureExtension.class)
class ReferenceTablesIntegrationTests {
    private static final Class<?>[] ALL = {Role.class, Country.class, Person.class, Citizen.class};

    private final List<TestDatabase> databases = new ArrayList<>(List.of(
            PostgresServers.shared(1).newDatabase(), PostgresServers.shared(2).newDatabase()));

    /** The entities are a property, since each test has others. */
    @EnableAutoConfiguration
    static class People {
        @Bean
        PersistenceManagedTypes managedTypes(Environment properties) {
            return PersistenceManagedTypes.of(
                    requireNonNull(properties.getProperty("test.entities")).split(","));
        }
    }

    @AfterEach
    void drop() {
        for (TestDatabase database : databases) {
            database.query("SELECT subname FROM pg_subscription WHERE subdbid = (SELECT oid FROM pg_database WHERE"
                            + " datname = current_database())")
                    .forEach(name -> database.execute("DROP SUBSCRIPTION " + name));
        }
        databases.forEach(TestDatabase::drop);
    }

    private ConfigurableApplicationContext start(Class<?>[] entities, String... more) {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "spring.jpa.properties.hibernate.generate_statistics", "true",
                "spring.data.jpa.repositories.enabled", List.of(entities).contains(Person.class),
                "test.entities",
                        String.join(",", Stream.of(entities).map(Class::getName).toList()),
                "sharded-id.shards", "2",
                "sharded-id.moves.recover", "false",
                "sharded-id.global.database", "pg1",
                "sharded-id.global.migrations", "classpath:db/reference/global",
                "sharded-id.migrations", "classpath:db/reference/shard"));
        for (int i = 0; i < databases.size(); i++) {
            PostgresServer server = databases.get(i).server();
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.put(prefix + "url", server.url(databases.get(i).name()));
            properties.put(prefix + "username", server.username());
            properties.put(prefix + "password", server.password());
            if (i < 2) {
                properties.put(prefix + "shards", "" + i);
            }
        }
        Stream.of(more)
                .forEach(each ->
                        properties.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1)));
        return TestPools.trusting(() -> new SpringApplicationBuilder(People.class)
                .properties(properties)
                .run());
    }

    private static <T> T inTransaction(ConfigurableApplicationContext app, Function<EntityManager, T> work) {
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(app.getBean(EntityManagerFactory.class));
        return requireNonNull(new TransactionTemplate(app.getBean(PlatformTransactionManager.class))
                .execute(status -> work.apply(entities)));
    }

    private static void awaitCopies(ConfigurableApplicationContext app) {
        RoutingDataSource dataSource = app.getBean(RoutingDataSource.class);
        try {
            dataSource.awaitReplicated(Duration.ofSeconds(60)); // a RoutingDataSource
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static long statements(ConfigurableApplicationContext app) {
        return app.getBean(EntityManagerFactory.class)
                .unwrap(SessionFactory.class)
                .getStatistics()
                .getPrepareStatementCount();
    }

    private static Person person(ConfigurableApplicationContext app, int shard, Country country, Role... roles) {
        Person person = new Person();
        person.country = country;
        person.roles.addAll(List.of(roles));
        return ShardContext.call(
                shard, () -> app.getBean(PersonRepository.class).save(person));
    }

    @Test
    void theFirstStartMakesTablesCopiesAndForeignKeysAndQueriesJoin(CapturedOutput output) {
        try (ConfigurableApplicationContext app = start(ALL)) {
            assertThat(output.getAll())
                    .as("the first shard is beside the originals, so that its scripts find them")
                    .doesNotContain(" ERROR ");
            CountryRepository countries = app.getBean(CountryRepository.class);
            RoleRepository roles = app.getBean(RoleRepository.class);
            Country country = countries.save(new Country("Chile"));
            Role editor = roles.save(new Role(3, "editor"));
            awaitCopies(app);
            Role admin = roles.findById(1).orElseThrow();
            Person here = person(app, 0, country, editor);
            Person there = person(app, 1, country, admin, editor);

            PersonRepository people = app.getBean(PersonRepository.class);
            assertThat(people.findByRolesNameOrderByIdDesc("editor"))
                    .extracting(person -> person.id)
                    .containsExactlyInAnyOrder(here.id, there.id);
            assertThat(people.findByRolesNameOrderByIdDesc("admin"))
                    .extracting(person -> person.id)
                    .containsExactly(there.id);
            assertThat(people.countInCountry("Chile")).isEqualTo(2);
            assertThat(people.countInCountry("Peru")).isZero();

            long before = statements(app);
            List<String> names = inTransaction(app, entities -> {
                Person found = requireNonNull(entities.find(Person.class, there.id));
                assertThat(Hibernate.isInitialized(found.country)).isTrue();
                assertThat(requireNonNull(found.country).name).isEqualTo("Chile");
                return found.roles.stream().map(role -> role.name).toList();
            });
            assertThat(names).containsExactlyInAnyOrder("admin", "editor");
            assertThat(statements(app) - before)
                    .as("the row with its country, and the set with its rows")
                    .isEqualTo(2);
            assertThat(ShardContext.call(1, () -> app.getBean(JdbcTemplate.class)
                            .queryForList(
                                    "SELECT c.name FROM person p JOIN sharded_global.\"Country\" c ON c.id = p.country_id",
                                    String.class)))
                    .containsExactly("Chile");

            assertThatThrownBy(() -> ShardContext.run(1, () -> app.getBean(JdbcTemplate.class)
                            .update("INSERT INTO sharded_global.role VALUES (9, 'lost')")))
                    .hasStackTraceContaining("it is a copy of the table in the global database");
            assertThatThrownBy(() -> databases.get(0).execute("TRUNCATE sharded_global.role CASCADE"))
                    .hasStackTraceContaining("is not truncated");
            assertThat(app.getBean(StagedProvisioning.class).replicationLag()).containsOnlyKeys("pg2");
        }
        String slot = slot();
        try (ConfigurableApplicationContext again = start(ALL)) {
            assertThat(again.getBean(RoleRepository.class).count()).isEqualTo(3);
        }
        assertThat(slot()).as("the second start changes nothing").isEqualTo(slot);
    }

    /** A slot that is made again begins later. */
    private String slot() {
        return databases
                .get(1)
                .query("SELECT oid::text FROM pg_subscription WHERE subdbid = (SELECT oid FROM"
                        + " pg_database WHERE datname = current_database())")
                .get(0);
    }

    @Test
    void scriptsThatNeedCopiesRunAgainIfTheGlobalDatabaseHasNoShards(CapturedOutput output) {
        databases.add(PostgresServers.shared(1).newDatabase());
        try (ConfigurableApplicationContext app = start(ALL, "sharded-id.global.database=pg3")) {
            assertThat(output.getAll()).contains("Migration of schema");
            Role admin = app.getBean(RoleRepository.class).findById(1).orElseThrow();
            Country country = app.getBean(CountryRepository.class).save(new Country("Peru"));
            awaitCopies(app);
            person(app, 0, country, admin);
            person(app, 1, country, admin);

            assertThat(app.getBean(PersonRepository.class).findByRolesNameOrderByIdDesc("admin"))
                    .hasSize(2);
            assertThat(app.getBean(StagedProvisioning.class).replicationLag()).containsOnlyKeys("pg1", "pg2");
        }
    }

    @Test
    void instancesThatStartAtOnceMakeOneSetOfCopies() {
        List<CompletableFuture<ConfigurableApplicationContext>> starts = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> start(ALL)))
                .limit(2)
                .toList();
        List<ConfigurableApplicationContext> apps =
                starts.stream().map(CompletableFuture::join).toList();
        try {
            apps.get(0).getBean(RoleRepository.class).save(new Role(3, "editor"));
            awaitCopies(apps.get(1));
            assertThat(ShardContext.call(
                            1, () -> apps.get(1).getBean(RoleRepository.class).count()))
                    .isEqualTo(3);
        } finally {
            apps.forEach(ConfigurableApplicationContext::close);
        }
    }

    @Test
    void aDatabaseThatIsAddedLaterHasCopiesBeforeAShardMovesThere() throws Exception {
        long id;
        try (ConfigurableApplicationContext app = start(ALL)) {
            Role guest = app.getBean(RoleRepository.class).findById(2).orElseThrow();
            id = requireNonNull(
                    person(app, 1, app.getBean(CountryRepository.class).save(new Country("Chile")), guest).id);
        }
        databases.add(PostgresServers.shared(2).newDatabase());
        try (ConfigurableApplicationContext app = start(ALL)) {
            ConfiguredCluster cluster = ConfiguredCluster.of(app.getEnvironment());
            try (ShardedDatabases pools = cluster.openPools()) {
                ShardMover mover = cluster.mover(pools, app.getBean(ShardMigrations.class), List.of());
                mover.move(1, "pg3");
            }
            CurrentShardMap map = app.getBean(CurrentShardMap.class);
            assertThat(map.refreshSince(map.nanoTime()).databaseOf(1)).isEqualTo("pg3");
            app.getBean(RoleRepository.class).save(new Role(3, "editor"));
            awaitCopies(app);
            List<String> names =
                    inTransaction(app, entities -> requireNonNull(entities.find(Person.class, id)).roles.stream()
                            .map(role -> role.name)
                            .toList());
            assertThat(names).containsExactly("guest");
            assertThat(databases.get(2).query("SELECT name FROM sharded_global.role ORDER BY id"))
                    .containsExactly("admin", "guest", "editor");
        }
    }

    @Test
    void withoutRightsToReplicateRowsAreReadFromTheGlobalDatabase(CapturedOutput output) {
        for (TestDatabase database : databases) {
            database.execute(
                    "DO $$ BEGIN CREATE ROLE unprivileged LOGIN PASSWORD 'unprivileged';"
                            + " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;"
                            + " ALTER ROLE unprivileged NOSUPERUSER;"
                            + " DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO unprivileged', current_database()); END $$");
        }
        Class<?>[] entities = {Country.class, Citizen.class};
        String[] user = Stream.of("1", "2")
                .flatMap(i -> Stream.of("username", "password")
                        .map(each -> "sharded-id.databases.pg" + i + "." + each + "=unprivileged"))
                .toArray(String[]::new);
        String[] properties = Stream.concat(
                        Stream.of(user), Stream.of("sharded-id.migrations=classpath:db/reference/plain"))
                .toArray(String[]::new);
        long id;
        try (ConfigurableApplicationContext app = start(entities, properties)) {
            assertThat(output)
                    .contains("Database pg2 has no up-to-date copies of the replicated tables [Country]")
                    .contains("so these are read from the global database pg1 only");
            id = citizen(app, 1);
            assertThat(country(app, id)).isEqualTo("Chile");
            assertThat(databases.get(1).query("SELECT nspname FROM pg_namespace WHERE nspname = 'sharded_global'"))
                    .isEmpty();
        }
        assertThatThrownBy(() -> start(ALL, properties).close()).hasStackTraceContaining("Person.roles");
        databases.forEach(database -> database.execute("ALTER ROLE unprivileged SUPERUSER"));
        try (ConfigurableApplicationContext app = start(entities, properties)) {
            long before = statements(app);
            assertThat(country(app, id)).isEqualTo("Chile");
            assertThat(statements(app) - before).isOne();
        }
    }

    private static long citizen(ConfigurableApplicationContext app, int shard) {
        Country country = new Country("Chile");
        inTransaction(app, entities -> {
            entities.persist(country);
            return true;
        });
        Citizen citizen = new Citizen();
        citizen.country = country;
        return ShardContext.call(
                shard,
                () -> inTransaction(app, entities -> {
                    entities.persist(citizen);
                    entities.flush();
                    return requireNonNull(citizen.id);
                }));
    }

    private static String country(ConfigurableApplicationContext app, long id) {
        return inTransaction(
                app, entities -> requireNonNull(requireNonNull(entities.find(Citizen.class, id)).country).name);
    }

    @Test
    void repositoriesReadTheGlobalDatabaseInTheScopeOfAShard() {
        try (ConfigurableApplicationContext app = start(ALL)) {
            awaitCopies(app);
            databases
                    .get(1)
                    .execute("ALTER SUBSCRIPTION "
                            + databases
                                    .get(1)
                                    .query(
                                            "SELECT subname FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid"
                                                    + " WHERE d.datname = current_database()")
                                    .get(0)
                            + " DISABLE");
            RoleRepository roles = app.getBean(RoleRepository.class);
            roles.save(new Role(3, "editor"));
            ShardContext.run(1, () -> {
                assertThat(roles.findById(3)).isPresent();
                assertThat(roles.findAll()).hasSize(3);
                inTransaction(app, entities -> {
                    assertThat(entities.find(Role.class, 3)).as("the copy").isNull();
                    Role guest = roles.findById(2).orElseThrow();
                    guest.name = "visitor";
                    return guest;
                });
            });
            assertThat(roles.findById(2).orElseThrow().name).isEqualTo("visitor");
        }
    }

    @Test
    void anotherApplicationLeavesTheTablesOfTheFirst() {
        try (ConfigurableApplicationContext app = start(ALL);
                ConfigurableApplicationContext other = start(new Class<?>[] {Country.class, Citizen.class})) {
            app.getBean(RoleRepository.class).save(new Role(3, "editor"));
            long id = citizen(other, 1);
            awaitCopies(app);
            assertThat(databases.get(1).query("SELECT name FROM sharded_global.role ORDER BY id"))
                    .containsExactly("admin", "guest", "editor");
            assertThat(country(app, id)).isEqualTo("Chile");
        }
    }

    @Test
    void aTableWithoutAPrimaryKeyIsRefusedAtStart() {
        assertThatThrownBy(() -> start(new Class<?>[] {Keyless.class, Country.class, Citizen.class})
                        .close())
                .hasStackTraceContaining("Table sharded_global.keyless of database pg1 is to be replicated, but is"
                        + " missing, or has no primary key");
        assertThat(databases.get(0).query("SELECT prrelid::regclass::text FROM pg_publication_rel"))
                .doesNotContain("sharded_global.keyless");
    }

    @Test
    void theInverseSideOfAJoinTableIsRefusedAndNotTakenForAReplicatedTable() {
        assertThat(Throwables.getStackTrace(catchThrowable(() ->
                        start(new Class<?>[] {Label.class, Labelled.class}).close())))
                .contains("Label.labelled leads from the global entity")
                .doesNotContain("Labelled.labels leads", "sharded_global.person_roles");
    }

    /** What the page says to do when {@code replicated} is taken away again. */
    @Test
    void theDocumentedScriptsRemoveAllCopies() {
        Class<?>[] entities = {Country.class, Citizen.class};
        String plain = "sharded-id.migrations=classpath:db/reference/plain";
        start(entities, plain).close();
        databases.get(1).execute(script("remove-copies.sql"));
        databases.get(0).execute(script("remove-originals.sql"));
        assertThat(databases.get(1).query("SELECT nspname FROM pg_namespace WHERE nspname = 'sharded_global'"))
                .isEmpty();
        assertThat(databases
                        .get(0)
                        .query("SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"))
                .isEmpty();
        databases.get(0).execute("TRUNCATE sharded_global.\"Country\"");
        try (ConfigurableApplicationContext app = start(entities, plain)) {
            assertThat(country(app, citizen(app, 1))).isEqualTo("Chile");
            awaitCopies(app);
        }
    }

    private static String script(String name) {
        try (var in =
                requireNonNull(ReferenceTablesIntegrationTests.class.getResourceAsStream("/documented/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
