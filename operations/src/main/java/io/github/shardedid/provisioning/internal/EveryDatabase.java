package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.Inquiry.Question;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Runs a task on all databases at once, each in a thread of its own, and reports those that cannot be reached.
 *
 * @param databases by their configured names
 */
public record EveryDatabase(Map<String, ? extends DataSource> databases) {
    /** Waits for a database as long as it works. */
    private static final Duration WITHOUT_END = Duration.ofDays(36_500);

    /** Returns the databases with these names. */
    public EveryDatabase only(Collection<String> names) {
        Map<String, DataSource> some = new TreeMap<>(databases);
        some.keySet().retainAll(names);
        return new EveryDatabase(some);
    }

    /** Runs a task that may take any time, such as migrations. */
    <T> Answers<T> run(Question<T> task) {
        return run(WITHOUT_END, task);
    }

    /**
     * Runs a task on each database, on a connection in autocommit mode, of which it restores the settings that it changes. All have ended, or
     * have not answered in time, when this returns.
     *
     * @param wait how long a database may take; one that takes longer counts as unreachable
     * @throws io.github.shardedid.ShardedIdException the first failure in the alphabetical order of the databases
     */
    public <T> Answers<T> run(Duration wait, Question<T> task) {
        return run(wait, wait, task);
    }

    /**
     * Runs a task that all databases answer in about the same time, so that a silent one delays the others only briefly.
     *
     * @param wait how long the first answer may take
     * @param after how much longer the other answers may take, within the same limit
     * @throws io.github.shardedid.ShardedIdException the first failure in the alphabetical order of the databases
     */
    public <T> Answers<T> run(Duration wait, Duration after, Question<T> task) {
        Map<String, CompletableFuture<T>> pending = new TreeMap<>();
        CountDownLatch firstAnswer = new CountDownLatch(1);
        databases.forEach((name, source) -> {
            CompletableFuture<T> answer = CompletableFuture.supplyAsync(
                    () -> connected(name, source, task),
                    work -> Workers.thread("sharded-id-provisioning", work).start());
            pending.put(name, answer);
            CompletableFuture<Void> unused = answer.thenRun(firstAnswer::countDown);
        });
        CompletableFuture<Void> unused = CompletableFuture.allOf(
                        pending.values().toArray(CompletableFuture<?>[]::new))
                .whenComplete((all, failure) -> firstAnswer.countDown()); // none may have succeeded
        long start = System.nanoTime();
        long end = start + wait.toNanos();
        try {
            boolean ignored = firstAnswer.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long now = System.nanoTime();
        end = now + Math.min(end - now, after.toNanos());
        List<Throwable> failures = new ArrayList<>();
        Answers<T> answers = Answers.of(pending, start, end, failure -> {
            if (failure instanceof Unreachable) {
                return failure.getMessage();
            }
            failures.add(failure);
            return null;
        });
        Workers.throwFirst(failures);
        return answers;
    }

    /** Throws unless all databases have answered. */
    static void requireAll(Map<String, String> unreachable) {
        if (!unreachable.isEmpty()) {
            throw new ProvisioningException(
                    Reason.UNREACHABLE_DATABASE,
                    "The cluster is not provisioned yet, which needs all its databases,"
                            + " but these cannot be reached: " + unreachable + ". Start them and provision again.");
        }
    }

    private static <T> T connected(String name, DataSource source, Question<T> task) {
        try (Connection connection = open(name, source)) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                DirectSession.obstacle(name, connection, "provisioning and the shard map need")
                        .ifPresent(EveryDatabase::refuse);
                return task.ask(name, connection);
            } finally {
                if (!connection.isClosed()) {
                    connection.setAutoCommit(autoCommit);
                }
            }
        } catch (SQLException e) {
            throw failure(name, e);
        }
    }

    private static void refuse(String pooled) {
        throw new ProvisioningException(Reason.DIRECT_CONNECTION_REQUIRED, pooled);
    }

    private static Connection open(String name, DataSource source) {
        try {
            return source.getConnection();
        } catch (SQLException | RuntimeException e) {
            // Unchecked, too: pools have their own exceptions for a refused first connection.
            String reason = FailureReason.of(e);
            DirectSession.obstacle(name, reason).ifPresent(EveryDatabase::refuse);
            throw new Unreachable(reason);
        }
    }

    private static RuntimeException failure(String name, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.startsWith("08") || state.startsWith("57P")) {
            return new Unreachable(FailureReason.of(e));
        }
        if (state.equals("42501")) {
            return new ProvisioningException(
                    Reason.MISSING_PRIVILEGE,
                    "The user of database " + name + " lacks a privilege: " + FailureReason.of(e)
                            + ". Grant it, or provision with a user that owns the database.");
        }
        return new ProvisioningException(
                Reason.FAILED_STATEMENT,
                "Database " + name + " refused a statement: " + FailureReason.of(e)
                        + ". What was done before stays; provision again once the cause is removed.",
                e);
    }

    /** Has the reason as its message. */
    private static final class Unreachable extends RuntimeException {
        Unreachable(String reason) {
            super(reason);
        }
    }
}
