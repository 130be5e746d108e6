package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.data.domain.Limit;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Far more virtual threads than connections, and than threads that carry them: nobody waits for ever, nothing is left borrowed. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsIntegrationTests {
    private static final int THREADS = 400;

    private final RunningApp app = RunningApp.shared();

    @Test
    void hundredsOfThemShareSmallPools() throws Exception {
        try (ConfigurableApplicationContext small = app.start(
                "spring.threads.virtual.enabled=true",
                "sharded-id.hikari.maximum-pool-size=3",
                "sharded-id.hikari.connection-timeout=60000",
                "sharded-id.all-shards.longest-wait=60s")) {
            AsyncTaskExecutor threads = small.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            assertThat(threads.submit(() -> (boolean)
                                    Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()))
                            .get())
                    .isTrue();
            List<Future<Boolean>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                work.add(threads.submit(() -> use(small, number)));
            }
            for (Future<Boolean> each : work) {
                assertThat(each.get(2, TimeUnit.MINUTES)).isTrue();
            }
            await().until(() -> small.getBean(ShardedDatabases.class).byName().values().stream()
                    .allMatch(pool -> RunningApp.activeConnections(pool) == 0));
        }
    }

    private static boolean use(ConfigurableApplicationContext context, int number) {
        UserRepository users = context.getBean(UserRepository.class);
        PhotoRepository photos = context.getBean(PhotoRepository.class);
        int shard = number % 8;
        User author = ShardContext.call(shard, () -> users.save(new User("virtual " + number)));
        User elsewhere = ShardContext.call((shard + 4) % 8, () -> users.save(new User("elsewhere " + number)));
        Photo photo = photos.save(new Photo(author, "virtual"));
        boolean read = Boolean.TRUE.equals(
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).execute(status -> {
                    photos.findById(photo.id()).orElseThrow().setCaption("virtual " + number);
                    photos.flush();
                    // While a connection to one database is held, one to the other is needed.
                    return users.findById(elsewhere.id()).isPresent();
                }));
        int found = context.getBean(PhotosEverywhere.class)
                .findByCaptionOrderByIdDesc("virtual " + number, Limit.of(5))
                .size();
        return read && found == 1 && context.getBean(Cluster.class).shardOf(photo.id()) == shard;
    }
}
