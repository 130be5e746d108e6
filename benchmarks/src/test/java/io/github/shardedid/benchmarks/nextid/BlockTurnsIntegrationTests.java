package io.github.shardedid.benchmarks.nextid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Round trips of ids that the library fetches in blocks, counted on the wire. */
@Tag("embedded-only")
class BlockTurnsIntegrationTests {
    private static final int IDS = 10_000;

    /** Blocks of 1, 8, 64 and 512 ids, and then ten of 1,024. */
    private static final long TURNS = 12;

    /** If a second passes before a block is used up, they begin anew. Blocks that grow less are more turns than this. */
    private static final long ONCE_ANEW = 4;

    static WireTap tap;
    static ShardedDatabases sharded;

    @BeforeAll
    static void start() {
        tap = new WireTap(PostgresServers.shared(1).port());
        sharded = TestPools.trusting(BlockTurnsIntegrationTests::behindTheTap);
    }

    private static ShardedDatabases behindTheTap() {
        try {
            String name = PostgresServers.shared(1).newDatabase().name();
            return ShardedDatabases.withTables(IdLayout.DEFAULT, 8, new Database(tap.url(name)));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    static void stop() {
        sharded.close();
        tap.close();
    }

    @Test
    void tenThousandIdsAreTwelveTurns() throws Exception {
        assertThat(ids(2)).isPositive(); // has the connection open and the statement parsed
        tap.reset();

        long last = ids(IDS);

        assertThat(tap.turns()).isBetween(TURNS, TURNS + ONCE_ANEW);
        assertThat(IdLayout.DEFAULT.decode(last).shard()).isEqualTo(BlockClient.SHARD);
    }

    /** So many ids of a new source, each above the one before; returns the last. */
    private static long ids(int count) throws Exception {
        long last = 0;
        try (BlockClient client = new BlockClient(new DatabaseIdSource(IdLayout.DEFAULT), sharded)) {
            for (int i = 0; i < count; i++) {
                long id = client.call();
                assertThat(id).isGreaterThan(last);
                last = id;
            }
        }
        return last;
    }
}
