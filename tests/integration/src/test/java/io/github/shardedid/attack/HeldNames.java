package io.github.shardedid.attack;

import io.github.shardedid.routing.ShardContext;
import jakarta.persistence.PersistenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/** Open transactions that have claimed names which many want. For one thread. */
final class HeldNames implements AutoCloseable {
    private static final int ENOUGH = 3;
    private static final int ATTEMPTS = 200;

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
            ShardContext.run(random.nextInt(LoadOptions.SHARDS), () -> {
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
