package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An advisory lock of a database, held by a session so that it spans transactions, and released by the server if the
 * session ends. Prevents instances that start at the same time from doing the same work twice.
 *
 * <p>Any role that can connect may take advisory locks. So a table, which belongs to the owner, records which session
 * has which lock, and that session is known by four things: its process, the time at which it began, the number of its lock, and a role
 * that is a member of the owner. So a later session with the same process does not count, whatever it has locked.
 *
 * <p>A lock is taken as follows:
 * <ol>
 *   <li>Take an advisory lock with a random number, which another role cannot know and block beforehand.
 *   <li>Lock the table until the end of a transaction: of sessions that want any of these locks, one goes on at a time.
 *   <li>Give up if the recorded session still exists and still holds its advisory lock.
 *   <li>Refuse a role that is not a member of the owner, since others would not respect its lock.
 *   <li>Record the session and the number in the row of the purpose, in place of a session that has ended.
 * </ol>
 *
 * <p>Rows of the table stay when a lock is released: without its advisory lock, a row means nothing.
 */
public record SessionLock(Connection connection, int lockClass, int number) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLock.class);

    /** First keys of advisory locks, which keep these apart from locks of the application with two keys. */
    private static final int LOCK_CLASS = 1_768_842_084;

    private static final int SHARD_CLASS = 1_768_842_085;

    /** Held on the first database by name while a cluster is first provisioned. */
    public static final Purpose CLUSTER = new Purpose(LOCK_CLASS, 1);

    /** Held on each database while the schemas of its shards are created and migrated. */
    public static final Purpose DATABASE = new Purpose(LOCK_CLASS, 2);

    private static final RetryPolicy WITHOUT_END = RetryPolicy.every(Duration.ofMillis(100), Duration.ofDays(36_500));

    /** Another session has created the table at the same time. */
    private static final Set<String> CREATED_CONCURRENTLY = Set.of("23505", "42P06", "42P07", "XX000");

    /** Another role sees no time of a session that is not its own: then, and for {@code -infinity}, the number decides alone. */
    private static final String HOLDER = Sql.load(SessionLock.class, "lock_holder.sql");

    private static final String HOLDER_NAME =
            Sql.load(SessionLock.class, "lock_holder_name.sql") + HOLDER.formatted("?", "?");

    private static final String TAKE = "SELECT cast(pg_catalog.pg_try_advisory_lock(?, ?) AS int)";

    private static final String TABLE = Sql.load(SessionLock.class, "session_lock.sql");
    private static final String REMEMBER = Sql.load(SessionLock.class, "remember_lock.sql");

    private static final String MEMBER = Sql.load(SessionLock.class, "lock_member.sql");

    /**
     * What a lock is for.
     *
     * @param lockClass the first key of its advisory lock
     * @param number stored beside the class
     */
    public record Purpose(int lockClass, int number) {}

    /** Held on both databases of a move while a process works on it. */
    public static Purpose ofShard(int shard) {
        return new Purpose(SHARD_CLASS, shard);
    }

    /** Held on the database that has the journal of a plan while a process runs the plan. */
    public static Purpose ofPlan(int plan) {
        return new Purpose(1_768_842_086, plan);
    }

    /** Returns the session that has a lock, in words; null if there is none. Takes no lock. */
    public static @Nullable String holder(Connection connection, Purpose purpose) throws SQLException {
        return isPrepared(connection) ? Sql.text(connection, HOLDER_NAME, purpose.lockClass, purpose.number) : null;
    }

    /** Tests in a function of schema {@code sharded_id} whether a session other than the current one works on a shard. */
    public static String isHeldOnShard(String shard) {
        return "EXISTS (SELECT" + HOLDER.formatted(SHARD_CLASS, shard) + ")";
    }

    /** Prevents other sessions from taking any of these locks until the end of the transaction. {@link #prepare} has been called. */
    public static void forTransaction(Connection connection) throws SQLException {
        Sql.execute(connection, "LOCK TABLE sharded_id.session_lock IN SHARE ROW EXCLUSIVE MODE");
    }

    /** Creates the table, which the very first lock of a database needs. */
    public static void prepare(Connection connection) throws SQLException {
        while (!isPrepared(connection)) {
            try {
                Transaction.run(connection, () -> Sql.execute(connection, TABLE));
            } catch (SQLException e) {
                if (!CREATED_CONCURRENTLY.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    private static boolean isPrepared(Connection connection) throws SQLException {
        return Sql.is(connection, "SELECT pg_catalog.to_regclass('sharded_id.session_lock') IS NOT NULL");
    }

    /** Takes a lock on a database. Waits for a session that holds it. */
    public static SessionLock take(String database, Connection connection, Purpose purpose) throws SQLException {
        prepare(connection);
        Set<String> logged = new HashSet<>();
        try {
            return Objects.requireNonNull(WITHOUT_END.run(() -> {
                SessionLock lock = tryTake(connection, purpose);
                String holder = lock == null ? holder(connection, purpose) : null;
                if (holder != null && logged.add(holder)) {
                    LOG.info("Database {}: waiting for {}, which is provisioning", database, holder);
                }
                return lock;
            }));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while another instance was at work", "57014", e);
        }
    }

    /**
     * Takes a lock; returns null if another session holds it. A database without the table is not provisioned, at least not by this
     * version: the caller looks for that next, and goes no further.
     */
    public static @Nullable SessionLock tryTake(Connection connection, Purpose purpose) throws SQLException {
        SessionLock lock = advisory(connection, purpose.lockClass);
        boolean held = false;
        try {
            held = !isPrepared(connection)
                    || Transaction.read(connection, () -> {
                        forTransaction(connection);
                        return holder(connection, purpose) == null && record(connection, purpose, lock.number);
                    });
        } finally {
            if (!held) {
                lock.close();
            }
        }
        return held ? lock : null;
    }

    /** Others would not respect the lock of a role that may write the table and is not a member of its owner. */
    private static boolean record(Connection connection, Purpose purpose, int number) throws SQLException {
        if (!Sql.is(connection, MEMBER)) {
            throw new SQLException(
                    "Role " + Sql.text(connection, "SELECT session_user")
                            + " is not a member of the role that owns schema sharded_id",
                    "42501");
        }
        Sql.update(connection, REMEMBER, purpose.lockClass, purpose.number, number);
        return true;
    }

    private static SessionLock advisory(Connection connection, int lockClass) throws SQLException {
        while (true) {
            int number = ThreadLocalRandom.current().nextInt();
            if (Sql.number(connection, TAKE, lockClass, number) == 1) {
                return new SessionLock(connection, lockClass, number);
            }
        }
    }

    /** Releases the lock, but leaves the connection open. Does nothing if the connection is closed: the lock ended with its session. */
    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            Sql.number(connection, "SELECT cast(pg_catalog.pg_advisory_unlock(?, ?) AS int)", lockClass, number);
        }
    }
}
