package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Workers;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Both copies. They are read at the same time if the order does not matter. */
final class TwoSides implements AutoCloseable {
    private final ComparedSide source;
    private final ComparedSide target;
    private final ExecutorService other = Workers.start("sharded-id-compare", 1);

    TwoSides(ComparedSide source, ComparedSide target) {
        this.source = source;
        this.target = target;
    }

    ComparedSide source() {
        return source;
    }

    ComparedSide target() {
        return target;
    }

    /** The answers of both sides. */
    record Answers<T>(T source, T target) {
        boolean equal() {
            return source.equals(target);
        }
    }

    /** A question to one side. */
    @FunctionalInterface
    interface Question<T> {
        T ask(ComparedSide side) throws SQLException;
    }

    /** Asks both at the same time. Also after a failure, returns only when both have ended. */
    <T> Answers<T> ask(Question<T> question) throws SQLException {
        Future<T> there = other.submit(() -> question.ask(target));
        T here;
        try {
            here = question.ask(source);
        } catch (SQLException | RuntimeException e) {
            try {
                get(there);
            } catch (SQLException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
        return new Answers<>(here, get(there));
    }

    private static <T> T get(Future<T> answer) throws SQLException {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while both copies of a shard were compared.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new SQLException("A comparison of both copies of a shard failed.", e.getCause());
        }
    }

    @Override
    public void close() throws SQLException {
        other.shutdownNow();
        try (source) {
            target.close();
        }
    }
}
