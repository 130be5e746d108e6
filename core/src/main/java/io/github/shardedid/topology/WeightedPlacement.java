package io.github.shardedid.topology;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Distributes new rows by the weights of the databases. A shard that moves gets the weight of its new database. */
final class WeightedPlacement implements ShardPlacement {
    private final Map<String, Double> weights;
    private volatile @Nullable Steps last;

    WeightedPlacement(Map<String, ? extends Number> weights) {
        Map<String, Double> checked = new TreeMap<>();
        weights.forEach((database, weight) -> checked.put(database, checked(database, weight.doubleValue())));
        this.weights = checked;
    }

    private static double checked(String database, double weight) {
        if (!(weight >= 0 && weight <= LARGEST_WEIGHT)) {
            throw new IllegalArgumentException("The weight of the shards on database " + database + " must be 0 to "
                    + LARGEST_WEIGHT + ", but is " + weight + ".");
        }
        return weight;
    }

    @Override
    public int shardFor(Object entity, ShardMap map) {
        return stepsOf(map).random();
    }

    /** Computed once per map. Several threads may compute it at the same time, with the same result. */
    @SuppressWarnings("ReferenceEquality") // maps are immutable, so identity is enough
    private Steps stepsOf(ShardMap map) {
        Steps known = last;
        if (known == null || known.map != map) {
            known = new Steps(map, sums(map));
            last = known;
        }
        return known;
    }

    private double[] sums(ShardMap map) {
        double[] each = new double[map.shardCount()];
        Arrays.fill(each, 1);
        weights.forEach((database, weight) -> {
            for (int shard : map.shardsOf(database)) {
                each[shard] = weight;
            }
        });
        for (int unowned : map.unownedShards()) {
            each[unowned] = 0;
        }
        Arrays.parallelPrefix(each, Double::sum);
        if (each[each.length - 1] == 0) {
            throw new NoPlacementException(
                    "No shard accepts new rows: all shards whose database is known have the weight 0."
                            + " The weights are " + weights + ", 1 for other databases; unreachable databases: "
                            + map.unreachableDatabases()
                            + ". Set a weight above 0 for one database, or open a ShardContext.");
        }
        return each;
    }

    @Override
    public String toString() {
        return "weighted " + weights;
    }

    /** The sums of the weights of all shards up to each one. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Steps(ShardMap map, double[] sums) {
        /** A shard of weight 0 does not increase the sum, so it is never chosen. */
        int random() {
            double drawn = ThreadLocalRandom.current().nextDouble(sums[sums.length - 1]);
            int low = 0;
            int high = sums.length - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (sums[middle] > drawn) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }
    }
}
