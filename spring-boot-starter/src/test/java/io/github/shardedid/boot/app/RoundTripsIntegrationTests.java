package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.plain.PlainApp;
import io.github.shardedid.boot.plain.PlainUserRepository;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Promise 7, counted on the wire: routing costs no round trip. */
@Tag("quick")
class RoundTripsIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final UserRepository users = app.bean(UserRepository.class);
    private int renamed;

    /** Outside of transactions, Spring Data opens a read-only transaction of its own. */
    @Test
    void aFindByIdTakesOneTurnWherePlainSpringDataJpaTakesTwo() {
        User user = app.userIn(5);
        long inTransaction = turns(
                app, () -> app.inTransaction(() -> users.findById(user.id()).orElseThrow()));
        long outside = turns(app, () -> assertThat(users.findById(user.id())).isPresent());

        assertThat(List.of(inTransaction, outside)).containsExactly(1L, 1L);
        assertThat(plain()).containsExactly(2L, 2L);
    }

    @Test
    void withoutDeferredBeginATransactionalFindByIdTakesAsManyTurnsAsPlainSpringDataJpa() {
        User user = app.userIn(5);
        try (ConfigurableApplicationContext second = app.start("sharded-id.deferred-begin=false")) {
            UserRepository eager = second.getBean(UserRepository.class);
            TransactionTemplate transactions =
                    new TransactionTemplate(second.getBean(PlatformTransactionManager.class));
            assertThat(turns(
                            app,
                            () -> transactions.execute(
                                    status -> eager.findById(user.id()).orElseThrow())))
                    .isEqualTo(2);
        }
    }

    @Test
    void findingAndUpdatingTakesTwoTurnsWherePlainSpringDataJpaTakesThree() {
        User user = app.userIn(5);
        assertThat(turns(app, () -> rename(user))).isEqualTo(2);
        assertThat(app.sent()).doesNotContain("BEGIN", "COMMIT");
        assertThat(app.query(5, "SELECT name FROM $.app_user WHERE id = " + user.id()))
                .containsExactly("a new name each time, 11");
    }

    private void rename(User user) {
        String name = "a new name each time, " + ++renamed;
        app.inTransaction(() -> users.findById(user.id()).orElseThrow().setName(name));
    }

    @Test
    void readingTwoDatabasesInATransactionIsOneTurnEach() {
        User here = app.userIn(2);
        User there = app.userIn(5);
        assertThat(turns(
                        app,
                        () -> app.inTransaction(() -> {
                            assertThat(users.findById(here.id())).isPresent();
                            assertThat(users.findById(there.id())).isPresent();
                        })))
                .isEqualTo(2);
    }

    @Test
    void aQueryInATransactionSeesWhatWasSavedInIt() {
        User author = app.userIn(6);
        app.inTransaction(() -> {
            assertThat(app.bean(PhotoRepository.class).findByAuthor(author)).isEmpty();
            app.photoOf(author, "just saved");
            assertThat(app.bean(PhotoRepository.class).findByAuthor(author))
                    .extracting(Photo::getCaption)
                    .containsExactly("just saved");
        });
        assertThat(app.query(6, "SELECT caption FROM $.photo WHERE author_id = " + author.id()))
                .containsExactly("just saved");
    }

    @Test
    void aReadInAutocommitTakesOneTurn() {
        User user = app.userIn(5);
        EntityManagerFactory factory = app.bean(EntityManagerFactory.class);

        assertThat(turns(app, () -> {
                    try (EntityManager entities = factory.createEntityManager()) {
                        assertThat(entities.find(User.class, user.id())).isNotNull();
                    }
                }))
                .isEqualTo(1);
        assertThat(turns(app, () -> assertThat(users.nameOf(user.id())).isEqualTo("user of 5")))
                .isEqualTo(1);
    }

    @Test
    void derivedQueriesAndSavesTakeNoTurnForRouting() {
        User author = app.userIn(2);
        PhotoRepository photos = app.bean(PhotoRepository.class);

        assertThat(turns(app, () -> photos.countByAuthorId(author.id()))).isEqualTo(1);
        // the id with BEGIN, insert, commit; with an id at hand only the insert
        assertThat(turns(app, () -> app.photoOf(author, "counted"))).isLessThanOrEqualTo(3);
    }

    /** After some calls that open connections and prepare statements on the server. */
    private static long turns(RunningApp app, Runnable call) {
        for (int i = 0; i < 10; i++) {
            call.run();
        }
        app.resetTaps();
        call.run();
        return app.turns();
    }

    /** The same call with plain Spring Data JPA on one database, in a transaction and outside. */
    private static List<Long> plain() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        database.execute("CREATE TABLE plain_user (id bigint PRIMARY KEY, name text)");
        database.execute("INSERT INTO plain_user VALUES (1, 'one')");
        try (WireTap tap = new WireTap(database.server().port());
                ConfigurableApplicationContext context =
                        TestPools.trusting(() -> new SpringApplicationBuilder(PlainApp.class)
                                .properties(
                                        "spring.main.web-application-type=none",
                                        "spring.main.banner-mode=off",
                                        "spring.flyway.enabled=false",
                                        "spring.datasource.hikari.maximum-pool-size=1",
                                        "spring.datasource.url=" + tap.url(database.name()),
                                        "spring.datasource.username="
                                                + database.server().username(),
                                        "spring.datasource.password="
                                                + database.server().password())
                                .run())) {
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            var plainUsers = context.getBean(PlainUserRepository.class);
            Runnable find = () -> assertThat(plainUsers.findById(1L)).isPresent();
            return List.of(turns(tap, () -> transactions.executeWithoutResult(status -> find.run())), turns(tap, find));
        }
    }

    private static long turns(WireTap tap, Runnable call) {
        for (int i = 0; i < 10; i++) {
            call.run();
        }
        tap.reset();
        call.run();
        return tap.turns();
    }
}
