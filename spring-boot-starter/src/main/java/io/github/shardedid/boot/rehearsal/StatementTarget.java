package io.github.shardedid.boot.rehearsal;

/** The target of a statement. */
public enum StatementTarget {
    /** In the shard of the row that it reads or writes. */
    SHARD_OF_ROW,
    /** In the shard that the call of the repository, or the open scope, determines. */
    ONE_SHARD,
    /** In the shards of a list or condition. */
    SEVERAL_SHARDS,
    /** In all shards. */
    ALL_SHARDS,
    /** In the global database. */
    GLOBAL,
    /** Nowhere: the call of the repository that executes it would be refused before. The report has the call. */
    NOT_SENT
}
