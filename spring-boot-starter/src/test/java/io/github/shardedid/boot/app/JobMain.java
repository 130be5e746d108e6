package io.github.shardedid.boot.app;

import io.github.shardedid.jobs.ShardJobs;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Works on a job, as a process that is killed: two shards are done, and the work on the third one does not return. */
final class JobMain {
    private JobMain() {}

    /** The name of the job, and properties. */
    public static void main(String[] arguments) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(PhotoSharing.class).run(arguments);
        CountDownLatch never = new CountDownLatch(1);
        context.getBean(ShardJobs.class).withParallel(1).forEach(arguments[0], shard -> {
            if (shard == 1) {
                System.out.println("in the third shard");
                await(never);
            }
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
