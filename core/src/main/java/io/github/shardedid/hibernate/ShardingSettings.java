package io.github.shardedid.hibernate;

/** The names of the settings by which Hibernate is told of a sharded cluster. */
public final class ShardingSettings {
    /**
     * The {@link io.github.shardedid.routing.RoutingDataSource}, as an object. Needed only where Hibernate's own data
     * source setting holds something else, such as a proxy around it.
     */
    public static final String ROUTING_DATA_SOURCE = "sharded-id.routing-data-source";

    /**
     * The {@link io.github.shardedid.topology.ShardPlacement} for new rows without a shard key, as an object. Without it
     * they are spread evenly.
     */
    public static final String SHARD_PLACEMENT = "sharded-id.shard-placement";

    /**
     * The {@link io.github.shardedid.generator.JvmIdOptions} of the strategy {@link IdStrategy#JVM}, as an object. Without
     * them leases last 5 minutes, and nobody is told of them.
     */
    public static final String JVM_ID_OPTIONS = "sharded-id.jvm-id-options";

    /**
     * The {@link io.github.shardedid.generator.IdStatistics} that count the ids, as an object of the same cluster. Without them
     * nobody does.
     */
    public static final String ID_STATISTICS = "sharded-id.id-statistics";

    /**
     * Whether every shard is looked at, at start, for the sequences of the entities that have a table there: true unless
     * set to false. One query per database; a database that cannot be reached is passed over.
     */
    public static final String CHECK_SEQUENCES = "sharded-id.check-sequences";

    private ShardingSettings() {}
}
