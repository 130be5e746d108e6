package io.github.shardedid.generator;

/** Why the database generated an id instead of the JVM. */
public enum FallbackReason {
    /** The shard is used for the first time, or again after its lease was released: a lease is being requested. */
    NO_LEASE_YET,
    /** Other JVMs hold all nodes of the shard. */
    NO_NODE_FREE,
    /** Leases that this server may not know must expire first: 5 minutes at most, unless the database's clock has stepped back. */
    EARLIER_LEASES,
    /** The cluster has another number of JVM nodes than this JVM is configured with, or none. */
    OTHER_DIVISION,
    /** Another session has locked the shard's leases. */
    LOCKED,
    /** The lease could not be acquired or renewed: the database could not be reached, or refused the statement. */
    DATABASE_UNREACHABLE,
    /** A burst of ids has run ahead of the clock as far as {@link JvmIdOptions#ahead()} allows. */
    AHEAD_OF_CLOCK,
    /** The database's clock is before the layout's epoch or past its end. */
    EPOCH_EXHAUSTED,
    /** The source is closed. */
    CLOSED
}
