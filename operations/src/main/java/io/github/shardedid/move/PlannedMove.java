package io.github.shardedid.move;

/**
 * One move of a plan.
 *
 * @param shard the logical shard
 * @param source the database that owns it
 * @param target the database that is to own it
 * @param bytes what its tables and indexes take at the source, or -1 where that was not looked at
 */
public record PlannedMove(int shard, String source, String target, long bytes) {}
