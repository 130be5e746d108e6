package io.github.shardedid.jobs;

import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardRanges;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something in each shard of a cluster: in a few threads, by one process of all at a time, and continued by the next call after
 * a failure or a crash. Each thread has opened the scope of its shard; a shard that moves meanwhile is worked on where it is then.
 *
 * <p>A shard whose work has returned is recorded and not worked on again in the same run. If the process dies between the two, or the
 * shard moves while a transaction is open, the work on that shard is repeated. It should thus be one transaction that can be repeated.
 *
 * <p>The tables of the records, {@code sharded_id_job} and {@code sharded_id_job_shard}, are created when a job is first called, in
 * the current schema of the data source, which needs the privilege {@code CREATE} on it then. Immutable, and safe for use by several
 * threads.
 */
public final class ShardJobs {
    /** The default number of shards that are worked on at the same time. */
    public static final int DEFAULT_PARALLEL = 4;

    private static final Logger LOG = LoggerFactory.getLogger(ShardJobs.class);
    private static final int LONGEST_NAME = 200;

    private final Cluster cluster;
    private final DataSource records;
    private final int parallel;
    private final Consumer<Progress> listener;

    /**
     * Creates an instance that works on {@value #DEFAULT_PARALLEL} shards at the same time.
     *
     * @param cluster the shards
     * @param records where jobs are recorded: the same data source in all processes. Each running job holds one of its connections,
     *     whose session must be its own, as sessions behind a pooler are not
     */
    public ShardJobs(Cluster cluster, DataSource records) {
        this(cluster, records, DEFAULT_PARALLEL, progress -> {});
    }

    private ShardJobs(Cluster cluster, DataSource records, int parallel, Consumer<Progress> listener) {
        this.cluster = cluster;
        this.records = records;
        this.parallel = parallel;
        this.listener = listener;
    }

    /**
     * With another number of threads.
     *
     * @param shards how many shards are worked on at the same time, at least 1
     * @return a copy with that number
     * @throws IllegalArgumentException if it is less than 1
     */
    public ShardJobs withParallel(int shards) {
        if (shards < 1) {
            throw new IllegalArgumentException("A job works on at least 1 shard at a time, not " + shards + ".");
        }
        return new ShardJobs(cluster, records, shards, listener);
    }

    /**
     * With a listener.
     *
     * @param progress is called when a shard has been completed or has failed, by several threads
     * @return a copy with that listener
     */
    public ShardJobs withListener(Consumer<Progress> progress) {
        return new ShardJobs(cluster, records, parallel, progress);
    }

    /**
     * Works on all shards, or on those that the last call has left over. If shards fail, the others are worked on nevertheless.
     *
     * @param job the name of the job, of 1 to 200 characters; one process at a time works on a job of a name
     * @param work is called with the number of each shard, in that shard's scope, by threads of the job: without the caller's
     *     transaction
     * @return how many shards were done, or that another call is working on the job
     * @throws ShardJobFailedException if shards have failed, the records cannot be reached, or the thread was interrupted
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public Result forEach(String job, IntConsumer work) {
        if (job.isBlank() || job.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "The name of a job has 1 to " + LONGEST_NAME + " characters, unlike \"" + job + "\".");
        }
        try (JobRecords locked = JobRecords.lock(records, job)) {
            if (locked == null) {
                LOG.info("Job {} is being executed elsewhere", job);
                return new Result(job, false, 0, 0, 0);
            }
            return forEach(job, work, locked);
        } catch (SQLException e) {
            throw new ShardJobFailedException(
                    "The records of job " + job + " cannot be used: " + e.getMessage() + ". Call the job again later.",
                    Map.of(),
                    e);
        }
    }

    private Result forEach(String job, IntConsumer work, JobRecords locked) throws SQLException {
        BitSet before = locked.begin(cluster.shardCount());
        List<Integer> shards = JobThreads.order(cluster.map().get(), before);
        int earlier = before.cardinality();
        LOG.info("Job {}, run {}: {} shards, {} are done already", job, locked.run(), shards.size(), earlier);
        JobThreads threads = new JobThreads(
                locked,
                work,
                (done, failed) ->
                        listener.accept(new Progress(job, locked.run(), earlier + done, failed, cluster.shardCount())));
        threads.run("sharded-id-job-" + job, shards, parallel);
        boolean all = threads.done() == shards.size();
        // What ended the threads has most probably broken the records' connection; the next call finishes a run that is
        // done.
        if (all && threads.end() == null) {
            locked.finish();
        }
        if (!all || threads.end() != null) {
            throw failed(job, threads, all);
        }
        LOG.info("Job {}, run {}: all shards are done", job, locked.run());
        return new Result(job, true, locked.run(), threads.done(), earlier);
    }

    private ShardJobFailedException failed(String job, JobThreads threads, boolean all) {
        Map<Integer, Throwable> failures = threads.failures();
        Throwable end = threads.end();
        StringBuilder message = new StringBuilder("Job ").append(job);
        if (end instanceof InterruptedException) {
            message.append(" was interrupted.");
        } else if (end != null) {
            message.append(" ended early: ").append(end).append('.');
        }
        if (!failures.isEmpty()) {
            int[] shards = failures.keySet().stream()
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
            message.append(end == null ? " failed" : " It failed")
                    .append(" in shards ")
                    .append(ShardRanges.of(shards));
            message.append(": ").append(failures.get(shards[0])).append('.');
        }
        message.append(
                all
                        ? " All shards had been done before: the next call begins a new run."
                        : " The shards that are done are recorded: call the job again to continue with the others.");
        Throwable first =
                failures.isEmpty() ? null : failures.values().iterator().next();
        return new ShardJobFailedException(message.toString(), failures, end != null ? end : first);
    }

    /**
     * The progress of a run of a job. Immutable.
     *
     * @param job the name of the job
     * @param run the number of the run, from 1
     * @param done the number of shards that are completed, including those of earlier calls
     * @param failed the number of shards that have failed in this call
     * @param shards the number of shards of the cluster
     */
    public record Progress(String job, long run, int done, int failed, int shards) {}

    /**
     * The result of a call of {@link #forEach}. Immutable.
     *
     * @param job the name of the job
     * @param started false if another thread or process was executing the job, so that nothing was done
     * @param run the number of the run, from 1; 0 if not started
     * @param done the number of shards that this call has completed
     * @param doneBefore the number of shards that earlier calls of the same run had completed
     */
    public record Result(String job, boolean started, long run, int done, int doneBefore) {}
}
