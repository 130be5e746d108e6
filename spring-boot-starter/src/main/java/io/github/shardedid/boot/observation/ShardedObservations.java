package io.github.shardedid.boot.observation;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardRanges;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates Micrometer's observations of statements, queries over several shards, waits and moves, each as the current observation of
 * its thread. Micrometer makes spans of them, and timers, whose tags are the keys of low cardinality. Disabled observations cost almost
 * nothing. Safe for use by several threads.
 */
public final class ShardedObservations {
    private static final String OUTCOME = "outcome";
    /** Until the outcome is known: the tags of a timer must not differ. */
    private static final String NO_OUTCOME = "none";

    private final ObservationRegistry registry;

    /**
     * Creates the observations for a registry.
     *
     * @param registry the registry; it may be enabled and disabled later
     */
    public ShardedObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** The observations, with the keys of their values. There may be thousands of shards, too many for a tag. */
    @SuppressWarnings("ImmutableEnumChecker") // by List.of
    enum Kind {
        /** A statement that is sent to one shard, or to several shards of a database as a part of a query over several shards. */
        STATEMENT("statement", List.of("database", "kind"), List.of("shard")),
        /** A query over several shards, including its wait for other queries, until all shards have responded. */
        ALL_SHARDS("all.shards", List.of(), List.of("shards", "databases")),
        /** A wait of a statement for a shard that is being moved. */
        FENCE_WAIT("fence.wait", List.of("database", OUTCOME), List.of("shard")),
        /** A move of a shard, as far as it runs in this process. */
        MOVE("move", List.of("source", "target", OUTCOME), List.of("shard"));

        final String observed;
        /** The keys of low cardinality. */
        final List<String> low;
        /** The keys of high cardinality, for spans only. */
        final List<String> high;

        Kind(String observed, List<String> low, List<String> high) {
            this.observed = "sharded.id." + observed;
            this.low = low;
            this.high = high;
        }
    }

    /**
     * Returns a listener that observes statements.
     *
     * @return a listener for {@code RoutingOptions}, or as a bean
     */
    public RoutingListener routing() {
        return new Routing();
    }

    /**
     * Returns a listener that observes moves, on the thread of the move.
     *
     * @return a listener for {@code MoveOptions}, or as a bean
     */
    public MoveListener moves() {
        return new Moves();
    }

    /**
     * Starts an observation and makes it the current one of this thread.
     *
     * @param text the name of the span, without shards, such as {@code read pg1}
     * @param values those of the keys of low cardinality, then those of high cardinality; null for a key that is left out
     * @return null if the registry ignores it
     */
    private @Nullable Observed begin(Kind kind, String text, @Nullable String... values) {
        Observation observation =
                Observation.createNotStarted(kind.observed, registry).contextualName(text);
        if (observation.isNoop()) {
            return null;
        }
        for (int i = 0; i < values.length; i++) {
            String value = values[i];
            if (value != null && i < kind.low.size()) {
                observation.lowCardinalityKeyValue(kind.low.get(i), value);
            } else if (value != null) {
                observation.highCardinalityKeyValue(kind.high.get(i - kind.low.size()), value);
            }
        }
        return new Observed(observation.start(), observation.openScope());
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A started observation. */
    private record Observed(Observation observation, Observation.Scope scope) implements RoutingListener.Watch {
        @Override
        public void failed(Throwable failure) {
            observation.error(failure);
        }

        @Override
        public void waited(RoutingListener.Outcome outcome) {
            observation.lowCardinalityKeyValue(OUTCOME, lowerCase(outcome));
        }

        /** Makes it the current observation of another thread, too: observations that start there become its children. */
        @Override
        public RoutingListener.Watch continued() {
            Observation.Scope there = observation.openScope();
            return new RoutingListener.Watch() {
                @Override
                public void close() {
                    there.close();
                }
            };
        }

        @Override
        public void close() {
            try {
                scope.close();
            } finally {
                observation.stop();
            }
        }
    }

    private final class Routing implements RoutingListener {
        @Override
        public Watch statement(RoutingListener.Kind kind, Target.Single target, String database) {
            return statement(
                    kind, database, target instanceof Target.Shard shard ? Integer.toString(shard.number()) : null);
        }

        @Override
        public Watch statement(List<Integer> shards, String database) {
            if (registry.isNoop()) {
                return Watch.NONE;
            }
            int[] numbers = shards.stream().mapToInt(Integer::intValue).toArray();
            String ranges = ShardRanges.of(numbers).toString();
            return statement(RoutingListener.Kind.ALL_SHARDS, database, ranges);
        }

        private Watch statement(RoutingListener.Kind kind, String database, @Nullable String shard) {
            String what = lowerCase(kind);
            return watch(ShardedObservations.Kind.STATEMENT, what + " " + database, database, what, shard);
        }

        @Override
        public Watch allShards(int shards, Set<String> databases) {
            return watch(
                    ShardedObservations.Kind.ALL_SHARDS,
                    "query over several shards",
                    Integer.toString(shards),
                    String.join(", ", databases));
        }

        @Override
        public Watch waiting(int shard, String database) {
            return watch(
                    ShardedObservations.Kind.FENCE_WAIT,
                    "wait for a shard of " + database,
                    database,
                    NO_OUTCOME,
                    Integer.toString(shard));
        }

        private Watch watch(ShardedObservations.Kind kind, String text, @Nullable String... values) {
            Observed observed = registry.isNoop() ? null : begin(kind, text, values);
            return observed == null ? Watch.NONE : observed;
        }
    }

    private final class Moves implements MoveListener {
        private final Map<UUID, Observed> inProgress = new ConcurrentHashMap<>();

        @Override
        public void progress(MoveProgress progress) {
            Move move = progress.move();
            if (progress.step().ended()) {
                end(move, lowerCase(progress.step()), null);
            } else {
                inProgress.computeIfAbsent(
                        move.id(),
                        id -> begin(
                                Kind.MOVE,
                                "move a shard from " + move.source() + " to " + move.target(),
                                move.source(),
                                move.target(),
                                NO_OUTCOME,
                                Integer.toString(move.shard())));
            }
        }

        @Override
        public void stopped(Move move, RuntimeException failure) {
            end(move, "stopped", failure);
        }

        private void end(Move move, String outcome, @Nullable Throwable failure) {
            Observed known = inProgress.remove(move.id());
            if (known != null) {
                if (failure != null) {
                    known.failed(failure);
                }
                known.observation.lowCardinalityKeyValue(OUTCOME, outcome);
                known.close();
            }
        }
    }
}
