package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.ShardSchema;
import jakarta.persistence.LockModeType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Hibernate does in transactions whose BEGIN is deferred: shards 0 to 3 are on pg1, 4 to 7 on pg2. */
class DeferredBeginIntegrationTests {
    private static TestCluster databases;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(
                IdLayout.DEFAULT, HibernateCluster.SHARDS, 2, "classpath:db/hibernate", "classpath:db/lob");
        Configuration configuration = HibernateCluster.configuration(databases);
        configuration.addAnnotatedClass(Scan.class);
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static Author authorIn(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Author author = new Author("author of shard " + shard);
                    session.persist(author);
                    return author;
                }));
    }

    @Test
    void whatIsReadByIdHoldsNoConnectionAndIsManaged() {
        Author here = authorIn(1);
        Author there = authorIn(6);
        sessions.inTransaction(session -> {
            assertThat(session.find(Author.class, there.id).name).isEqualTo("author of shard 6");
            Author changed = session.find(Author.class, here.id);
            assertThat(databases.activeConnections()).isZero();
            changed.name = "changed";
            session.flush();
            assertThat(databases.activeConnections()).isEqualTo(1);
            session.refresh(changed);
            assertThat(changed.name).isEqualTo("changed");
            session.refresh(session.find(Author.class, there.id));
            assertThat(databases.activeConnections()).isEqualTo(1);
        });
        assertThat(databases.activeConnections()).isZero();
        assertThat(name(1, here)).containsExactly("changed");
    }

    private static List<String> name(int shard, Author author) {
        return databases
                .home(shard)
                .query("SELECT name FROM " + ShardSchema.nameOf(shard) + ".author WHERE id = " + author.id);
    }

    @Test
    void aQuerySeesWhatTheTransactionHasWrittenAndARollbackUndoesIt() {
        Author author = authorIn(2);
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    session.find(Author.class, author.id).name = "for a while";
                    List<String> names = ShardContext.call(
                            2, () -> session.createQuery("select name from Author where id = :id", String.class)
                                    .setParameter("id", author.id)
                                    .list());
                    assertThat(names).containsExactly("for a while");
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(databases.activeConnections()).isZero();
        assertThat(name(2, author)).containsExactly("author of shard 2");
    }

    @Test
    void aPessimisticLockIsHeldToTheEnd() throws SQLException {
        Author author = authorIn(3);
        try (Connection other = databases.home(3).connect();
                Statement statement = other.createStatement()) {
            String attempt = "SELECT 1 FROM shard_0003.author WHERE id = " + author.id + " FOR UPDATE NOWAIT";
            sessions.inTransaction(session -> {
                Author found = session.find(Author.class, author.id);
                session.lock(found, LockModeType.PESSIMISTIC_WRITE);
                assertThatThrownBy(() -> statement.executeQuery(attempt)).hasMessageContaining("could not obtain lock");
            });
            assertThat(statement.executeQuery(attempt).next()).isTrue();
        }
    }

    @Test
    void largeObjectsAreRead() {
        Scan scan = new Scan(5, new byte[] {1, 2, 3}, "what it says");
        sessions.inTransaction(session -> session.persist(scan));
        sessions.inTransaction(session -> {
            Scan found = session.find(Scan.class, scan.id);
            assertThat(found.image).containsExactly(1, 2, 3);
            assertThat(found.words).isEqualTo("what it says");
        });
        assertThat(databases.activeConnections()).isZero();
    }

    @Test
    void streamsAndScrollsThatFetchBitByBitAreInsideAndClosed() {
        authorIn(4);
        sessions.inTransaction(session -> ShardContext.run(4, () -> {
            var query = session.createQuery("from Author", Author.class).setFetchSize(1);
            try (Stream<Author> authors = query.getResultStream()) {
                assertThat(authors.findFirst()).isPresent();
            }
            assertThat(databases.activeConnections()).isEqualTo(1);
            try (ScrollableResults<Author> authors = query.scroll(ScrollMode.FORWARD_ONLY)) {
                assertThat(authors.next()).isTrue();
            }
        }));
        sessions.inTransaction(session -> ShardContext.run(4, () -> {
            try (Stream<Author> authors =
                    session.createQuery("from Author", Author.class).getResultStream()) {
                assertThat(authors.findFirst()).isPresent();
            }
            assertThat(databases.activeConnections()).isZero();
        }));
        assertThat(databases.activeConnections()).isZero();
    }
}
