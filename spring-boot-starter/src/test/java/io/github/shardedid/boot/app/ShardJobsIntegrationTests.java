package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.shardedid.jobs.ShardJobFailedException;
import io.github.shardedid.jobs.ShardJobs;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.test.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;

/** Jobs over eight shards of two databases, recorded on pg2. */
@Tag("quick")
class ShardJobsIntegrationTests {
    private static final Integer[] ALL = {0, 1, 2, 3, 4, 5, 6, 7};

    private final RunningApp app = RunningApp.shared();
    private final ShardJobs jobs = app.bean(ShardJobs.class);
    private final String job = "job " + UUID.randomUUID();

    /** As the documentation shows it. */
    record Cleaning(ShardJobs jobs, JdbcClient jdbc) {
        @Scheduled(cron = "0 0 3 * * *")
        void removeOldVisits() {
            jobs.forEach("remove old visits", shard -> jdbc.sql("DELETE FROM visit WHERE id < :oldest")
                    .param("oldest", oldest(shard))
                    .update());
        }

        private static long oldest(int shard) {
            return shard;
        }
    }

    @Test
    void worksInTheScopeOfEachShardOnce() {
        List<ShardJobs.Progress> progress = Collections.synchronizedList(new ArrayList<>());
        ShardJobs.Result result = jobs.withListener(progress::add)
                .forEach(job, shard -> app.bean(UserRepository.class).save(new User(job)));

        assertThat(result).isEqualTo(new ShardJobs.Result(job, true, 1, 8, 0));
        for (int shard : ALL) {
            assertThat(app.query(shard, "SELECT count(*) FROM $.app_user WHERE name = '" + job + "'"))
                    .containsExactly("1");
        }
        assertThat(progress).hasSize(8).contains(new ShardJobs.Progress(job, 1, 8, 0, 8));
        assertThat(jobs.forEach(job, shard -> {})).isEqualTo(new ShardJobs.Result(job, true, 2, 8, 0));
    }

    @Test
    void theDocumentedJobRuns() {
        new Cleaning(jobs, app.bean(JdbcClient.class)).removeOldVisits();
        assertThat(app.home(4)
                        .query("SELECT finished_at IS NOT NULL FROM sharded_global.sharded_id_job"
                                + " WHERE name = 'remove old visits'"))
                .containsExactly("t");
    }

