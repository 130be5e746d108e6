package io.github.shardedid.routing.internal.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a second statement is told after the first one was executed. */
class RecordedCallsTests {
    private final RecordedCalls calls = new RecordedCalls();
    private final PreparedStatement statement = told(calls);

    /** A statement whose calls are noted. */
    private static CallableStatement told(RecordedCalls calls) {
        return forwarding((method, arguments) -> calls.note(method, arguments));
    }

    private interface Receiver {
        void receive(Method method, @Nullable Object @Nullable [] arguments);
    }

    private static CallableStatement forwarding(Receiver receiver) {
        return (CallableStatement) Proxy.newProxyInstance(
                RecordedCallsTests.class.getClassLoader(),
                new Class<?>[] {CallableStatement.class},
                (proxy, method, arguments) -> {
                    receiver.receive(method, arguments);
                    return null;
                });
    }

    private List<String> repeated() {
        List<String> repeated = new ArrayList<>();
        try {
            calls.repeatOn(forwarding((method, arguments) -> repeated.add(method.getName()
                    + (arguments == null
                            ? ""
                            : Stream.of(arguments).map(String::valueOf).toList()))));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return repeated;
    }

    private void rowsOfTwo(int rows) throws Exception {
        for (int row = 0; row < rows; row++) {
            statement.setInt(1, row);
            statement.setString(2, "row " + row);
            statement.addBatch();
        }
    }

    /** The first thing that is set after an execution throws out what is outdated. */
    private void executedAndSet(int index, int value) throws Exception {
        calls.executed();
        statement.setInt(index, value);
    }

    @Test
    void ofAnExecutedBatchThereAreTheParametersOfTheLastRow() throws Exception {
        rowsOfTwo(50);

        executedAndSet(1, 7);

        assertThat(repeated()).containsExactly("setInt[1, 7]", "setString[2, row 49]");
    }

    @Test
    void aParameterThatTheFirstRowAloneHasSetIsKept() throws Exception {
        statement.setLong(3, 33);
        rowsOfTwo(50);

        executedAndSet(1, 7);

        assertThat(repeated()).containsExactly("setInt[1, 7]", "setString[2, row 49]", "setLong[3, 33]");
    }

    @Test
    void whatIsSetForTheWholeStatementIsKept() throws Exception {
        statement.setQueryTimeout(5);
        rowsOfTwo(50);

        executedAndSet(1, 7);

        assertThat(repeated()).containsExactly("setQueryTimeout[5]", "setInt[1, 7]", "setString[2, row 49]");
    }

    @Test
    void aParameterWithALargeNumberIsKept() throws Exception {
        statement.setInt(70, 1);
        rowsOfTwo(50);

        executedAndSet(1, 7);

        assertThat(repeated()).endsWith("setInt[70, 1]").hasSize(3);
    }

    @Test
    void whatWasKeptOnceIsKeptAfterTheNextBatch() throws Exception {
        statement.setLong(3, 33);
        rowsOfTwo(50);
        calls.executed();
        rowsOfTwo(20);

        executedAndSet(1, 7);

        assertThat(repeated()).containsExactly("setInt[1, 7]", "setString[2, row 19]", "setLong[3, 33]");
    }

    /** Else an empty batch, which is allowed, would be executed as the one before once more, if the shard has moved meanwhile. */
    @Test
    void ofAnExecutedBatchNoRowIsRepeatedEvenIfNothingIsSetAfterwards() throws Exception {
        rowsOfTwo(50);

        calls.executed();

        assertThat(repeated()).containsExactly("setInt[1, 49]", "setString[2, row 49]");
    }

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    /** A statement that was told everything, and one that is told what was recorded, end up with the same. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theLastValuesAreAlwaysTheSame(int seed) throws Exception {
        Random random = new Random(seed);
        State told = new State();
        CallableStatement both = forwarding((method, arguments) -> {
            calls.note(method, arguments);
            told.receive(method, arguments);
        });
        for (int i = 0; i < 300; i++) {
            step(random, both, told);
        }

        State repeated = new State();
        try {
            calls.repeatOn(forwarding(repeated));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        assertThat(repeated.parameters).isEqualTo(told.parameters);
        assertThat(repeated.settings).isEqualTo(told.settings);
        assertThat(repeated.batch).isEqualTo(told.batch);
    }

    private void step(Random random, CallableStatement statement, State told) throws Exception {
        int value = random.nextInt(1_000);
        switch (random.nextInt(40)) {
            case 0 -> {
                calls.executed();
                told.batch.clear();
            }
            case 1 -> statement.setQueryTimeout(value);
            case 2 -> statement.setFetchSize(value);
            case 3 -> statement.clearParameters();
            case 4 -> statement.setInt(60 + random.nextInt(10), value);
            case 13 -> statement.clearBatch();
            case 5, 6, 7, 8, 9, 10, 11, 12 -> statement.addBatch();
            default -> statement.setInt(1 + random.nextInt(4), value);
        }
    }

    /** What a driver's statement would hold. */
    private static final class State implements Receiver {
        private final Map<String, String> parameters = new TreeMap<>();
        private final Map<String, String> settings = new TreeMap<>();
        private final List<String> batch = new ArrayList<>();

        @Override
        public void receive(Method method, @Nullable Object @Nullable [] arguments) {
            String name = method.getName();
            if (name.equals("clearParameters")) {
                parameters.clear();
            } else if (name.equals("clearBatch")) {
                batch.clear();
            } else if (name.equals("addBatch")) {
                batch.add(parameters.toString());
            } else if (arguments != null && arguments.length > 1) {
                parameters.put(String.valueOf(arguments[0]), String.valueOf(arguments[1]));
            } else {
                settings.put(name, Arrays.toString(arguments));
            }
        }
    }
}
