package io.github.shardedid.jobs;

/**
 * How far a run of a job is. Immutable.
 *
 * @param job the name of the job
 * @param run the number of the run, from 1
 * @param done the number of shards that are completed, including those of earlier calls
 * @param failed the number of shards that have failed in this call
 * @param shards the number of shards of the cluster
 */
public record ShardJobProgress(String job, long run, int done, int failed, int shards) {}
