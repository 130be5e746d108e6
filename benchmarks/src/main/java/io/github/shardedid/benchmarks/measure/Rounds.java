package io.github.shardedid.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The costs of several implementations of the same task. They are measured alternately, so that temporary load on the machine
 * affects all of them. Ratios are computed within a round, and the result is their median.
 */
public final class Rounds {
    private final Map<String, List<Double>> costs = new LinkedHashMap<>();

    /** One measurement: what it cost, in whatever unit. */
    @FunctionalInterface
    public interface Measurement {
        double cost() throws Exception;
    }

    /** Measures each way once per round, in the order given, after one round that does not count. */
    public static Rounds run(int rounds, Map<String, Measurement> ways) throws Exception {
        runAtOnce(1, ways);
        return runAtOnce(rounds, ways);
    }

    /** The same for what takes so long that there is nothing to warm up. */
    public static Rounds runAtOnce(int rounds, Map<String, Measurement> ways) throws Exception {
        Rounds measured = new Rounds();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Measurement> way : ways.entrySet()) {
                measured.add(way.getKey(), way.getValue().cost());
            }
        }
        return measured;
    }

    public void add(String way, double cost) {
        costs.computeIfAbsent(way, name -> new ArrayList<>()).add(cost);
    }

    public double median(String way) {
        return percentile(costsOf(way), 0.5);
    }

    /** How much one way costs as a share of another's cost. */
    public Ratio ratio(String way, String other) {
        double[] ours = costsOf(way);
        double[] theirs = costsOf(other);
        double[] ratios = new double[ours.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours[i] / theirs[i];
        }
        return new Ratio(percentile(ratios, 0.5), percentile(ratios, 0.1), percentile(ratios, 0.9), ratios.length);
    }

    private double[] costsOf(String way) {
        return costs.getOrDefault(way, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private static double percentile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** All costs, for the raw output. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        costs.forEach((way, values) -> {
            text.append(way);
            values.forEach(value -> text.append(String.format(Locale.ROOT, " %.4g", value)));
            text.append('\n');
        });
        return text.toString();
    }

    /**
     * A median of ratios with its spread.
     *
     * @param low the tenth percentile of the rounds
     * @param high the ninetieth
     */
    public record Ratio(double median, double low, double high, int rounds) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.2f | %.2f – %.2f (%d)", median, low, high, rounds);
        }
    }
}
