package io.github.shardedid.jobs;

/**
 * How a call of {@link ShardJobs#forEach} ended. Immutable.
 *
 * @param job the name of the job
 * @param started false if another thread or process was executing the job, so that nothing was done
 * @param run the number of the run, from 1; 0 if not started
 * @param done the number of shards that this call has completed
 * @param doneBefore the number of shards that earlier calls of the same run had completed
 */
public record ShardJobResult(String job, boolean started, long run, int done, int doneBefore) {}
