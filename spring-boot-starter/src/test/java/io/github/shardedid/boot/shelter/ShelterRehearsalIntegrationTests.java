package io.github.shardedid.boot.shelter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.rehearsal.RehearsalReport;
import io.github.shardedid.boot.rehearsal.ShardRehearsal;
import io.github.shardedid.boot.rehearsal.StatementTarget;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a rehearsal says of an application that knows no shards, and what becomes of its report. */
class ShelterRehearsalIntegrationTests {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private ConfigurableApplicationContext app;
    private KeeperRepository keepers;
    private Kind kind;

    @BeforeEach
    void start() {
        database = PostgresServers.shared(1).newDatabase();
        database.execute("CREATE FUNCTION is_busy(text) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT true'");
        app = start(ShelterApp.class);
        keepers = app.getBean(KeeperRepository.class);
        kind = app.getBean(KindRepository.class).save(new Kind("cat"));
    }

    @AfterEach
    void stop() {
        app.close();
        database.drop();
    }

    private ConfigurableApplicationContext start(Class<?>... sources) {
        return new SpringApplicationBuilder(sources)
                .properties(
                        "spring.main.web-application-type=none",
                        "spring.main.banner-mode=off",
                        "spring.application.name=shelter",
                        "spring.flyway.enabled=false",
                        "spring.jpa.hibernate.ddl-auto=update",
                        "sharded-id.rehearsal=true",
                        "sharded-id.rehearsal-report=" + report(),
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.username=" + database.server().username(),
                        "spring.datasource.password=" + database.server().password())
                .run();
    }

    private Path report() {
        return directory.resolve("reports/rehearsal.txt");
    }

    private RehearsalReport reported() {
        return app.getBean(ShardRehearsal.class).report();
    }

    private void transaction(Runnable work) {
        new TransactionTemplate(app.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.run());
    }

    private long keeperOfTwo(String name) {
        Keeper keeper = new Keeper(name);
        keeper.animals.addAll(List.of(new Animal("a", kind), new Animal("b", kind)));
        return requireNonNull(keepers.save(keeper).id);
    }

    @Test
    void theReportIsInItsFileAlthoughTheDatabaseIsGone() throws IOException {
        keepers.findByName("x");
        keepers.busy();
        keepers.countByName("x");
        database.drop();
        app.close();
        assertThat(Files.readString(report()))
                .contains("Rehearsal of shards in shelter: ")
                .contains("KeeperRepository.findByName(String) determines no shard")
                .as("found by the catalogs of the database")
                .contains("is_busy")
                .contains("ALL_SHARDS=1");
    }

    @Test
    void eachThingToChangeIsOneLineAndEachWayOutIsSaidOnce() throws IOException {
        keepers.findByName("x");
        keepers.findByName("y");
        keepers.findTop10ByOrderByName();
        keepers.count();
        keepers.findAll();
        assertThat(reported().refusals()).isEqualTo(5);
        assertThat(reported().statements())
                .extracting(RehearsalReport.Statement::target)
                .contains(StatementTarget.NOT_SENT);
        app.close();
        assertThat(Files.readString(report()))
                .contains(": 4 to change; 5 calls, statements, transactions, rows and references would be refused")
                .contains("method, 1 time refused: KeeperRepository.findTop10ByOrderByName() determines no shard")
                .contains("method, 2 times refused: KeeperRepository.findByName(String) determines no shard")
                .containsOnlyOnce("findByName(String)")
                .containsOnlyOnce("Ways to name a shard")
                .containsOnlyOnce("put @AllShards on the method")
                .doesNotContain("statement: ");
    }

    @Test
    void onlyAJoinOfTheQueryCrosses() {
        long id = keeperOfTwo("x");
        assertThat(requireNonNull(keepers.findById(id).orElseThrow().animals.get(0).kind).name)
                .isEqualTo("cat");
        assertThat(reported().statements())
                .as("the eager kind is joined")
                .anyMatch(each -> each.sql().contains("join kind"))
                .allSatisfy(each -> assertThat(each.refusal()).isNull());
        keepers.animalsOf("cat");
        assertThat(reported().statements())
                .filteredOn(each -> each.refusal() != null)
                .singleElement()
                .satisfies(each -> assertThat(each.refusal()).contains("crosses", "animal", "kind"));
    }

    @Test
    void anOwnerThatSavesByCascadeIsPreferredToAReference() {
        assertThat(reported().assumptions())
                .hasSize(6)
                .anySatisfy(each -> assertThat(each)
                        .contains("Adoption is assumed", "in a shard of its own", "(animal, keeper)", "put @ShardKey"))
                .anySatisfy(each -> assertThat(each)
                        .contains("Animal is assumed", "with " + Keeper.class.getName() + ".animals", "no annotation")
                        .doesNotContain("@ShardKey"))
                .anySatisfy(each -> assertThat(each)
                        .contains("Treatment is assumed", ".Animal.treatments", "put @ShardKey on animal")
                        .contains("If " + Medicine.class.getName() + " (medicine) is a lookup table"))
                .anySatisfy(each -> assertThat(each)
                        .contains(
                                "Receipt is assumed",
                                "Do its rows belong in the shard of keeper",
                                "?",
                                "lookup table"));
    }

