package io.github.shardedid.generator;

/** Why the database made an id that a JVM node could have made. */
public enum FallbackReason {
    /** The shard is used for the first time, or again after its lease was given back: a lease is being asked for. */
    NO_LEASE_YET,
    /** Other JVMs hold all nodes of the shard. */
    NO_NODE_FREE,
    /**
     * Leases that this server may not know of, or that were granted before {@code jvm-nodes} was changed, have to run out
     * first: 5 minutes at most, unless the database's clock has stepped back.
     */
    EARLIER_LEASES,
    /**
     * The cluster divides the sequence among another number of nodes than this JVM believes, or among none, or the number is
     * being changed.
     */
    OTHER_DIVISION,
    /** Another session has locked the shard's leases. */
    LOCKED,
    /** The lease could not be granted or renewed, because the database could not be reached or refused the statement. */
    DATABASE_UNREACHABLE,
    /** More ids were made than the node has room for: they have run ahead of the clock as far as they may. */
    AHEAD_OF_CLOCK,
    /** The database's clock is before the layout's epoch or past its end. */
    EPOCH_EXHAUSTED,
    /** The source is closed. */
    CLOSED
}
