package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/** Random transactions of one thread, which take, change and release names. It notes what was committed, and failures that no database explains. */
final class LoginsSession {
    static final int NAMES = Integer.getInteger("sharded-id.test.attack-values", 1000);
    /** Of these names, which half of the calls use, there are as many for any number of names. */
    static final int HOT = 8;

    private static final long TICK_MILLIS = 500;
    private static final int TICKS = 3;
    private static final int LONGEST_THOUGHT_NANOS = 60_000_000;
    private static final int CALLS = 10;
    private static final int STALE = 20;

    private final SessionFactory sessions;
    private final Deeds deeds;
    /** Rows as they were read some time ago. */
    private final Deque<Login> stale = new ArrayDeque<>();

    /** Ends a transaction that has done its work. */
    private static final class RolledBack extends HibernateException {
        private static final long serialVersionUID = 1;

        RolledBack() {
            super("rolled back");
        }
    }

    LoginsSession(SessionFactory sessions, Deeds deeds) {
        this.sessions = sessions;
        this.deeds = deeds;
    }

    void steps(Random random) {
        for (int i = 0; i < CALLS; i++) {
            try {
                int shard = random.nextInt(LoadOptions.SHARDS);
                long tick = System.currentTimeMillis() / TICK_MILLIS;
                if (tick % TICKS == 0) {
                    rush(tick, shard, random);
                } else {
                    ShardContext.run(shard, () -> step(random));
                }
                deeds.wrote("login", deeds.token(), shard);
            } catch (jakarta.persistence.PersistenceException e) {
                // By the rule or by a database; the oracle knows what must not be the result.
                deeds.refused(e);
            } catch (RuntimeException e) {
                deeds.failed(causes(e));
            }
        }
    }

