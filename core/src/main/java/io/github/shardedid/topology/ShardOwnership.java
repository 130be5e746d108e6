package io.github.shardedid.topology;

/**
 * What a database says of a shard that it owns.
 *
 * @param shard the logical shard
 * @param database the name of the database that said so
 * @param generation how often the shard has changed its home, from 1 up; of two owners the higher generation is right
 */
public record ShardOwnership(int shard, String database, long generation) {}
