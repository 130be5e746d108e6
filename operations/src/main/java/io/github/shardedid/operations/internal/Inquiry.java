package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Asks databases at the same time, each in a daemon thread of its own. A database that is silent is not waited for, and not asked
 * again as long as its thread waits. Not safe for use by several threads.
 */
public final class Inquiry<T> {
    private final Duration wait;
    private final Question<T> question;
    private final Map<String, FutureTask<T>> pending = new HashMap<>();

    /**
     * Asks no database yet.
     *
     * @param wait for all answers; also the network timeout of each connection
     */
    public Inquiry(Duration wait, Question<T> question) {
        this.wait = wait;
        this.question = question;
    }

    /** Creates an inquiry under the path of {@link SearchPath#pin}: for databases whose sessions are the connections' own. */
    public static <T> Inquiry<T> pinned(Duration wait, Question<T> question) {
        return new Inquiry<>(
                wait, (name, connection) -> SearchPath.pinned(connection, () -> question.ask(name, connection)));
    }

    /** The question that each database is asked. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(String database, Connection connection) throws SQLException;
    }

    /**
     * By the names of the databases, in alphabetical order.
     *
     * @param unreachable those that did not answer, each with a reason that holds no secret
     */
    public record Answers<T>(Map<String, T> results, Map<String, String> unreachable) {
        /**
         * Waits for answers. An interrupt ends the wait.
         *
         * @param pending by the names of the databases
         * @param start when they were asked, by {@link System#nanoTime()}
         * @param end until when they are waited for
         * @param reason says why a database counts as unreachable, given its failure; or null if it does not
         */
        public static <T> Answers<T> of(
                Map<String, ? extends Future<T>> pending,
                long start,
                long end,
                Function<Throwable, @Nullable String> reason) {
            Answers<T> answers = new Answers<>(new TreeMap<>(), new TreeMap<>());
            pending.forEach((name, answer) -> {
                String unreachable;
                try {
                    answers.results.put(name, answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
                    return;
                } catch (TimeoutException e) {
                    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
                    unreachable = "timed out: no answer within " + Math.max(1, seconds) + " s";
                } catch (ExecutionException e) {
                    unreachable = reason.apply(Objects.requireNonNullElse(e.getCause(), e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    unreachable = "interrupted while waiting for it";
                }
                if (unreachable != null) {
                    answers.unreachable.put(name, unreachable);
                }
            });
            return answers;
        }
    }

    /** The answers that arrive in time. An interrupt ends the wait. */
    public Answers<T> ask(Map<String, ? extends DataSource> databases) {
        pending.values().removeIf(FutureTask::isDone);
        databases.forEach((name, source) -> pending.computeIfAbsent(name, silent -> start(name, source)));
        long start = System.nanoTime();
        Map<String, FutureTask<T>> asked = new TreeMap<>(pending);
        asked.keySet().retainAll(databases.keySet());
        return Answers.of(asked, start, start + wait.toNanos(), FailureReason::of);
    }

    private FutureTask<T> start(String name, DataSource source) {
        FutureTask<T> task = new FutureTask<>(() -> answer(name, source));
        Workers.thread("sharded-id-inquiry-" + name, task).start();
        return task;
    }

    private T answer(String name, DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(wait.toMillis()));
            try {
                return question.ask(name, connection);
            } finally {
                if (!connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, before);
                }
            }
        }
    }
}
