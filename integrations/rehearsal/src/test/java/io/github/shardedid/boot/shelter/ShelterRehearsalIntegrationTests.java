package io.github.shardedid.boot.shelter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.rehearsal.RehearsalReport;
import io.github.shardedid.boot.rehearsal.ShardRehearsal;
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
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a rehearsal says of an application that knows no shards, and what becomes of its report. */
class ShelterRehearsalIntegrationTests {
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
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.username=" + database.server().username(),
                        "spring.datasource.password=" + database.server().password())
                .run();
    }

    private RehearsalReport reported() {
        return app.getBean(ShardRehearsal.class).report();
    }

    private List<RehearsalReport.Location> refused() {
        return reported().locations().stream().filter(each -> each.times() > 0).toList();
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
        keepers.findByName("y");
        keepers.busy();
        keepers.countByName("x");
        database.drop();
        assertThat(reported().refusals()).isEqualTo(3);
        Path file = Path.of("target", "shard-rehearsal.txt");
        Files.deleteIfExists(file);
        app.close();
        assertThat(Files.readString(file))
                .contains("Rehearsal of shards in shelter:")
                .contains("KeeperRepository.findByName(String) (2 times): ", "put @AllShards on the method")
                .contains("KeeperRepository.findTop10ByOrderByName() (0 times): ")
                .as("found by the catalogs of the database")
                .contains("is_busy")
                .contains(" 3 locations in the code to change; 3 calls");
    }

    @Test
    void onlyAJoinOfTheQueryCrosses() {
        long id = keeperOfTwo("x");
        assertThat(requireNonNull(keepers.findById(id).orElseThrow().animals.get(0).kind).name)
                .isEqualTo("cat");
        assertThat(reported().refusals()).as("the eager kind is joined").isZero();
        keepers.animalsOf("cat");
        assertThat(refused()).singleElement().satisfies(each -> assertThat(each.why())
                .contains("crosses", "animal", "kind"));
    }

    @Test
    void theOnlyReferenceIsAssumedToBeTheShardKey() {
        assertThat(reported().mappings())
                .anySatisfy(each -> assertThat(each)
                        .contains("Adoption is assumed", "in a shard of its own", "(animal, keeper)", "put @ShardKey"))
                .anySatisfy(each -> assertThat(each)
                        .contains("Animal is assumed", "lookup table")
                        .doesNotContain("@ShardKey"))
                .anySatisfy(each ->
                        assertThat(each).contains("Receipt is assumed", "in the shard of keeper: put @ShardKey"));
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
    void aRowWithoutItsShardKeyIsReported() {
        transaction(() -> app.getBean(EntityManager.class).persist(new Receipt()));
        assertThat(refused()).singleElement().satisfies(each -> {
            assertThat(each.where()).isEqualTo(Receipt.class.getName() + ".keeper");
            assertThat(each.why()).contains("null in a new row");
        });
    }

    @Test
    void aCallForRowsOfSeveralShardsIsOneTransactionForEach() {
        keepers.saveAll(List.of(new Keeper("x"), new Keeper("y")));
        assertThat(refused()).isEmpty();
        transaction(() -> keepers.saveAll(List.of(new Keeper("x"), new Keeper("y"))));
        assertThat(refused()).singleElement().satisfies(each -> assertThat(each.why())
                .contains("writes to several shards"));
    }

    @Test
    void referencesToRowsOfOtherShardsAreReported() {
        Keeper keeper = keepers.save(new Keeper("x"));
        transaction(() -> {
            Adoption adoption = new Adoption();
            adoption.keeper = keeper;
            app.getBean(EntityManager.class).persist(adoption);
        });
        assertThat(refused()).singleElement().satisfies(each -> {
            assertThat(each.where()).isEqualTo(Adoption.class.getName() + ".keeper");
            assertThat(each.why()).contains("a row of another shard", "@ForeignShard");
        });
    }

    @Test
    void theShardOfWhatIsSavedByCascadeIsNotKnown() {
        long one = keeperOfTwo("x");
        transaction(() -> {
            Keeper found = keepers.findById(one).orElseThrow();
            found.name = "renamed";
            found.animals.get(0).name = "renamed";
            found.animals.add(new Animal("c", kind));
        });
        assertThat(reported().refusals()).isZero();
    }

    @Test
    void aContextWithoutADataSourceStarts() {
        try (ConfigurableApplicationContext none = new SpringApplicationBuilder(ShelterApp.class)
                .properties(Map.of(
                        "spring.main.web-application-type",
                        "none",
                        "spring.autoconfigure.exclude",
                        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                                + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"))
                .run()) {
            assertThat(none.getBean(ShardRehearsal.class).report().locations()).isEmpty();
        }
    }

    @Test
    void whereCatalogsCannotBeReadTheApplicationGoesOn() {
        app.close();
        app = start(ShelterApp.class, UnreadableCatalogs.class);
        keepers = app.getBean(KeeperRepository.class);
        transaction(() -> {
            assertThat(keepers.busy()).isEmpty();
            keepers.save(new Keeper("z"));
        });
        assertThat(keepers.countByName("z")).isEqualTo(1);
        assertThat(reported().refusals()).isZero();
    }
}
