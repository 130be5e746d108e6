package io.github.shardedid.jobs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The records of a job, in two tables, and its lock: an advisory lock of PostgreSQL, which the server releases with the session of a
 * process that has died. All is sent over the session that holds the lock, so nothing is recorded by a process that has lost it. Safe
 * for use by several threads.
 */
final class JobRecords implements AutoCloseable {
    private static final String KEY = "hashtextextended('sharded-id job ' || ?, 0)";

    private static final String TABLES =
            """
            SELECT pg_advisory_xact_lock(hashtextextended('sharded-id jobs', 0));
            CREATE TABLE IF NOT EXISTS sharded_id_job (
              name text PRIMARY KEY,
              run bigint NOT NULL,
              started_at timestamptz NOT NULL DEFAULT now(),
              finished_at timestamptz);
            CREATE TABLE IF NOT EXISTS sharded_id_job_shard (
              name text,
              run bigint,
              shard int,
              done_at timestamptz NOT NULL DEFAULT now(),
              PRIMARY KEY (name, run, shard))""";

    private final Connection connection;
    private final String job;
    private final ReentrantLock session = new ReentrantLock();
    private long run;

    private JobRecords(Connection connection, String job) {
        this.connection = connection;
        this.job = job;
    }

    /** Locks the job; null if it is locked. The caller closes the result. */
    static @Nullable JobRecords lock(DataSource source, String job) throws SQLException {
        Connection connection = source.getConnection();
        JobRecords records = new JobRecords(connection, job);
        try {
            connection.setAutoCommit(true);
            if (records.isTrue("SELECT pg_try_advisory_lock(" + KEY + ")")) {
                return records;
            }
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
        connection.close();
        return null;
    }

    /**
     * Continues the run that has not been finished, or begins one.
     *
     * @param shards how many there are: a run that has done all of them, and died before it was finished, is not continued
     * @return the shards that are done
     */
    BitSet begin(int shards) throws SQLException {
        createTables();
        update("UPDATE sharded_id_job SET finished_at = now() WHERE name = ? AND finished_at IS NULL AND " + shards
                + " <= (SELECT count(*) FROM sharded_id_job_shard d"
                + " WHERE d.name = sharded_id_job.name AND d.run = sharded_id_job.run)");
        update("INSERT INTO sharded_id_job (name, run) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET"
                + " run = sharded_id_job.run + 1, started_at = now(), finished_at = NULL"
                + " WHERE sharded_id_job.finished_at IS NOT NULL");
        run = number("SELECT run FROM sharded_id_job WHERE name = ?");
        update("DELETE FROM sharded_id_job_shard WHERE name = ? AND run < " + run);
        BitSet done = new BitSet();
        try (PreparedStatement query =
                prepare("SELECT shard FROM sharded_id_job_shard WHERE name = ? AND run = " + run)) {
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    done.set(rows.getInt(1));
                }
            }
        }
        return done;
    }

    /** Only where they are missing, as the role may be one that must not create tables. */
    private void createTables() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT to_regclass('sharded_id_job_shard') IS NULL")) {
                if (!rows.next() || !rows.getBoolean(1)) {
                    return;
                }
            }
            connection.setAutoCommit(false);
            try {
                statement.execute(TABLES);
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** The number of the run, from 1. */
    long run() {
        return run;
    }

    /** Fails if the session is gone, and the lock with it. */
    void requireLock() throws SQLException {
        isTrue("SELECT ? IS NOT NULL");
    }

    void done(int shard) throws SQLException {
        update("INSERT INTO sharded_id_job_shard (name, run, shard) VALUES (?, " + run + ", " + shard + ")");
    }

    void finish() throws SQLException {
        update("UPDATE sharded_id_job SET finished_at = now() WHERE name = ? AND run = " + run);
    }

    /** Releases the lock. A session that may still hold it does not return to its pool. */
    @Override
    public void close() throws SQLException {
        try {
            isTrue("SELECT pg_advisory_unlock(" + KEY + ")");
        } catch (SQLException e) {
            connection.abort(Runnable::run);
        } finally {
            connection.close();
        }
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, job);
        return statement;
    }

    private void update(String sql) throws SQLException {
        session.lock();
        try (PreparedStatement statement = prepare(sql)) {
            statement.executeUpdate();
        } finally {
            session.unlock();
        }
    }

    private long number(String sql) throws SQLException {
        session.lock();
        try (PreparedStatement statement = prepare(sql);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        } finally {
            session.unlock();
        }
    }

    private boolean isTrue(String sql) throws SQLException {
        session.lock();
        try (PreparedStatement statement = prepare(sql);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() && rows.getBoolean(1);
        } finally {
            session.unlock();
        }
    }
}
