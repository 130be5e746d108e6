package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.TestCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.LockMode;
import org.hibernate.SessionFactory;
import org.hibernate.exception.LockAcquisitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shard 0 moves to the other database and back; nobody tells this application but the databases' errors. */
@Tag("quick")
class MovedShardIntegrationTests {
    private static final String[] MIGRATIONS = {"classpath:db/hibernate", "classpath:db/jvm"};

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private final SessionFactory sessions = HibernateCluster.configuration(databases)
            .addAnnotatedClass(Postcard.class)
            .buildSessionFactory();
    private final Set<Long> ids = new HashSet<>();
    private Author author = new Author("nobody");

    @BeforeEach
    void saveAnAuthor() {
        author = ShardContext.call(
                0,
                () -> sessions.fromTransaction(session -> {
                    Author saved = new Author("of shard 0");
                    session.persist(saved);
                    return saved;
                }));
    }

    @AfterEach
    void close() {
        sessions.close();
        assertThat(databases.activeConnections()).isZero();
        databases.close();
    }

    /** One row of each strategy, in transactions of their own and in one. */
    private void save() {
        for (int i = 0; i < 3; i++) {
            Picture picture = sessions.fromTransaction(session -> {
                Picture saved = new Picture(session.getReference(Author.class, author.id), "caption");
                saved.tags.add("tag");
                session.persist(saved);
                return saved;
            });
            Remark remark = sessions.fromTransaction(session -> {
                Remark saved = new Remark(picture.id, "words");
                session.persist(saved);
                return saved;
            });
            Postcard card = sessions.fromTransaction(session -> {
                Postcard saved = new Postcard(4);
                session.persist(saved);
                session.persist(new Remark(picture.id, "more words"));
                return saved;
            });
            for (Long id : List.of(picture.id, remark.id, card.id)) {
                assertThat(databases.cluster().shardOf(id)).isZero();
                assertThat(ids.add(id)).as("new").isTrue();
            }
        }
    }

    @Test
    void entitiesOfAllStrategiesAreSavedAndReadAcrossMoves() {
        save();
        for (int i = 0; i < 2; i++) {
            HandMadeMove.of(databases, 0).prepare(MIGRATIONS).finish();
            save();
            sessions.inTransaction(session -> {
                Author found = session.find(Author.class, author.id);
                assertThat(found.pictures()).isNotEmpty();
                found.name = "changed";
            });
        }
        List<Long> saved = new ArrayList<>();
        sessions.inSession(session -> ids.forEach(id -> {
            if (session.find(Picture.class, id) != null
                    || session.find(Remark.class, id) != null
                    || session.find(Postcard.class, id) != null) {
                saved.add(id);
            }
        }));
        assertThat(saved).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(databases.idsIn(0, "remark")).hasSize(18);
        assertThat(databases.cluster().map().get().generationOf(0)).isEqualTo(3);
    }

    @Test
    void aLaterStatementOfATransactionIsATransientError() {
        Author other = ShardContext.call(
                1,
                () -> sessions.fromTransaction(session -> {
                    Author saved = new Author("of shard 1");
                    session.persist(saved);
                    return saved;
                }));
        HandMadeMove move = HandMadeMove.of(databases, 0).prepare(MIGRATIONS);
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    session.find(Author.class, other.id, LockMode.PESSIMISTIC_WRITE);
                    move.finish();
                    session.find(Author.class, author.id, LockMode.PESSIMISTIC_WRITE);
                }))
                .isInstanceOf(LockAcquisitionException.class)
                .hasCauseInstanceOf(ShardMovedException.class);
        sessions.inTransaction(session -> {
            session.find(Author.class, other.id, LockMode.PESSIMISTIC_WRITE);
            assertThat(session.find(Author.class, author.id, LockMode.PESSIMISTIC_WRITE))
                    .isNotNull();
        });
    }
}
