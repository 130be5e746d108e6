package io.github.shardedid.generator;

/** The rules by which a change between no JVM nodes and some makes no id twice; see guarantees.md. */
enum NodesRule {
    /** No lease is granted from the beginning of a change to its end, nor where leases are closed. */
    NO_LEASE_MEANWHILE,
    /** Leases are closed once the grants that had begun before have committed. */
    AFTER_GRANTS,
    /** What is closed is remembered: the last window's end outlives the leases. */
    WINDOWS_REMEMBERED,
    /** To none: the functions take no present before the end of the last window. */
    NOT_EARLIER,
    /** To none: nor do they use room that is left in an earlier generation. */
    NO_EARLIER_ROOM,
    /** From none: calls make ids of the lower half before the first lease is granted. */
    LOWER_HALF_FIRST,
    /** From none: so do those that had begun before, since they have ended. */
    AFTER_OLD_CALLS,
    /** From none: a window starts after all that the sequences have made. */
    AFTER_LAST_IDS
}
