package io.github.shardedid.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an index and the WAL take per row, which no other work of the server may disturb. */
@Tag("embedded-only")
class IndexIntegrationTests {
    private static final int BATCHES = 10;
    private static final int ROWS_OF_A_BATCH = 5_000;

    static PostgresServer server;
    static IndexFigures figures;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServers.start(Map.of("max_wal_size", "1GB", "checkpoint_timeout", "1h", "autovacuum", "off"));
        figures = new IndexFigures(new Database(server.newDatabase().url()));
        figures.fill(BATCHES, ROWS_OF_A_BATCH);
    }

    @AfterAll
    static void stop() throws Exception {
        figures.close();
        server.close();
    }

    @Test
    void theIndexIsAsDenseAsThatOfSerialNumbers() throws Exception {
        double ours = figures.table(IdKind.OURS).indexBytesOfARow();

        assertThat(ours / figures.table(IdKind.BIGSERIAL).indexBytesOfARow())
                .as("%s bytes of the index per row ÷ bigserial", ours)
                .isBetween(0.5, 1.1);
        assertThat(ours / figures.table(IdKind.UUID_V4).indexBytesOfARow())
                .as("%s bytes of the index per row ÷ UUIDv4", ours)
                .isLessThan(0.65);
    }

    @Test
    void aRowOfABulkWritesHardlyMoreToTheLogThanOneOfSerialNumbers() {
        double ours = figures.table(IdKind.OURS).walBytesOfARow();

        assertThat(ours / figures.table(IdKind.BIGSERIAL).walBytesOfARow())
                .as("%s bytes of WAL per row ÷ bigserial", ours)
                .isBetween(0.5, 1.1);
    }
}
