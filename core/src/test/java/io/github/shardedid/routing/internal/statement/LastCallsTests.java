package io.github.shardedid.routing.internal.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LastCallsTests {
    private static final int RUNS = 2_000;
    private static final int LENGTH = 40;

    private record Call(Method method, List<Object> arguments) {
        Call(Method method, Object... arguments) {
            this(method, List.of(arguments));
        }

        @Override
        public String toString() {
            return method.getName() + arguments;
        }
    }

    @Test
    void whatIsKeptIsTheLastOfEachParameterAndSetting() throws Exception {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int run = 0; run < RUNS; run++) {
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < LENGTH; i++) {
                calls.add(anyCall(random));
            }
            assertThat(kept(calls)).as("seed %d, run %d: %s", seed, run, calls).isEqualTo(expected(calls));
        }
    }

    private static Call anyCall(Random random) throws NoSuchMethodException {
        int index = random.nextInt(4) == 0 ? 63 + random.nextInt(3) : 1 + random.nextInt(4);
        return switch (random.nextInt(7)) {
            case 0, 1 -> new Call(CallableStatement.class.getMethod("setLong", int.class, long.class), index, 5L);
            case 2 -> new Call(CallableStatement.class.getMethod("setString", int.class, String.class), index, "x");
            case 3 ->
                new Call(CallableStatement.class.getMethod("setString", String.class, String.class), "p" + index, "x");
            case 4 -> new Call(CallableStatement.class.getMethod("setQueryTimeout", int.class), index);
            case 5 ->
                new Call(CallableStatement.class.getMethod("registerOutParameter", int.class, int.class), index, index);
            default ->
                new Call(CallableStatement.class.getMethod(random.nextInt(4) == 0 ? "clearParameters" : "clearBatch"));
        };
    }

    private static List<Call> kept(List<Call> calls) {
        LastCalls last = new LastCalls();
        List<Call> kept = new ArrayList<>();
        for (int i = calls.size() - 1; i >= 0; i--) {
            Call call = calls.get(i);
            if (last.isLast(call.method(), call.arguments().toArray())) {
                kept.add(0, call);
            }
        }
        return kept;
    }

    /** Forwards, as the statement itself would forget. */
    private static List<Call> expected(List<Call> calls) {
        Map<String, Call> last = new LinkedHashMap<>();
        for (Call call : calls) {
            String name = call.method().getName();
            if (name.equals("clearParameters")) {
                last.keySet().removeIf(key -> key.startsWith("parameter "));
            } else if (!name.startsWith("clear")) {
                String key = call.arguments().size() < 2
                        ? name
                        : (name.startsWith("set") ? "parameter " : name)
                                + call.arguments().get(0);
                last.remove(key);
                last.put(key, call);
            }
        }
        return new ArrayList<>(last.values());
    }
}
