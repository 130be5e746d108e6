package io.github.shardedid.hibernate;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;

/** A program that finds a row by its id and saves one, warm, between marks that a debugger sees. */
final class CorridorCalls {
    private static final int SHARD = 6;
    private static final int WARM = 20;

    private CorridorCalls() {}

    /** Is loaded when everything is warm, which is when {@link CorridorIntegrationTests} begins to count. */
    static final class Marks {
        private Marks() {}

        static void find() {}

        static void save() {}

        static void end() {}
    }

    public static void main(String[] args) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // as for tests, whatever else the machine does
        try (TestCluster databases =
                        new TestCluster(IdLayout.DEFAULT, HibernateCluster.SHARDS, 2, "classpath:db/hibernate");
                SessionFactory sessions = HibernateCluster.configuration(databases)
                        .setProperty("hibernate.default_batch_fetch_size", "1")
                        .buildSessionFactory()) {
            for (int i = 0; i < WARM; i++) {
                find(sessions, save(sessions));
            }
            Author saved = save(sessions);
            Marks.find();
            find(sessions, saved);
            Marks.save();
            save(sessions);
            Marks.end();
        }
        System.exit(0);
    }

    private static void find(SessionFactory sessions, Author saved) {
        sessions.inTransaction(session -> session.find(Author.class, saved.id));
    }

    private static Author save(SessionFactory sessions) {
        return ShardContext.call(
                SHARD,
                () -> sessions.fromTransaction(session -> {
                    Author author = new Author("saved");
                    session.persist(author);
                    return author;
                }));
    }
}
