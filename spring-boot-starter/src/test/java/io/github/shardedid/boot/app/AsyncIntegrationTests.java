package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.TaskExecutor;

/** The scope of a shard goes along to other threads; a transaction does not. */
@Tag("quick")
class AsyncIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final UserRepository users = app.bean(UserRepository.class);
    private final BackgroundUsers background = app.bean(BackgroundUsers.class);

    @Test
    void whatIsAsyncRunsInTheShardOfItsCaller() {
        for (int shard = 0; shard < 8; shard++) {
            String name = "async in " + shard;
            User saved = ShardContext.call(shard, () -> background.save(name)).join();

            assertThat(app.shardOf(saved.id())).isEqualTo(shard);
            assertThat(ShardContext.call(shard, () -> background.find(name))
                            .join()
                            .id())
                    .isEqualTo(saved.id());
        }
    }

    @Test
    void whatIsAsyncOutsideAnyShardIsRefusedAlsoOnAThreadThatServedAShardBefore() {
        ShardContext.call(3, () -> background.save("before")).join();

        assertThatThrownBy(() -> background.find("anybody").join()).hasRootCauseInstanceOf(NoShardException.class);
    }

    @Test
    void whatIsAsyncOverAllShardsAsksThemAll() {
        String name = "everywhere";
        ShardContext.call(1, () -> background.save(name)).join();
        User last = ShardContext.call(ShardSet.of(java.util.List.of(6)), () -> background.find(name))
                .join();

        assertThat(last).isNull();
        assertThat(ShardContext.call(ShardSet.all(), () -> background.find(name))
                        .join())
                .isNotNull();
    }

    @Test
    void aTransactionStaysWhereItIs() {
        User away = app.inTransaction(() -> {
            app.userIn(2);
            return ShardContext.call(6, () -> background.save("in a transaction of its own"))
                    .join();
        });

        assertThat(app.shardOf(away.id())).isEqualTo(6);
        assertThat(users.findById(away.id())).isPresent();
    }

    @Test
    void aFutureOnAnExecutorThatCarriesRunsInTheShardOfItsCaller() {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Executor carrying = ShardContext.carrying(threads);
            for (int shard = 0; shard < 8; shard++) {
                CompletableFuture<User> saved = ShardContext.call(
                        shard, () -> CompletableFuture.supplyAsync(() -> users.save(new User("future")), carrying));

                assertThat(app.shardOf(saved.join().id())).isEqualTo(shard);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void bootsExecutorCarriesByItself() {
        Executor executor = app.bean(TaskExecutor.class);
        for (int shard = 0; shard < 8; shard++) {
            CompletableFuture<User> saved = ShardContext.call(
                    shard, () -> CompletableFuture.supplyAsync(() -> users.save(new User("future")), executor));

            assertThat(app.shardOf(saved.join().id())).isEqualTo(shard);
        }
    }

    @Test
    void virtualThreadsAreCarriedToWhereThereAreAny() {
        try (ConfigurableApplicationContext other = app.start("spring.threads.virtual.enabled=true")) {
            for (int shard = 0; shard < 8; shard++) {
                User saved = ShardContext.call(shard, () -> other.getBean(BackgroundUsers.class)
                                .save("virtual"))
                        .join();

                assertThat(app.shardOf(saved.id())).isEqualTo(shard);
            }
        }
    }
}
