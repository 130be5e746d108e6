package io.github.shardedid.boot.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import java.util.Locale;

/** What is observed, under which names, with which key values. Those of low cardinality become tags of timers. */
public enum ShardedObservation implements ObservationDocumentation {
    /** A statement that was sent to one shard, or to some shards of a database as a part of a query over several. */
    STATEMENT("sharded.id.statement"),

    /** A query over several shards, from before its turn until all have answered. */
    ALL_SHARDS("sharded.id.all.shards"),

    /** A wait of a statement for a shard that is on its way to another database. */
    FENCE_WAIT("sharded.id.fence.wait"),

    /** A move of a shard in this process, or what of it is done here. */
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

    /** Keys of few values. */
    public enum Low implements KeyName {
        /** The name of the database to which a statement is sent, or which a shard leaves. */
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

    /** Keys of many values, of spans alone. */
    public enum High implements KeyName {
        /** The number of a shard, or the ranges of several. Absent for global entities. */
        SHARD,
        /** How many shards a query asks. */
        SHARDS,
        /** The names of the databases that a query asks. */
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
