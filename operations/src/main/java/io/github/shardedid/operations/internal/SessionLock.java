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
 *   <li>Lock the table until the end of a transaction: of sessions that want any of these locks, one goes on at a time.
 *   <li>Give up if the recorded session still exists and still holds its advisory lock.
 *   <li>Take an advisory lock with a random number, which another role cannot know and block beforehand.
 *   <li>Refuse a role that is not a member of the owner, since others would not respect its lock.
 *   <li>Record the session and the number in the row of the purpose, in place of a session that has ended.
 * </ol>
 *
 * <p>Rows of the table stay when a lock is released: without its advisory lock, a row means nothing.
 */
public final class SessionLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLock.class);

    /** First keys of advisory locks, which keep these apart from locks of the application with two keys. */
    private static final int LOCK_CLASS = 1_768_842_084;

    private static final int SHARD_CLASS = 1_768_842_085;
    private static final int PLAN_CLASS = 1_768_842_086;
    private static final int CLUSTER = 1;
    private static final int DATABASE = 2;
    private static final Duration POLL = Duration.ofMillis(100);

    /** Another session has created the table at the same time. */
    private static final Set<String> CREATED_CONCURRENTLY = Set.of("23505", "42P06", "42P07", "XX000");

    /** Another role sees no time of a session that is not its own: then, and for {@code -infinity}, the number decides alone. */
    private static final String HOLDER =
            """
             FROM sharded_id.session_lock l
            JOIN pg_catalog.pg_locks p ON p.pid = l.holder AND p.objid = cast(l.number AS pg_catalog.oid)
              AND p.classid = cast(l.class AS pg_catalog.oid)
            JOIN pg_catalog.pg_stat_activity a ON a.pid = p.pid
            WHERE l.class = %s AND l.purpose = %s AND p.locktype = 'advisory' AND p.granted AND p.objsubid = 2
              AND p.pid <> pg_catalog.pg_backend_pid()
              AND p.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
              AND pg_catalog.pg_has_role(a.usesysid, (SELECT c.relowner FROM pg_catalog.pg_class c
                WHERE c.oid = cast('sharded_id.session_lock' AS pg_catalog.regclass)), 'MEMBER')
              AND l.started IN ('-infinity', coalesce(a.backend_start, l.started))
            """;

    private static final String HOLDER_NAME = "SELECT pg_catalog.concat('process ', a.pid, ' of role ', a.usename,"
            + " ' (' OPERATOR(pg_catalog.||) nullif(a.application_name, '') OPERATOR(pg_catalog.||) ')', ' from ',"
            + " coalesce(pg_catalog.host(a.client_addr), 'the server itself'))"
            + HOLDER.formatted("?", "?");

    private static final String PREPARED = "SELECT count(pg_catalog.to_regclass('sharded_id.session_lock'))";

    private static final String TAKE = "SELECT cast(pg_catalog.pg_try_advisory_lock(?, ?) AS int)";

    private static final String REMEMBER =
            "INSERT INTO sharded_id.session_lock (class, purpose, holder, number, started) VALUES"
                    + " (?, ?, pg_catalog.pg_backend_pid(), ?, coalesce((SELECT a.backend_start FROM pg_catalog.pg_stat_activity a"
                    + " WHERE a.pid = pg_catalog.pg_backend_pid()), '-infinity')) ON CONFLICT (class, purpose) DO UPDATE"
                    + " SET holder = excluded.holder, number = excluded.number, started = excluded.started";

    private static final String MEMBER =
            "SELECT pg_catalog.pg_has_role(session_user, c.relowner, 'MEMBER') FROM pg_catalog.pg_class c"
                    + " WHERE c.oid = cast('sharded_id.session_lock' AS pg_catalog.regclass)";

    private final Connection connection;
    private final int lockClass;
    private final int number;

    private SessionLock(Connection connection, int lockClass, int number) {
        this.connection = connection;
        this.lockClass = lockClass;
        this.number = number;
    }

    /** Held on the first database by name while a cluster is first provisioned. Waits for a session that holds it. */
    public static SessionLock onCluster(String database, Connection connection) throws SQLException {
        return take(database, connection, CLUSTER);
    }

    /** Held on each database while the schemas of its shards are created and migrated. Waits for a session that holds it. */
    public static SessionLock onDatabase(String database, Connection connection) throws SQLException {
        return take(database, connection, DATABASE);
    }

    /** Takes the lock of {@link #onDatabase}; returns null if another session holds it. */
    public static @Nullable SessionLock tryOnDatabase(Connection connection) throws SQLException {
        return tryTake(connection, LOCK_CLASS, DATABASE);
    }

    /** Held on both databases of a move while a process works on it; null if another session holds it. */
    public static @Nullable SessionLock tryOnShard(Connection connection, int shard) throws SQLException {
        return tryTake(connection, SHARD_CLASS, shard);
    }

    /** Held on the database that has the journal of a plan while a process runs the plan; null if another session holds it. */
    public static @Nullable SessionLock tryOnPlan(Connection connection, int plan) throws SQLException {
        return tryTake(connection, PLAN_CLASS, plan);
    }

    /** Returns the session that works on a move of a shard, in words; null if there is none. Takes no lock. */
    public static @Nullable String holderOnShard(Connection connection, int shard) throws SQLException {
        return holder(connection, SHARD_CLASS, shard);
    }

    /** Returns whether a process runs a plan. Takes no lock. */
    public static boolean isHeldOnPlan(Connection connection, int plan) throws SQLException {
        return isHeld(connection, PLAN_CLASS, plan);
    }

    /** Returns whether a process creates or migrates schemas. Takes no lock. */
    public static boolean isHeldOnDatabase(Connection connection) throws SQLException {
        return isHeld(connection, LOCK_CLASS, DATABASE);
    }

    private static boolean isHeld(Connection connection, int lockClass, int purpose) throws SQLException {
        return holder(connection, lockClass, purpose) != null;
    }

    /** Returns the session that creates or migrates schemas, in words; null if there is none. Takes no lock. */
    public static @Nullable String holderOnDatabase(Connection connection) throws SQLException {
        return holder(connection, LOCK_CLASS, DATABASE);
    }

    private static @Nullable String holder(Connection connection, int lockClass, int purpose) throws SQLException {
        return Sql.number(connection, PREPARED) == 1 ? Sql.text(connection, HOLDER_NAME, lockClass, purpose) : null;
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
        while (Sql.number(connection, PREPARED) == 0) {
            try {
                Transaction.run(
                        connection,
                        () -> Sql.execute(
                                connection,
                                "CREATE SCHEMA IF NOT EXISTS sharded_id; CREATE TABLE IF NOT EXISTS"
                                        + " sharded_id.session_lock (class int, purpose int, holder int NOT NULL,"
                                        + " number int NOT NULL, started timestamptz NOT NULL,"
                                        + " PRIMARY KEY (class, purpose))"));
            } catch (SQLException e) {
                if (!CREATED_CONCURRENTLY.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    private static SessionLock take(String database, Connection connection, int purpose) throws SQLException {
        prepare(connection);
        Set<String> logged = new HashSet<>();
        try {
            return Objects.requireNonNull(RetryPolicy.forever(POLL).run(() -> {
                SessionLock lock = tryTake(connection, LOCK_CLASS, purpose);
                String holder = lock == null ? holder(connection, LOCK_CLASS, purpose) : null;
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

    private static @Nullable SessionLock tryTake(Connection connection, int lockClass, int purpose)
            throws SQLException {
        if (Sql.number(connection, PREPARED) == 0) {
            // Not provisioned, at least not by this version: whoever takes this lock looks for that next, and goes no
            // further.
            return take(connection, lockClass);
        }
        SessionLock[] lock = new SessionLock[1];
        try {
            Transaction.run(connection, () -> {
                forTransaction(connection);
                if (!isHeld(connection, lockClass, purpose)) {
                    lock[0] = take(connection, lockClass);
                    requireMember(connection);
                    Sql.update(connection, REMEMBER, lockClass, purpose, lock[0].number);
                }
            });
        } catch (SQLException e) {
            if (lock[0] != null) {
                lock[0].close();
            }
            throw e;
        }
        return lock[0];
    }

    /** Others would not respect the lock of a role that may write the table and is not a member of its owner. */
    private static void requireMember(Connection connection) throws SQLException {
        if (!Sql.is(connection, MEMBER)) {
            throw new SQLException(
                    "Role " + Sql.text(connection, "SELECT session_user")
                            + " is not a member of the role that owns schema sharded_id",
                    "42501");
        }
    }

    private static SessionLock take(Connection connection, int lockClass) throws SQLException {
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
