package io.github.shardedid.provisioning.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.ProvisioningFailedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs a task on all databases at once, each in a thread of its own, and reports those that cannot be reached. */
public final class EveryDatabase {
    private final Map<String, ? extends DataSource> databases;

    /** Knows the databases by their configured names. */
    public EveryDatabase(Map<String, ? extends DataSource> databases) {
        this.databases = databases;
    }

    /** Returns the databases with these names. */
    public EveryDatabase only(Collection<String> names) {
        Map<String, DataSource> some = new TreeMap<>(databases);
        some.keySet().retainAll(names);
        return new EveryDatabase(some);
    }

    /** Returns the databases with other names than these. */
    public EveryDatabase without(Collection<String> names) {
        Map<String, DataSource> others = new TreeMap<>(databases);
        others.keySet().removeAll(names);
        return new EveryDatabase(others);
    }

    /** A task for one database. */
    @FunctionalInterface
    public interface Task<T> {
        /** Runs on a connection in autocommit mode; it must restore settings of the connection that it changes. */
        T on(String name, Connection connection) throws SQLException;
    }

    /**
     * Runs a task on each database. All have ended, or have not answered in time, when this returns.
     *
     * @param wait how long a database may take; one that takes longer counts as unreachable. Zero waits without end
     * @throws ShardedIdException the first failure in the alphabetical order of the databases
     */
    public <T> Answers<T> run(Duration wait, Task<T> task) {
        return run(wait, wait, task);
    }

    /**
     * Runs a task that all databases answer in about the same time, so that a silent one delays the others only briefly.
     *
     * @param wait how long the first answer may take; more than zero
     * @param after how much longer the other answers may take, within the same limit
     * @throws ShardedIdException the first failure in the alphabetical order of the databases
     */
    public <T> Answers<T> run(Duration wait, Duration after, Task<T> task) {
        ExecutorService threads = Workers.start("sharded-id-provisioning", databases.size());
        CompletionService<T> ended = new ExecutorCompletionService<>(threads);
        try {
            Map<String, Future<T>> pending = new TreeMap<>();
            databases.forEach((name, source) -> pending.put(name, ended.submit(() -> connected(name, source, task))));
            long start = System.nanoTime();
            long end = wait.equals(after)
                    ? start + wait.toNanos()
                    : endAfterFirst(ended, pending.size(), start + wait.toNanos(), after);
            return collect(pending, start, wait.isZero() ? null : end);
        } finally {
            threads.shutdown();
        }
    }

    /** Waits for the first task that succeeds, or until all have failed; returns the instant of {@code nanoTime} until which the others are waited for. */
    private static <T> long endAfterFirst(CompletionService<T> ended, int tasks, long latest, Duration after) {
        try {
            for (int left = tasks; left > 0; left--) {
                Future<T> one = ended.poll(latest - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (one == null || succeeded(one)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long now = System.nanoTime();
        return now + Math.min(latest - now, after.toNanos());
    }

    private static boolean succeeded(Future<?> ended) throws InterruptedException {
        try {
            ended.get();
            return true;
        } catch (ExecutionException e) {
            return false; // collected later
        }
    }

    /** Throws unless all databases have answered. */
    public static void requireAll(Map<String, String> unreachable) {
        if (!unreachable.isEmpty()) {
            throw new DatabasesUnreachableException("The cluster is not provisioned yet, which needs all its databases,"
                    + " but these cannot be reached: " + unreachable + ". Start them and provision again.");
        }
    }

    /** Throws unless all databases have been reached by a repair. */
    public static void requireRepaired(Map<String, String> unreachable) {
        if (!unreachable.isEmpty()) {
            throw new DatabasesUnreachableException(
                    "The histories of migrations in these databases are not repaired, as they" + " cannot be reached: "
                            + unreachable + ". Those of the others are. Start them and repair again.");
        }
    }

    /** Runs a task on each database. Also closes the connection to a database that is silent for this time; zero waits without end. */
    public <T> Answers<T> runClosing(Duration silence, Task<T> task) {
        return run(
                silence,
                silence.isZero()
                        ? task
                        : (name, connection) -> {
                            int before = connection.getNetworkTimeout();
                            connection.setNetworkTimeout(
                                    Runnable::run, Math.toIntExact(Math.max(1, silence.toMillis())));
                            try {
                                return task.on(name, connection);
                            } finally {
                                if (!connection.isClosed()) {
                                    connection.setNetworkTimeout(Runnable::run, before);
                                }
                            }
                        });
    }

    private static <T> T connected(String name, DataSource source, Task<T> task) {
        try (Connection connection = open(name, source)) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                refuse(DirectSession.obstacle(name, connection, "provisioning and the shard map need"));
                return task.on(name, connection);
            } finally {
                if (!connection.isClosed()) {
                    connection.setAutoCommit(autoCommit);
                }
            }
        } catch (SQLException e) {
            throw failure(name, e);
        }
    }

    private static void refuse(Optional<String> pooled) {
        if (pooled.isPresent()) {
            throw new ProvisioningRefusedException(Reason.DIRECT_CONNECTION_REQUIRED, pooled.get());
        }
    }

    private static Connection open(String name, DataSource source) {
        long start = System.nanoTime();
        try {
            return source.getConnection();
        } catch (SQLException | RuntimeException e) {
            // Unchecked, too: pools have their own exceptions for a refused first connection.
            String reason = FailureReason.ofConnecting(e, System.nanoTime() - start);
            refuse(DirectSession.obstacle(name, reason));
            throw new Unreachable(reason);
        }
    }

    private static RuntimeException failure(String name, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.startsWith("08") || state.startsWith("57P")) {
            return new Unreachable(FailureReason.of(e));
        }
        if (state.equals("42501")) {
            return new ProvisioningRefusedException(
                    Reason.MISSING_PRIVILEGE,
                    "The user of database " + name + " lacks a privilege: " + FailureReason.of(e)
                            + ". Grant it, or provision with a user that owns the database.");
        }
        return new ProvisioningFailedException(
                "Database " + name + " refused a statement: " + FailureReason.of(e)
                        + ". What was done before stays; provision again once the cause is removed.",
                e);
    }

    /** Without an end, waits for all. */
    private static <T> Answers<T> collect(Map<String, Future<T>> pending, long start, @Nullable Long end) {
        Map<String, T> results = new TreeMap<>();
        Map<String, String> unreachable = new TreeMap<>();
        List<Throwable> failures = new ArrayList<>();
        pending.forEach((name, future) -> {
            try {
                results.put(
                        name, end == null ? future.get() : future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                unreachable.put(
                        name,
                        "timed out: no answer within "
                                + Math.max(1, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)) + " s");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Unreachable cause) {
                    unreachable.put(name, cause.reason);
                } else {
                    failures.add(e.getCause());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                unreachable.put(name, "interrupted while waiting for it");
            }
        });
        Workers.throwFirst(failures);
        return new Answers<>(results, unreachable);
    }

    private static final class Unreachable extends RuntimeException {
        private final String reason;

        Unreachable(String reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
