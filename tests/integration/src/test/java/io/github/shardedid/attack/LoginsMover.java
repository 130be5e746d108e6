package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Moves a shard to the other server, and back. A move that a crash has stopped is resumed until it is done. For one thread. */
final class LoginsMover {
    private static final int SHARD = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String UNFINISHED =
            "SELECT count(*) FROM sharded_id.move WHERE step NOT IN ('DONE', 'ABORTED')";

    private static final String OLD_COPIES =
            "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'shard\\_0001\\_fenced\\_%'";

    private final BankCluster cluster;
    private CompletableFuture<?> move = CompletableFuture.completedFuture(null);
    private String home = "pg1";

    LoginsMover(BankCluster cluster) {
        this.cluster = cluster;
    }

    /** Waits until the move is done. */
    void join() {
        move.join();
    }

    /** Begins a move. */
    void start() {
        start(progress -> {});
    }

    /** Begins a move, and returns after a server has crashed at a step of it. */
    void startAndCrash(MoveStep step, String database) {
        CompletableFuture<Void> crashed = new CompletableFuture<>();
        AtomicBoolean reached = new AtomicBoolean();
        start(progress -> {
            if (progress.step() == step && !reached.getAndSet(true)) {
                crash(cluster.database(database));
                crashed.complete(null);
            }
        });
        CompletableFuture.anyOf(crashed, move).join();
        assertThat(crashed).as("crash of %s at %s", database, step).isCompleted();
    }

    static void crash(TestDatabase database) {
        database.server().stop();
        database.server().start();
    }

    private void start(Consumer<MoveProgress> listener) {
        join();
        String from = home;
        String to = home.equals("pg1") ? "pg2" : "pg1";
        move = OwnThread.run(() -> complete(from, to, listener));
        home = to;
    }

    private void complete(String from, String to, Consumer<MoveProgress> listener) {
        ShardMover mover = cluster.mover(MoveOptions.DEFAULT.withListener(listener::accept));
        try {
            mover.move(SHARD, to);
        } catch (ShardedIdException e) {
            System.err.println("The move to " + to + " is resumed: " + e);
        }
        patiently()
                .until(() -> isDone(to)
                        || (isUnfinished() ? mover.resume(SHARD) : mover.move(SHARD, to)).step() == MoveStep.DONE);
        patiently().until(() -> {
            if (hasOldCopy(from)) {
                mover.dropOldCopy(SHARD, from);
            }
            return !hasOldCopy(from);
        });
    }

    private static ConditionFactory patiently() {
        return Awaitility.await()
                .timeout(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptions();
    }

    private boolean isDone(String to) {
        return !isUnfinished() && cluster.map().databaseOf(SHARD).equals(to);
    }

    private boolean hasOldCopy(String from) {
        return cluster.database(from).queryLong(OLD_COPIES) > 0;
    }

    private boolean isUnfinished() {
        return cluster.databases().values().stream().anyMatch(database -> database.queryLong(UNFINISHED) > 0);
    }
}
