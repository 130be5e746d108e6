package io.github.shardedid.hibernate.ending;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.ShardSchema;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.Interceptor;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may refuse a transaction after its flush, and connections that break: nothing is committed that the application is not told of. */
@Tag("quick")
class RefusedAfterFlushIntegrationTests {
    private static final int SHARD = 0;

    private static final String INSERT =
            "INSERT INTO " + RoutingDataSource.SCHEMA_PLACEHOLDER + ".slip (id, title, version) VALUES (?, ?, 0)";

    private static int saved;

    private static TestCluster cluster;
    private static SlipTables tables;
    private static WireTap tap;
    private static HikariDataSource pool;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        cluster = new TestCluster(IdLayout.DEFAULT, 2, 2);
        tables = new SlipTables(cluster.home(SHARD), ShardSchema.nameOf(SHARD)).create();
        tables.execute("CREATE SEQUENCE $.slip_id_seq MINVALUE 0");
        TestDatabase first = cluster.home(SHARD);
        tap = new WireTap(first.server().port());
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(tap.url(first.name()));
        config.setUsername(first.server().username());
        config.setPassword(first.server().password());
        pool = TestPools.behind(tap, config);
        Map<String, DataSource> pools =
                Map.of("pg1", pool, "pg2", cluster.sources().get("pg2"));
        sessions = newSessions(new RoutingDataSource(cluster.cluster(), pools));
        lease();
    }

    /** Until the JVM makes the ids: one of the database is a round trip. */
    private static void lease() {
        await().until(() -> {
            ShardedSlip slip = slip("leased " + ++saved);
            ShardContext.run(SHARD, () -> sessions.inTransaction(session -> session.persist(slip)));
            return IdLayout.DEFAULT.decode(requireNonNull(slip.id)).node().isPresent();
        });
    }

    private static SessionFactory newSessions(DataSource source) {
        Configuration configuration = new Configuration().addAnnotatedClasses(ShardedSlip.class, WatchedSlip.class);
        configuration.getProperties().put("hibernate.connection.datasource", source);
        return configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        pool.close();
        tap.close();
        cluster.close();
    }

    @BeforeEach
    void empty() {
        tables.execute("SET session_replication_role = replica; DELETE FROM $.slip");
        ShardContext.run(SHARD, () -> sessions.inTransaction(session -> session.persist(slip("begin"))));
        tap.reset();
    }

    private static ShardedSlip slip(String title) {
        ShardedSlip slip = new ShardedSlip();
        slip.title = title;
        slip.word = title;
        return slip;
    }

    private static void refused(Session session, Consumer<Session> work) {
        ShardContext.run(SHARD, () -> {
            Transaction transaction = session.beginTransaction();
            session.persist(slip("lone"));
            work.accept(session);
            assertThatThrownBy(transaction::commit).isInstanceOf(RuntimeException.class);
            if (transaction.isActive()) {
                transaction.rollback();
            }
        });
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    private static void refused(Consumer<Session> work) {
        try (Session session = sessions.openSession()) {
            refused(session, work);
        }
    }

    @Test
    void aSaveIsOneTurnWithoutBeginAndCommit() {
        ShardContext.run(SHARD, () -> sessions.inTransaction(session -> session.persist(slip("lone"))));

        assertThat(tap.turns()).isEqualTo(1);
        assertThat(tap.frontendMessages()).doesNotContain("BEGIN", "COMMIT");
        assertThat(tables.contents()).containsExactly("begin begin 0", "lone lone 0");
    }

    @Test
    void aBatchOfAllRowsIsOneTurnWithoutBeginAndCommit() {
        saveInBatches(20); // the driver asks for the types of a new batch
        tap.reset();
        saveInBatches(20);

        assertThat(tap.turns()).isEqualTo(1);
        assertThat(tap.frontendMessages()).doesNotContain("BEGIN", "COMMIT");
        assertThat(tables.contents()).hasSize(41);
    }

    @Test
    void moreRowsThanAreWorthItAreWrittenAndCommittedApart() {
        saveInBatches(21);

        assertThat(tap.frontendMessages()).contains("BEGIN", "COMMIT");
        assertThat(tables.contents()).hasSize(22);
    }

    private static void saveInBatches(int rows) {
        ShardContext.run(
                SHARD,
                () -> sessions.inTransaction(session -> {
                    session.setJdbcBatchSize(50);
                    for (int i = 0; i < rows; i++) {
                        session.persist(slip("row " + ++saved));
                    }
                }));
    }

    /** In this mode the driver sends each row of a batch as a transaction of its own. */
    @Test
    void aBatchInTheSimpleModeOfTheDriverIsOneTransaction() throws SQLException {
        try (HikariDataSource simple = new HikariDataSource()) {
            simple.setJdbcUrl(tap.url(cluster.home(SHARD).name()) + "&preferQueryMode=simple");
            simple.setUsername(cluster.home(SHARD).server().username());
            simple.setPassword(cluster.home(SHARD).server().password());
            Map<String, DataSource> pools =
                    Map.of("pg1", simple, "pg2", cluster.sources().get("pg2"));
            try (ShardContext.Scope scope = ShardContext.open(SHARD);
                    Connection connection = new RoutingDataSource(cluster.cluster(), pools).getConnection()) {
                connection.setAutoCommit(false);
                connection.unwrap(RoutingControl.class).announceLastWrite(2, INSERT);
                try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                    for (String title : List.of("sent first", "refused")) {
                        insert.setLong(1, title.length());
                        insert.setString(2, title);
                        insert.addBatch();
                    }
                    assertThatThrownBy(insert::executeBatch).isInstanceOf(SQLException.class);
                }
                connection.rollback();
            }
        }
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    /** As Hibernate sends them if two have different texts: the first must not be committed alone. */
    @Test
    void rowsThatAreSentBySeveralStatementsAreOneTransaction() throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(SHARD);
                Connection connection = cluster.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.unwrap(RoutingControl.class).announceLastWrite(2, INSERT);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setLong(1, 1);
                insert.setString(2, "first");
                insert.addBatch();
                assertThat(insert.executeBatch()).containsExactly(1);
            }
            connection.rollback();
        }
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    @Test
    void rowsThatWereTakenOutOfABatchDoNotCount() throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(SHARD);
                Connection connection = cluster.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.unwrap(RoutingControl.class).announceLastWrite(2, INSERT);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                for (String title : List.of("first", "second")) {
                    insert.clearBatch();
                    insert.setLong(1, 1);
                    insert.setString(2, title);
                    insert.addBatch();
                }
                assertThat(insert.executeBatch()).containsExactly(1);
            }
            connection.rollback();
        }
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    @Test
    void aSynchronization() {
        refused(session -> session.getTransaction().registerSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                throw new IllegalStateException("refused");
            }

            @Override
            public void afterCompletion(int status) {
                assertThat(status).isNotEqualTo(Status.STATUS_COMMITTED);
            }
        }));
    }

    @Test
    void aCallbackBeforeCompletion() {
        refused(session -> ((EventSource) session)
                .getActionQueue()
                .registerCallback(
                        (org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback) owner -> {
                            throw new IllegalStateException("refused");
                        }));
    }

    @Test
    void anInterceptor() {
        Interceptor interceptor = new Interceptor() {
            @Override
            public void postFlush(java.util.Iterator<Object> entities) {
                throw new IllegalStateException("refused");
            }
        };
        try (Session session = sessions.withOptions().interceptor(interceptor).openSession()) {
            refused(session, ignored -> {});
        }
    }

    @Test
    void aSecondRow() {
        refused(session -> session.persist(slip("refused")));
    }

    @Test
    void aSessionThatSharesTheTransaction() {
        refused(session ->
                session.sessionWithOptions().connection().openSession().persist(slip("refused")));
    }

    @Test
    void aCallbackOfTheEntity() {
        ShardContext.run(SHARD, () -> assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    WatchedSlip slip = new WatchedSlip();
                    slip.title = "watched";
                    session.persist(slip);
                }))
                .hasStackTraceContaining("refused by a callback"));
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    @Test
    void aListener() {
        try (SessionFactory listened = newSessions(cluster.dataSource())) {
            ((SessionFactoryImplementor) listened)
                    .getEventListenerRegistry()
                    .appendListeners(EventType.POST_INSERT, new PostInsertEventListener() {
                        @Override
                        public void onPostInsert(PostInsertEvent event) {
                            throw new IllegalStateException("refused");
                        }

                        @Override
                        public boolean requiresPostCommitHandling(EntityPersister persister) {
                            return false;
                        }
                    });
            try (Session session = listened.openSession()) {
                refused(session, ignored -> {});
            }
        }
    }

    /** As a URL with {@code defaultRowFetchSize} has it for all statements: they belong to a transaction. */
    @Test
    void aRefusalOfTheDatabaseIsTheSameWithAFetchSize() throws SQLException {
        refusedByTrigger(statement -> statement.setFetchSize(50));
    }

    @Test
    void aRefusalOfTheDatabaseIsTheSameForAValueThatCanBeReadOnce() throws SQLException {
        refusedByTrigger(statement -> statement.setCharacterStream(2, new StringReader("refused")));
    }

    /** As many applications set it for a pool of their own, which is not in use any more. */
    @Test
    void aPoolThatIsSaidToSwitchAutocommitOff() {
        Configuration configuration = new Configuration().addAnnotatedClass(ShardedSlip.class);
        configuration.getProperties().put("hibernate.connection.datasource", cluster.dataSource());
        configuration.setProperty("hibernate.connection.provider_disables_autocommit", true);
        try (SessionFactory told = configuration.buildSessionFactory();
                Session session = told.openSession()) {
            ShardContext.run(SHARD, () -> {
                session.beginTransaction();
                session.persist(slip("taken back"));
                session.flush();
                session.getTransaction().rollback();
            });
        }
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    private interface Setting {
        void on(PreparedStatement statement) throws SQLException;
    }

    private static void refusedByTrigger(Setting setting) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(SHARD);
                Connection connection = cluster.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.unwrap(RoutingControl.class).announceLastWrite(1, INSERT);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setLong(1, 1);
                insert.setString(2, "refused");
                setting.on(insert);
                assertThatThrownBy(insert::executeUpdate)
                        .isInstanceOf(SQLException.class)
                        .extracting("SQLState")
                        .isEqualTo("P0001");
            }
            connection.rollback();
        }
    }

    /** Whether the row is there, the application cannot know; so it is told at the commit, as without this. */
    @Test
    void anAnswerThatIsLost() {
        lost(() -> tap.loseAnswers(true), () -> tap.loseAnswers(false));
        assertThat(tables.contents()).containsExactly("begin begin 0", "lone lone 0");
    }

    @Test
    void aRequestThatIsLost() {
        lost(tap::cut, tap::restore);
        assertThat(tables.contents()).containsExactly("begin begin 0");
    }

    private static void lost(Runnable breaks, Runnable mends) {
        ShardContext.run(SHARD, () -> {
            try (Session session = sessions.openSession()) {
                Transaction transaction = session.beginTransaction();
                session.persist(slip("lone"));
                session.find(ShardedSlip.class, sessions.fromTransaction(RefusedAfterFlushIntegrationTests::anyId));
                breaks.run();
                assertThatThrownBy(transaction::commit)
                        .hasMessageContaining("Unable to commit")
                        .cause()
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining("may have taken effect or not")
                        .extracting("SQLState")
                        .isEqualTo(ConnectionLostException.OUTCOME_UNKNOWN);
            } finally {
                mends.run();
                TestPools.awaitConnection(pool);
            }
        });
    }

    private static Long anyId(Session session) {
        List<Long> ids =
                session.createQuery("select id from ShardedSlip", Long.class).getResultList();
        return ids.get(0);
    }
}
