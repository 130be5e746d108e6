package io.github.shardedid.attack;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardKeys;
import jakarta.persistence.PersistenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Open transactions that have claimed names which many want. The claims of one half are in the shards of their rows, so that others wait for them in
 * the database; those of the other half are committed, so that others wait for them by themselves. For one thread.
 */
final class HeldNames implements AutoCloseable {
    static final int ENOUGH = 4;
    private static final int ATTEMPTS = 1000;

    private final SessionFactory sessions;
    private final Random random;
    private final List<Session> holders = new ArrayList<>();

    HeldNames(SessionFactory sessions, Random random) {
        this.sessions = sessions;
        this.random = random;
        for (int i = 0; i < ATTEMPTS && holders.size() < ENOUGH; i++) {
            claim("name" + i % LoginsSession.HOT);
        }
    }

    /** Others may have it, or take it first. */
    private void claim(String name) {
        Session session = sessions.openSession();
        try {
            ShardContext.run(random.nextInt(LoadOptions.SHARDS), () -> LoginsSession.giveAway(sessions, name));
            ShardContext.run(
                    (ShardKeys.shardOf(name, LoadOptions.SHARDS) + holders.size() % 2) % LoadOptions.SHARDS, () -> {
                        session.beginTransaction();
                        session.persist(new Login(name));
                        session.flush();
                    });
            holders.add(session);
        } catch (PersistenceException e) {
            end(session, false);
        }
    }

    int size() {
        return holders.size();
    }

    private static void end(Session session, boolean commit) {
        try (session) {
            if (commit) {
                session.getTransaction().commit();
            } else if (session.getTransaction().isActive()) {
                session.getTransaction().rollback();
            }
        } catch (PersistenceException e) {
            // its server has crashed
        }
    }

    @Override
    public void close() {
        holders.forEach(session -> end(session, random.nextBoolean()));
    }
}
