package io.github.shardedid.move;

/** The rules by which a move loses nothing and leaves exactly one home; see guarantees.md. */
enum MoveRule {
    /** A mover acts in each database under a lock that it holds there, by the session that holds it. */
    LOCK_IN_BOTH,
    /** What is about to be done is committed to the journal first. */
    JOURNAL_BEFORE_STEP,
    /** A copy that is begun again begins empty. */
    EMPTY_BEFORE_COPY,
    /** The fence goes up when no transaction is open that has written to the shard. */
    LOCK_BEFORE_RENAME,
    /** Behind the fence the schema has another name: who names the shard's reads nothing there. */
    RENAME_SCHEMA,
    /** Behind the fence nothing is written, by whatever name. */
    REFUSE_WRITES_IN_OLD_COPY,
    /** Behind the fence the sequences make no id, by whatever name. */
    REFUSE_IDS_OF_OLD_COPY,
    /** Only replication writes to a copy that is not the shard yet. */
    REFUSE_WRITES_IN_NEW_COPY,
    /** The target becomes the shard when the marker that was committed with the fence has arrived. */
    MARKER_BEFORE_SWITCH,
    /** Each fence has a marker of its own: that of a fence that was given up says nothing. */
    MARKER_OF_THIS_FENCE,
    /** Sequences are carried over when the fence is up. */
    SEQUENCES_UNDER_FENCE,
    /** So are the leases of JVM nodes. */
    LEASES_UNDER_FENCE,
    /** No change arrives by replication once the target is the shard. */
    DISABLE_BEFORE_SWITCH,
    /** The new home has a higher generation than the old one. */
    GENERATION_PLUS_ONE,
    /** An abort asks the target whether it is the shard already. */
    ASK_BEFORE_ABORT
}
