package io.github.shardedid.boot.differential;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing sequence minimal: fewer steps first, then simpler ones, as long as it fails. */
final class Shrinker {
    private final Predicate<List<Step>> fails;
    private int tries;

    Shrinker(Predicate<List<Step>> fails, int tries) {
        this.fails = fails;
        this.tries = tries;
    }

    List<Step> shrink(List<Step> failing) {
        List<Step> best = failing;
        List<Step> before;
        do {
            before = best;
            best = simpler(fewer(best));
        } while (!best.equals(before));
        return best;
    }

    /** Leaves out ever smaller parts. */
    private List<Step> fewer(List<Step> failing) {
        List<Step> best = failing;
        for (int size = Math.max(1, best.size() / 2); size > 0; size /= 2) {
            for (int from = best.size() - size; from >= 0; from -= size) {
                from = Math.min(from, best.size() - size);
                List<Step> rest = new ArrayList<>(best);
                rest.subList(Math.max(0, from), from + size).clear();
                if (stillFails(rest)) {
                    best = rest;
                }
            }
        }
        return best;
    }

    private List<Step> simpler(List<Step> failing) {
        List<Step> best = failing;
        for (int i = 0; i < best.size(); i++) {
            for (Step simpler : simpler(best.get(i))) {
                List<Step> changed = new ArrayList<>(best);
                changed.set(i, simpler);
                if (stillFails(changed)) {
                    best = changed;
                    break;
                }
            }
        }
        return best;
    }

    private boolean stillFails(List<Step> steps) {
        return tries-- > 0 && fails.test(steps);
    }

    /** The same step with one argument simpler. */
    private static List<Step> simpler(Step step) {
        List<Step> all = new ArrayList<>();
        RecordComponent[] components = step.getClass().getRecordComponents();
        Object[] values = Arrays.stream(components).map(step::value).toArray();
        for (int i = 0; i < values.length; i++) {
            for (Object simpler : simpler(values[i])) {
                Object[] changed = values.clone();
                changed[i] = simpler;
                all.add(with(step, components, changed));
            }
        }
        return all;
    }

    private static List<Object> simpler(Object value) {
        List<Object> all = new ArrayList<>();
        // Rows whose ids are made keep their numbers, each of which is that of one row; others keep their shards.
        if (value instanceof Integer number && number > 0 && number < Numbers.GENERATED) {
            all.add(number % Numbers.SHARDS);
            all.add(number - Numbers.SHARDS);
            all.removeIf(candidate -> candidate.equals(number) || (Integer) candidate < 0);
        } else if (value instanceof Boolean flag && flag) {
            all.add(false);
        } else if (value instanceof String text && text.length() > 1 && !text.matches("[A-Z_]+")) {
            all.add("x");
        } else if (value instanceof List<?> list) {
            for (int i = list.size() - 1; i >= 0; i--) {
                List<Object> shorter = new ArrayList<>(list);
                shorter.remove(i);
                all.add(List.copyOf(shorter));
            }
        }
        return all;
    }

    private static Step with(Step step, RecordComponent[] components, Object[] values) {
        try {
            Constructor<? extends Step> constructor = step.getClass()
                    .getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
