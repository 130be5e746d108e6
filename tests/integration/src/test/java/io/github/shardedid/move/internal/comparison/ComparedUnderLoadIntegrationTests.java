package io.github.shardedid.move.internal.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.shardedid.move.MoveUnfinishedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers are at work all the time, on many rows and on few that are written again and again. */
@Tag("quick")
class ComparedUnderLoadIntegrationTests {
    private final ExecutorService writers = Executors.newCachedThreadPool();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<Future<Long>> written = new ArrayList<>();
    private ReplicatedShard shard;

    /** Writers without a pause outrun the replication where a machine has much else to do. */
    @BeforeEach
    void replicate() {
        assumeThat(Boolean.getBoolean("sharded-id.test.longer")).isTrue();
        shard = new ReplicatedShard();
    }

    @AfterEach
    void drop() {
        stop.set(true);
        writers.shutdownNow();
        if (shard != null) {
            shard.close();
        }
    }

    @Test
    void whatIsBeingWrittenIsNoMismatchAndTheLastComparisonFindsAllEqual() throws Exception {
        startWriters();
        try (ContentComparison comparison = shard.comparison()) {
            comparison.full();
            int compared = 0;
            for (int round = 0; round < 8; round++) {
                compared += comparison.round();
            }
            stopWriters();
            shard.fence();
            compared += comparison.last(ReplicatedShard.FENCED);
            assertThat(compared).isPositive();
        }
    }

    @Test
    void aLostRowIsFoundAmongManyThatAreBeingWritten() throws Exception {
        startWriters();
        shard.tamper("DELETE FROM photo WHERE id = 2900");
        try (ContentComparison comparison = shard.comparison()) {
            assertThatThrownBy(comparison::full)
                    .isInstanceOf(MoveUnfinishedException.class)
                    .hasMessageContaining("differ in table")
                    .hasMessageContaining("in 1 of the rows")
                    .hasMessageContaining("(2900)");
        }
    }

    @Test
    void aRowThatIsChangedInTheCopyAfterAllWasComparedIsFoundUnderTheFence() throws Exception {
        startWriters();
        try (ContentComparison comparison = shard.comparison()) {
            comparison.full();
            comparison.round();
            stopWriters();
            shard.write("UPDATE photo SET liked = -5 WHERE id = 2950");
            shard.arrived();
            shard.tamper("UPDATE photo SET liked = -6 WHERE id = 2950");
            shard.fence();
            assertThatThrownBy(() -> comparison.last(ReplicatedShard.FENCED))
                    .isInstanceOf(MoveUnfinishedException.class)
                    .hasMessageContaining("differ in table")
                    .hasMessageContaining("(2950)");
        }
    }

    private void startWriters() {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        for (int i = 0; i < 2; i++) {
            Random random = new Random(seed + i);
            Callable<Long> writer = () -> writeUntilStopped(random);
            written.add(writers.submit(writer));
        }
    }

    private void stopWriters() throws InterruptedException, ExecutionException {
        stop.set(true);
        for (Future<Long> writer : written) {
            assertThat(writer.get()).isPositive();
        }
    }

    /** Rows up to 2,000 are written; those of keys below 10 all the time. */
    private Long writeUntilStopped(Random random) throws SQLException {
        long statements = 0;
        try (Connection connection = shard.source.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = " + ReplicatedShard.SCHEMA);
            while (!stop.get()) {
                statement.execute(write(random));
                statements++;
            }
        }
        return statements;
    }

    private static String write(Random random) {
        int id = 10 + random.nextInt(1_990);
        int fresh = 10_000 + random.nextInt(1_000_000);
        return switch (random.nextInt(6)) {
            case 0 -> "UPDATE photo SET liked = liked + 1 WHERE id = " + id;
            case 1 -> "INSERT INTO photo (id, caption) VALUES (" + fresh + ", 'new') ON CONFLICT DO NOTHING";
            case 2 -> "DELETE FROM photo WHERE id BETWEEN " + fresh + " AND " + (fresh + 50_000);
            case 3 -> "UPDATE photo SET caption = md5(random()::text) WHERE id < 4";
            case 4 -> "UPDATE event SET note = md5(random()::text) WHERE id = 3";
            default -> "UPDATE bag SET text = md5(random()::text) WHERE number = 1";
        };
    }
}
