package io.github.shardedid.boot.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import java.util.Locale;

/** The observations, with their names and key values. Key values of low cardinality become tags of timers. */
public enum ShardedObservation implements ObservationDocumentation {
    /** A statement that is sent to one shard, or to several shards of a database as a part of a query over several shards. */
    STATEMENT("sharded.id.statement"),

    /** A query over several shards, including its wait for other queries, until all shards have responded. */
    ALL_SHARDS("sharded.id.all.shards"),

    /** A wait of a statement for a shard that is being moved. */
    FENCE_WAIT("sharded.id.fence.wait"),

    /** A move of a shard, as far as it runs in this process. */
    MOVE("sharded.id.move"),

    /** A step of a move. */
    MOVE_STEP("sharded.id.move.step");

    private final String observed;

    ShardedObservation(String observed) {
        this.observed = observed;
    }

    private static KeyName[] keys(KeyName... names) {
        return names;
    }

    /** Keys of low cardinality. */
    public enum Low implements KeyName {
        /** The name of the database to which a statement is sent, or from which a shard moves. */
        DATABASE,
        /** {@code read}, {@code write} or {@code all_shards}. */
        KIND,
        /** How a wait or a move ended. */
        OUTCOME,
        /** The database from which a shard moves. */
        SOURCE,
        /** The database to which a shard moves. */
        TARGET,
        /** The step of a move. */
        STEP;

        @Override
        public String asString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Keys of high cardinality, for spans only. */
    public enum High implements KeyName {
        /** The number of a shard, or the ranges of several. Absent for global entities. */
        SHARD,
        /** The number of shards of a query. */
        SHARDS,
        /** The names of the databases of a query. */
        DATABASES;

        @Override
        public String asString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public String getName() {
        return observed;
    }

    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
        return ShardedObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return switch (this) {
            case STATEMENT -> keys(Low.DATABASE, Low.KIND);
            case ALL_SHARDS -> keys();
            case FENCE_WAIT -> keys(Low.DATABASE, Low.OUTCOME);
            case MOVE -> keys(Low.SOURCE, Low.TARGET, Low.OUTCOME);
            case MOVE_STEP -> keys(Low.STEP);
        };
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return this == ALL_SHARDS ? keys(High.SHARDS, High.DATABASES) : keys(High.SHARD);
    }
}
