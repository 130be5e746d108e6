package io.github.shardedid.move;

/**
 * One move of a plan.
 *
 * @param shard the logical shard
 * @param source the database that owns it
 * @param target the database that is to own it
 * @param bytes of its tables and indexes at the source, or -1 if unknown
 */
public record PlannedMove(int shard, String source, String target, long bytes) {}
