package io.github.shardedid.hibernate;

/** The names of Hibernate settings for a sharded cluster. */
public final class ShardingSettings {
    /**
     * The {@link io.github.shardedid.routing.RoutingDataSource}, as an object. Needed only if Hibernate's own data source setting is
     * something that does not unwrap to it.
     */
    public static final String ROUTING_DATA_SOURCE = "sharded-id.routing-data-source";

    /**
     * The {@link io.github.shardedid.topology.ShardPlacement} for new rows without a shard key, as an object. By default they are
     * spread evenly.
     */
    public static final String SHARD_PLACEMENT = "sharded-id.shard-placement";

    /**
     * The {@link io.github.shardedid.generator.JvmIdOptions} of the strategy {@link IdStrategy#JVM}, as an object. By default leases
     * last 5 minutes and have no listener.
     */
    public static final String JVM_ID_OPTIONS = "sharded-id.jvm-id-options";

    /**
     * The {@link io.github.shardedid.generator.IdStatistics} that count the ids, as an object of the same cluster. Optional.
     */
    public static final String ID_STATISTICS = "sharded-id.id-statistics";

    /**
     * Whether to check at start-up that each shard with an entity's table has its sequence, too: true by default. One query per
     * database; a database that cannot be reached is skipped.
     */
    public static final String CHECK_SEQUENCES = "sharded-id.check-sequences";

    /**
     * Whether to log at start-up the tables that the mappings need, and the first shard of a database, or the global database, does not
     * have: by default as {@link #CHECK_SEQUENCES}. One query per database; a database that cannot be reached is skipped.
     */
    public static final String CHECK_TABLES = "sharded-id.check-tables";

    /**
     * Whether missing tables and columns fail the start: false by default. {@code hibernate.hbm2ddl.auto=validate} sets it.
     */
    public static final String VALIDATE_TABLES = "sharded-id.validate-tables";

    /** Whether {@link #VALIDATE_TABLES} compares all shards, instead of the first one of each database: false by default. */
    public static final String VALIDATE_ALL_SHARDS = "sharded-id.validate-all-shards";

    private ShardingSettings() {}
}
