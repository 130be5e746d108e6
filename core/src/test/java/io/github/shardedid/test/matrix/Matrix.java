package io.github.shardedid.test.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.matrix.Operation.Call;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Performs the operations of a section of the page, each in each situation, in a transaction and without one.
 *
 * @param <S> what operations are done with
 */
public abstract class Matrix<S> {
    private static final AtomicLong MILLISECONDS = new AtomicLong(1_000_000);

    /** Work of a session. */
    @FunctionalInterface
    public interface Steps<S> {
        /** Performs it. */
        @Nullable
        Object with(S session) throws Exception;
    }

    /** The heading of the section. */
    protected abstract String heading();

    /** The rows of the matrix. */
    protected abstract List<Operation<S>> operations();

    /** Who looks. */
    protected abstract ServerWatch watch();

    /** How ids are divided. */
    protected abstract IdLayout layout();

    /** Statements that insert the rows of an id, {@code $id}, into a shard, {@code $.}; {@code $next} is the id after it. */
    protected abstract String rows();

    /** Has steps done in a new session or the like, in a transaction or without one. */
    protected abstract @Nullable Object perform(boolean transaction, Steps<S> steps) throws Exception;

    /** Reads the row of an id. */
    protected abstract void read(S session, long id);

    /** Writes the row of an id; it is sent at once. */
    protected abstract void write(S session, long id);

    /** Does something with the rows of an id before the operation. */
    protected void prepare(long id) {}

    /** Sends what the session would else send at commit. */
    protected void flush(S session) {}

    @Test
    void thePageListsTheseOperations() {
        assertThat(FeaturesPage.section(heading()).keySet())
                .containsExactlyInAnyOrderElementsOf(
                        operations().stream().map(Operation::name).toList());
    }

    @TestFactory
    Stream<DynamicNode> operationsInSituations() {
        Map<String, FeaturesPage.Row> page = FeaturesPage.section(heading());
        return operations().stream().mapMulti((operation, nodes) -> {
            FeaturesPage.Row row = page.get(operation.name());
            if (row != null) {
                nodes.accept(DynamicContainer.dynamicContainer(operation.name(), cells(operation, row)));
            }
        });
    }

    private Stream<DynamicTest> cells(Operation<S> operation, FeaturesPage.Row row) {
        return Arrays.stream(Situation.values()).flatMap(situation -> Stream.of(true, false)
                .filter(transaction -> transaction || situation.outsideTransactions())
                .map(transaction -> {
                    String name = operation.name() + ", " + situation + (transaction ? ": " : ", no transaction: ")
                            + row.expected(situation, transaction).word();
                    return DynamicTest.dynamicTest(name, () -> {
                        try {
                            check(operation, situation, transaction, row);
                        } catch (AssertionError e) {
                            // Reports of the build have numbers for names.
                            throw new AssertionError("[" + name + "] " + e.getMessage(), e);
                        }
                    });
                }));
    }

    private void check(Operation<S> operation, Situation situation, boolean transaction, FeaturesPage.Row row)
            throws Exception {
        long id = newRows(situation.shard());
        long before = newRows(firstOf(situation.writtenBefore(), situation.readBefore(), 0));
        prepare(id);
        watch().forgetChanges();

        Performance performance = new Performance(
                operation, situation, row.expected(situation, transaction), row.or(situation, transaction));
        try {
            performance.result = perform(transaction, session -> {
                if (transaction && situation.readBefore() != null) {
                    read(session, before);
                }
                if (situation.writtenBefore() != null) {
                    write(session, before);
                }
                watch().forget();
                Call<S> call = new Call<>(session, id, situation.shard());
                Object result = inScope(situation.scope(operation.scoped()), operation, call);
                if (!transaction && operation.isWrite() && !row.isAbsent(situation)) {
                    flush(session);
                }
                return result;
            });
        } catch (Throwable e) {
            performance.thrown = e;
        }
        performance.sent = watch().sent();
        performance.changed = watch().changed();
        performance.check();
        if (row.expected(situation, transaction) == Outcome.WORKS && operation.leaves() != null) {
            assertThat(watch().query(situation.shard(), operation.leaves().replace("$id", String.valueOf(id))))
                    .isEqualTo(operation.left());
        }
        assertThat(ShardContext.current()).as("scope left open").isEmpty();
        watch().nothingIsLeaked();
    }

    private static int firstOf(@Nullable Integer one, @Nullable Integer other, int none) {
        return one != null ? one : other != null ? other : none;
    }

    private long newRows(int shard) throws Exception {
        long id = layout().encode(MILLISECONDS.incrementAndGet(), shard, 1);
        if (shard < 8) {
            watch().execute(shard, rows().replace("$id", String.valueOf(id)).replace("$next", String.valueOf(id + 1)));
        }
        return id;
    }

    private static <S> @Nullable Object inScope(OptionalInt shard, Operation<S> operation, Call<S> call)
            throws Exception {
        if (shard.isEmpty()) {
            return operation.work().with(call);
        }
        try (ShardContext.Scope scope = ShardContext.open(shard.getAsInt())) {
            return operation.work().with(call);
        }
    }
}