    private static String causes(Throwable failure) {
        StringBuilder causes = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            causes.append(cause)
                    .append(" at ")
                    .append(List.of(cause.getStackTrace()).stream().limit(3).toList());
        }
        return causes.toString();
    }

    /** Half of all names are one of a few, for which the transactions meet. */
    static String name(Random random) {
        String name = "name" + (random.nextBoolean() ? random.nextInt(HOT) : random.nextInt(NAMES));
        return random.nextBoolean() ? name : name.toUpperCase(Locale.ROOT);
    }

    /** All threads of all processes give one name away, then want it for rows of their own, at the same moment. */
    private void rush(long tick, int shard, Random random) {
        String name = "name" + tick / TICKS % HOT;
        int given = random.nextInt(LoadOptions.SHARDS);
        ShardContext.run(given, () -> giveAway(sessions, name));
        LockSupport.parkUntil((tick + 1) * TICK_MILLIS);
        ShardContext.run(
                shard,
                () -> sessions.inTransaction(session -> {
                    persisted(session, name);
                    session.flush();
                    think(random);
                }));
    }

    static void giveAway(SessionFactory sessions, String name) {
        sessions.inTransaction(
                session -> session.createSelectionQuery("from Login where lower(name) = :name", Login.class)
                        .setParameter("name", name)
                        .list()
                        .forEach(login -> login.name = null));
    }

    /** Between a claim and the commit, while others meet it. */
    private static void think(Random random) {
        if (random.nextBoolean()) {
            LockSupport.parkNanos(random.nextInt(LONGEST_THOUGHT_NANOS));
        }
    }

    private void step(Random random) {
        if (random.nextInt(5) == 0) {
            sessions.inStatelessTransaction(session -> stateless(session, random));
            return;
        }
        sessions.inTransaction(session -> {
            if (random.nextInt(4) == 0) {
                session.doWork(
                        connection -> connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ));
            }
            List<Login> rows = some(session, random);
            for (int i = random.nextInt(3); i >= 0; i--) {
                change(session, rows, random);
            }
            endOrFail(random);
        });
    }

    private static void endOrFail(Random random) {
        think(random);
        if (random.nextInt(5) == 0) {
            throw new RolledBack();
        }
    }

    private static List<Login> some(Session session, Random random) {
        List<Login> rows = new ArrayList<>();
        session.createNativeQuery("select id from login order by random() limit 3", Long.class)
                .list()
                .forEach(id -> Stream.ofNullable(session.find(Login.class, id)).forEach(rows::add));
        if (rows.isEmpty()) {
            rows.add(persisted(session, name(random)));
        }
        return rows;
    }

    private static Login persisted(Session session, @Nullable String name) {
        Login login = new Login(name);
        session.persist(login);
        return login;
    }

    private void change(Session session, List<Login> rows, Random random) {
        Login one = rows.get(random.nextInt(rows.size()));
        switch (random.nextInt(9)) {
            case 0 -> rows.add(persisted(session, name(random)));
            case 1 -> Stream.generate(() -> name(random)).limit(3).forEach(name -> rows.add(persisted(session, name)));
            case 2 -> one.name = name(random);
            case 3 -> one.name = null;
            case 4 -> remove(session, rows, one, random);
            case 5 -> handOver(session, rows, one);
            case 6 -> exchange(session, one, rows.get(0));
            case 7 -> undo(session, rows, random);
            default -> merge(session, one, random);
        }
        if (random.nextBoolean()) {
            session.flush();
        }
    }

    private static void remove(Session session, List<Login> rows, Login one, Random random) {
        session.remove(one);
        rows.remove(one);
        rows.add(persisted(session, name(random)));
    }

    /** The name of one row becomes that of a new one, in one transaction. */
    private static void handOver(Session session, List<Login> rows, Login one) {
        String name = one.name;
        one.name = null;
        session.flush();
        rows.add(persisted(session, name));
        session.flush();
    }

    private static void exchange(Session session, Login one, Login other) {
        String name = one.name;
        String others = other.name;
        one.name = null;
        session.flush();
        if (one != other) {
            other.name = name;
            session.flush();
        }
        one.name = others;
        session.flush();
    }

    /** Changes that a rollback to a savepoint undoes, before the transaction goes on. */
    private void undo(Session session, List<Login> rows, Random random) {
        session.flush();
        session.doWork(connection -> {
            Savepoint before = connection.setSavepoint();
            handOver(session, new ArrayList<>(rows), rows.get(random.nextInt(rows.size())));
            persisted(session, name(random));
            session.flush();
            connection.rollback(before);
            session.clear();
        });
        rows.clear();
        rows.addAll(some(session, random));
    }

    /** A row as it was read by an earlier transaction, changed and merged. */
    private void merge(Session session, Login one, Random random) {
        Login copy = new Login(one.name);
        copy.id = one.id;
        copy.version = one.version;
        copy.changes = one.changes;
        stale.add(copy);
        if (stale.size() > STALE) {
            Login oldest = stale.remove();
            if (shardOf(oldest) == shardOf(one)) {
                oldest.changes++;
                if (random.nextBoolean()) {
                    oldest.name = name(random);
                }
                session.merge(oldest);
            }
        }
    }

    /** A transaction writes to one shard. */
    private static int shardOf(Login login) {
        return IdLayout.DEFAULT.shardOf(Objects.requireNonNull(login.id));
    }

    private void stateless(StatelessSession session, Random random) {
        Login login = new Login(name(random));
        switch (random.nextInt(4)) {
            case 0 -> session.insert(login);
            case 1 ->
                session.insertMultiple(
                        List.of(login, new Login(name(random)), new Login(null), new Login(name(random))));
            default -> {
                List<Login> found = session.createSelectionQuery("from Login order by changes", Login.class)
                        .setMaxResults(2)
                        .list();
                for (Login each : found) {
                    each.changes++;
                    each.name = name(random);
                    session.update(each);
                }
            }
        }
        endOrFail(random);
    }
}