    @Test
    void noMoreThreadsThanAskedFor() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        jobs.withParallel(3).forEach(job, shard -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            three.countDown();
            await(three);
            now.decrementAndGet();
        });
        assertThat(most).hasValue(3);
        assertThatThrownBy(() -> jobs.withParallel(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> jobs.forEach(" ", shard -> {})).isInstanceOf(IllegalArgumentException.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void continuesWithTheShardsThatHaveFailed() {
        ShardJobFailedException failed = catchThrowableOfType(
                ShardJobFailedException.class,
                () -> jobs.forEach(job, shard -> {
                    if (shard % 3 == 0) {
                        throw new IllegalStateException("no luck in " + shard);
                    }
                }));
        assertThat(failed)
                .hasMessageContaining(job)
                .hasMessageContaining("0, 3, 6")
                .hasMessageContaining("no luck in 0");
        assertThat(failed.failures()).containsOnlyKeys(0, 3, 6);

        Set<Integer> again = new ConcurrentSkipListSet<>();
        assertThat(jobs.forEach(job, again::add)).isEqualTo(new ShardJobs.Result(job, true, 1, 3, 5));
        assertThat(again).containsExactly(0, 3, 6);
    }

    /** Kotlin's lambdas throw checked exceptions, too. */
    @Test
    void whateverIsThrownIsAFailureOfTheShard() {
        for (Throwable thrown :
                List.of(new IOException("unreadable"), new SQLException("gone"), new StackOverflowError())) {
            ShardJobFailedException failed = catchThrowableOfType(
                    ShardJobFailedException.class, () -> jobs.withParallel(1).forEach(job, shard -> {
                        if (shard == 3) {
                            throw sneaky(thrown);
                        }
                    }));
            assertThat(failed.failures()).containsOnlyKeys(3).containsValue(thrown);
            assertThat(jobs.forEach(job, shard -> {}).done()).isEqualTo(1);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void aListenerThatFailsEndsTheJobAndLeavesNoShardOut() {
        Set<Integer> first = new ConcurrentSkipListSet<>();
        ShardJobs failing = jobs.withParallel(1).withListener(progress -> {
            if (progress.done() == 3) {
                throw new AssertionError("no more");
            }
        });
        assertThatThrownBy(() -> failing.forEach(job, first::add))
                .isInstanceOf(ShardJobFailedException.class)
                .hasMessageContaining("ended early: java.lang.AssertionError: no more")
                .hasMessageContaining("call the job again to continue with the others");
        assertThat(first).hasSize(3);
        assertThat(jobs.forEach(job, shard -> {})).isEqualTo(new ShardJobs.Result(job, true, 1, 5, 3));
    }

    @Test
    void aRunThatHasDoneAllShardsIsNotContinued() {
        ShardJobs failing = jobs.withParallel(1).withListener(progress -> {
            if (progress.done() == 8) {
                throw new IllegalStateException("too late");
            }
        });
        assertThatThrownBy(() -> failing.forEach(job, shard -> {}))
                .isInstanceOf(ShardJobFailedException.class)
                .hasMessageContaining("the next call begins a new run");
        assertThat(jobs.forEach(job, shard -> {})).isEqualTo(new ShardJobs.Result(job, true, 2, 8, 0));
        // As a process leaves it that dies after the last shard.
        app.home(4).execute("UPDATE sharded_global.sharded_id_job SET finished_at = NULL WHERE name = '" + job + "'");
        assertThat(jobs.forEach(job, shard -> {})).isEqualTo(new ShardJobs.Result(job, true, 3, 8, 0));
    }

    @Test
    void onlyOneCallAtATime() {
        List<ShardJobs.Result> inner = Collections.synchronizedList(new ArrayList<>());
        jobs.withParallel(1).forEach(job, shard -> inner.add(jobs.forEach(job, other -> {})));
        assertThat(inner).hasSize(8).containsOnly(new ShardJobs.Result(job, false, 0, 0, 0));
        assertThat(jobs.forEach(job + " too", shard -> {}).started()).isTrue();
    }

    @Test
    void whoLosesItsSessionStopsAndAnotherContinues() {
        Set<Integer> first = new ConcurrentSkipListSet<>();
        Set<Integer> second = new ConcurrentSkipListSet<>();
        assertThatThrownBy(() -> jobs.withParallel(1).forEach(job, shard -> {
                    first.add(shard);
                    if (first.size() == 3) {
                        app.home(4)
                                .query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                                        + " AND granted AND pid <> pg_backend_pid() AND (classid::bigint << 32 | objid::bigint)"
                                        + " = hashtextextended('sharded-id job " + job + "', 0)");
                    }
                }))
                .isInstanceOf(ShardJobFailedException.class)
                .hasMessageContaining("ended early");
        assertThat(first).hasSize(3);

        assertThat(jobs.forEach(job, second::add)).isEqualTo(new ShardJobs.Result(job, true, 1, 6, 2));
        first.addAll(second);
        assertThat(first).containsExactly(ALL);
    }

    /** The order is 0, 4, 1, …: one shard of each database after the other. */
    @Test
    @Tag("attack")
    void continuesTheJobOfAProcessThatWasKilled() throws IOException {
        List<String> command = JavaCommand.of(JobMain.class.getName(), job, "--spring.docker.compose.enabled=false");
        app.properties().forEach((name, value) -> command.add("--" + name + "=" + value));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> printed = new ArrayList<>();
            assertThat(output.lines().peek(printed::add).anyMatch(line -> line.contains("in the third shard")))
                    .as(() -> String.join("\n", printed))
                    .isTrue();
            assertThat(jobs.forEach(job, shard -> {}).started()).isFalse();
        } finally {
            process.destroyForcibly();
        }
        Set<Integer> continued = new ConcurrentSkipListSet<>();
        Awaitility.await().untilAsserted(() -> assertThat(jobs.forEach(job, continued::add))
                .isEqualTo(new ShardJobs.Result(job, true, 1, 6, 2)));
        assertThat(continued).containsExactly(1, 2, 3, 5, 6, 7);
    }

    @Test
    void repeatsAShardThatMovedInTheMiddle() {
        AtomicInteger calls = new AtomicInteger();
        ShardJobs.Result result = jobs.forEach(job, shard -> {
            assertThat(ShardContext.current()).hasValue(shard);
            if (shard == 5 && calls.incrementAndGet() == 1) {
                throw new IllegalStateException(new ShardMovedException("moved", 5, "pg2", "pg1", false, null));
            }
        });
        assertThat(result.done()).isEqualTo(8);
        assertThat(calls).hasValue(2);
    }

    @Test
    void stopsWhenInterrupted() {
        Set<Integer> worked = new ConcurrentSkipListSet<>();
        Thread caller = Thread.currentThread();
        assertThatThrownBy(() -> jobs.withParallel(1).forEach(job, shard -> {
                    worked.add(shard);
                    caller.interrupt();
                    await(new CountDownLatch(1));
                }))
                .isInstanceOf(ShardJobFailedException.class)
                .hasMessageContaining("was interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(worked).hasSize(1);
        assertThat(jobs.forEach(job, shard -> {}).done()).isEqualTo(8);
    }
}