    @Test
    void queriesOfTheEntityManagerAreJudgedByTheirParameters() {
        long one = keeperOfTwo("x");
        long other = keeperOfTwo("y");
        EntityManager manager = app.getBean(EntityManager.class);
        manager.createQuery("select k.name from Keeper k where k.id = :id", String.class)
                .setParameter("id", one)
                .getResultList();
        manager.createQuery("select k.name from Keeper k where k.id in :ids", String.class)
                .setParameter("ids", List.of(one, other))
                .getResultList();
        transaction(() -> manager.createQuery("update Keeper k set k.name = 'z' where k.id = :id")
                .setParameter("id", one)
                .executeUpdate());
        assertThat(reported().refusals()).isZero();
        manager.createQuery("select k.name from Keeper k where k.name = :name", String.class)
                .setParameter("name", "x")
                .getResultList();
        assertThat(reported().refusals()).isEqualTo(1);
        assertThat(database.query("SELECT count(*) FROM keeper WHERE name = 'z'"))
                .containsExactly("1");
    }

    @Test
    void aRowWithoutItsShardKeyIsReported() throws IOException {
        transaction(() -> app.getBean(EntityManager.class).persist(new Receipt()));
        assertThat(reported().refusals()).isEqualTo(1);
        app.close();
        assertThat(Files.readString(report())).contains("Receipt.keeper was null in a new row 1 time.");
    }

    @Test
    void aShardKeyThatACallbackSetsIsTooLate() {
        Keeper keeper = keepers.save(new Keeper("x"));
        transaction(() -> {
            Receipt inTime = new Receipt();
            inTime.keeper = keeper;
            app.getBean(EntityManager.class).persist(inTime);
        });
        assertThat(reported().withoutKey()).isEmpty();
        transaction(() -> {
            Receipt late = new Receipt();
            late.issuer = keeper;
            app.getBean(EntityManager.class).persist(late);
        });
        assertThat(reported().withoutKey()).singleElement().satisfies(each -> assertThat(each.attribute())
                .isEqualTo(Receipt.class.getName() + ".keeper"));
        assertThat(database.query("SELECT count(keeper_id) FROM receipt")).containsExactly("2");
    }

    @Test
    void aCallForRowsOfSeveralShardsIsOneTransactionForEach() {
        keepers.saveAll(List.of(new Keeper("x"), new Keeper("y")));
        assertThat(reported().transactions()).isEmpty();
        transaction(() -> keepers.saveAll(List.of(new Keeper("x"), new Keeper("y"))));
        assertThat(reported().transactions()).hasSize(1);
    }

    @Test
    void referencesToRowsOfOtherShardsAreReported() throws IOException {
        long one = keeperOfTwo("x");
        long other = keeperOfTwo("y");
        EntityManager manager = app.getBean(EntityManager.class);
        transaction(() -> {
            Medicine medicine = new Medicine();
            manager.persist(medicine);
            Animal animal = keepers.findById(one).orElseThrow().animals.get(0);
            for (int i = 0; i < 3; i++) {
                Treatment treatment = new Treatment();
                treatment.animal = animal;
                treatment.medicine = i == 0 ? null : medicine;
                manager.persist(treatment);
            }
        });
        transaction(() -> keepers.findById(one).orElseThrow().friends.add(manager.getReference(Keeper.class, other)));
        transaction(() -> keepers.findById(one).orElseThrow().animals.get(0).name = "in the shard of its owner");

        assertThat(reported().references())
                .extracting(each -> each.attribute() + " " + each.count())
                .containsExactlyInAnyOrder(
                        Treatment.class.getName() + ".medicine 2", Keeper.class.getName() + ".friends 1");
        app.close();
        assertThat(Files.readString(report()))
                .contains("Treatment.medicine referred to a row of another shard 2 times. Put @ShardKey on it");
    }

    @Test
    void whatIsSavedByCascadeIsInTheShardOfItsOwner() {
        long one = keeperOfTwo("x");
        long other = keeperOfTwo("y");
        transaction(() -> {
            Keeper found = keepers.findById(one).orElseThrow();
            found.name = "renamed";
            found.animals.get(0).name = "renamed";
            found.animals.add(new Animal("c", kind));
        });
        assertThat(reported().transactions()).isEmpty();
        transaction(() -> {
            keepers.findById(one).orElseThrow().animals.get(0).name = "of one";
            keepers.findById(other).orElseThrow().animals.get(0).name = "of the other";
        });
        assertThat(reported().transactions()).singleElement().satisfies(each -> assertThat(each.rows())
                .hasSize(2));
    }

    @Test
    void aContextWithoutADataSourceStarts() throws IOException {
        try (ConfigurableApplicationContext none = new SpringApplicationBuilder(ShelterApp.class)
                .properties(Map.of(
                        "spring.main.web-application-type",
                        "none",
                        "spring.autoconfigure.exclude",
                        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                                + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                        "sharded-id.rehearsal",
                        true,
                        "sharded-id.rehearsal-report",
                        report().toString()))
                .run()) {
            assertThat(none.getBean(ShardRehearsal.class).report().statements()).isEmpty();
        }
        assertThat(Files.readString(report())).contains("nothing was rehearsed in application");
    }

    @Test
    void whereCatalogsCannotBeReadTheApplicationGoesOnAndTheReportSaysSo() throws IOException {
        app.close();
        app = start(ShelterApp.class, UnreadableCatalogs.class);
        keepers = app.getBean(KeeperRepository.class);
        transaction(() -> {
            assertThat(keepers.busy()).isEmpty();
            keepers.save(new Keeper("z"));
        });
        assertThat(keepers.countByName("z")).isEqualTo(1);
        assertThat(reported().statements())
                .filteredOn(RehearsalReport.Statement::unchecked)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.target()).isEqualTo(StatementTarget.ALL_SHARDS));
        app.close();
        assertThat(Files.readString(report())).contains("not checked: 2 statements");
    }
}
