package io.github.shardedid.boot.observation;

import io.github.shardedid.boot.observation.ShardedObservation.High;
import io.github.shardedid.boot.observation.ShardedObservation.Low;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardRanges;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Observes statements, queries over several shards, and waits. */
final class ObservedRouting implements RoutingListener {
    private final ShardedObservations observations;

    ObservedRouting(ShardedObservations observations) {
        this.observations = observations;
    }

    @Override
    public Watch statement(Kind kind, Target.Single target, String database) {
        if (observations.isOff()) {
            return Watch.NONE;
        }
        ShardedObservationContext context = statement(kind, database);
        return begin(
                target instanceof Target.Shard shard
                        ? context.with(High.SHARD, Integer.toString(shard.number()))
                        : context);
    }

    @Override
    public Watch statement(List<Integer> shards, String database) {
        if (observations.isOff()) {
            return Watch.NONE;
        }
        int[] numbers = shards.stream().mapToInt(Integer::intValue).toArray();
        return begin(statement(Kind.ALL_SHARDS, database)
                .with(High.SHARD, ShardRanges.of(numbers).toString()));
    }

    private static ShardedObservationContext statement(Kind kind, String database) {
        String what = kind.name().toLowerCase(Locale.ROOT);
        return new ShardedObservationContext(ShardedObservation.STATEMENT, what + " " + database)
                .with(Low.DATABASE, database)
                .with(Low.KIND, what);
    }

    @Override
    public Watch allShards(int shards, Set<String> databases) {
        return observations.isOff()
                ? Watch.NONE
                : begin(new ShardedObservationContext(ShardedObservation.ALL_SHARDS, "query over several shards")
                        .with(High.SHARDS, Integer.toString(shards))
                        .with(High.DATABASES, String.join(", ", databases)));
    }

    @Override
    public Watch waiting(int shard, String database) {
        return observations.isOff()
                ? Watch.NONE
                : begin(new ShardedObservationContext(ShardedObservation.FENCE_WAIT, "wait for a shard of " + database)
                        .with(Low.DATABASE, database)
                        .with(High.SHARD, Integer.toString(shard))
                        .outcome("none"));
    }

    private Watch begin(ShardedObservationContext context) {
        Observed observed = observations.begin(context);
        return observed == null ? Watch.NONE : observed;
    }
}
