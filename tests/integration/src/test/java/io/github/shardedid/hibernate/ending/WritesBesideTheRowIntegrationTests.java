package io.github.shardedid.hibernate.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.ShardSchema;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.SessionEventListener;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A flush of one row or batch that writes something else, too: all of it is committed, or nothing. */
@Tag("quick")
class WritesBesideTheRowIntegrationTests {
    private static final int SHARD = 1;

    private static TestCluster cluster;

    @Entity(name = "plain")
    static class Plain extends Row {}

    @jakarta.persistence.MappedSuperclass
    abstract static class Row {
        @Id
        @ShardedId(strategy = IdStrategy.JVM)
        @Nullable
        Long id;

        String title = "";
    }

    @BeforeAll
    static void start() {
        cluster = new TestCluster(IdLayout.DEFAULT, 2, 2);
        execute("CREATE SEQUENCE $.plain_id_seq MINVALUE 0");
        execute("CREATE TABLE $.plain (id bigint PRIMARY KEY, title text UNIQUE)");
        execute("CREATE TABLE $.log (what text)");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void empty() {
        execute("TRUNCATE $.plain, $.log");
    }

    private static void execute(String sql) {
        cluster.home(SHARD).execute(sql.replace("$.", ShardSchema.nameOf(SHARD) + "."));
    }

    private static List<String> query(String sql) {
        return cluster.home(SHARD).query(sql.replace("$.", ShardSchema.nameOf(SHARD) + "."));
    }

    private static SessionFactory sessions(Class<?> entity) {
        Configuration configuration = new Configuration().addAnnotatedClass(entity);
        configuration.getProperties().put("hibernate.connection.datasource", cluster.dataSource());
        configuration.setProperty("hibernate.jdbc.batch_size", 20);
        return configuration.buildSessionFactory();
    }

    private static void inTransaction(SessionFactory sessions, Consumer<Session> work) {
        ShardContext.run(SHARD, () -> sessions.inTransaction(work));
    }

    private static void save(Session session, Row row, String title) {
        row.title = title;
        session.persist(row);
    }

    private interface Before {
        void insert(Connection connection, String schema) throws SQLException;
    }

    private static SessionFactory listened(Before work) {
        SessionFactory sessions = sessions(Plain.class);
        ((SessionFactoryImplementor) sessions)
                .getEventListenerRegistry()
                .appendListeners(EventType.PRE_INSERT, new PreInsertEventListener() {
                    @Override
                    public boolean onPreInsert(PreInsertEvent event) {
                        event.getSession()
                                .doWork(connection -> work.insert(connection, RoutingDataSource.SCHEMA_PLACEHOLDER));
                        return false;
                    }
                });
        return sessions;
    }

    @Test
    void aListenerThatWrites() {
        try (SessionFactory sessions = listened((connection, schema) -> {
            try (Statement insert = connection.createStatement()) {
                assertThat(insert.executeUpdate("INSERT INTO " + schema + ".log VALUES ('noted')"))
                        .isEqualTo(1);
            }
        })) {
            inTransaction(sessions, session -> save(session, new Plain(), "one"));
            assertThatThrownBy(() -> inTransaction(sessions, session -> save(session, new Plain(), "one")))
                    .isInstanceOf(ConstraintViolationException.class);
        }
        assertThat(query("SELECT title FROM $.plain")).containsExactly("one");
        assertThat(query("SELECT what FROM $.log")).containsExactly("noted");
    }

    /** The same with a prepared statement, which is what could be mistaken for the row's. */
    @Test
    void aListenerThatWritesByAPreparedStatement() {
        try (SessionFactory sessions = listened((connection, schema) -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + schema + ".log VALUES ('noted')")) {
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        })) {
            inTransaction(sessions, session -> save(session, new Plain(), "one"));
            assertThatThrownBy(() -> inTransaction(sessions, session -> save(session, new Plain(), "one")))
                    .isInstanceOf(ConstraintViolationException.class);
        }
        assertThat(query("SELECT title FROM $.plain")).containsExactly("one");
        assertThat(query("SELECT what FROM $.log")).containsExactly("noted");
    }

    @Test
    void aListenerThatLocksBetweenTheRowsOfABatch() {
        try (SessionFactory sessions = listened((connection, schema) -> {
            try (Statement lock = connection.createStatement()) {
                lock.executeQuery("SELECT * FROM " + schema + ".log FOR UPDATE");
            }
        })) {
            assertThatThrownBy(() -> inTransaction(sessions, session -> {
                        save(session, new Plain(), "one");
                        save(session, new Plain(), "two");
                        save(session, new Plain(), "one");
                    }))
                    .isInstanceOf(ConstraintViolationException.class);
        }
        assertThat(query("SELECT title FROM $.plain")).isEmpty();
    }

    /** Nothing tells that it is there before. The rows stay, which the application is told. */
    @Test
    void aSessionListenerThatFailsAfterTheFlush() {
        try (SessionFactory sessions = sessions(Plain.class);
                Session session = sessions.openSession()) {
            session.addEventListeners(new SessionEventListener() {
                @Override
                public void flushEnd(int entities, int collections) {
                    throw new IllegalStateException("refused");
                }
            });
            ShardContext.run(SHARD, () -> {
                session.beginTransaction();
                save(session, new Plain(), "stays");
                assertThatThrownBy(session.getTransaction()::commit)
                        .hasStackTraceContaining("refused")
                        .hasStackTraceContaining("cannot be rolled back. What was written stays.");
            });
        }
        assertThat(query("SELECT title FROM $.plain")).containsExactly("stays");
        assertThat(Objects.requireNonNull(cluster).activeConnections()).isZero();
    }
}
