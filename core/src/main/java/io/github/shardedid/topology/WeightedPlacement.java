package io.github.shardedid.topology;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
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

    /** Several threads may compute the steps of a map at the same time, with the same result. */
    @Override
    @SuppressWarnings("ReferenceEquality") // maps are immutable, so identity is enough
    public int shardFor(Object entity, ShardMap map) {
        Steps known = last;
        if (known == null || known.map != map) {
            known = steps(map);
            last = known;
        }
        double drawn = ThreadLocalRandom.current().nextDouble(known.sum);
        return Objects.requireNonNull(known.shards.floorEntry(drawn)).getValue();
    }

    private Steps steps(ShardMap map) {
        NavigableMap<Double, Integer> shards = new TreeMap<>();
        double sum = 0;
        for (int shard = 0; shard < map.shardCount(); shard++) {
            ShardOwnership home = map.home(shard);
            double weight = home == null ? 0 : weights.getOrDefault(home.database(), 1.0);
            if (weight > 0) {
                shards.put(sum, shard);
                sum += weight;
            }
        }
        if (shards.isEmpty()) {
            throw new NoPlacementException(
                    "No shard accepts new rows: all shards whose database is known have the weight 0."
                            + " The weights are " + weights + ", 1 for other databases; unreachable databases: "
                            + map.unreachableDatabases()
                            + ". Set a weight above 0 for one database, or open a ShardContext.");
        }
        return new Steps(map, shards, sum);
    }

    @Override
    public String toString() {
        return "weighted " + weights;
    }

    /**
     * The shards that accept rows.
     *
     * @param shards each by the sum of the weights of those before it
     * @param sum the sum of all weights
     */
    private record Steps(ShardMap map, NavigableMap<Double, Integer> shards, double sum) {}
}
