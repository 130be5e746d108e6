package io.github.shardedid.benchmarks.nextid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an id of the database costs in the write-ahead log, which does not depend on the machine. */
@Tag("embedded-only")
class WriteAheadLogIntegrationTests {
    /** What others log on the same server now and then counts too: the least of some attempts is ours. */
    private static final int ATTEMPTS = 5;

    /** A record of a sequence's state once in 32 ids. */
    private static final double BYTES_OF_A_DENSE_ID = 8;

    /** A record of a sequence's state for each. */
    private static final double BYTES_OF_AN_ISOLATED_ID = 130;

    static Database database;
    static ShardedDatabases sharded;
    static Connection connection;

    @BeforeAll
    static void start() throws Exception {
        database = Database.create(1);
        sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, 8, database);
        connection = database.connect();
        SqlWay.createSequenceOfOurs(database, "dense");
        SqlWay.createSequenceOfOurs(database, "isolated");
    }

    @AfterAll
    static void stop() throws Exception {
        connection.close();
        sharded.close();
    }

    @Test
    void idsOneAfterTheOtherShareARecord() throws Exception {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS; i++) {
            least = Math.min(least, WriteAheadLog.dense(connection, SqlWay.OURS, "dense", 10_000));
        }

        assertThat(least).isPositive().isLessThanOrEqualTo(BYTES_OF_A_DENSE_ID);
    }

    @Test
    void anIsolatedIdIsOneSmallRecord() throws Exception {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS; i++) {
            least = Math.min(least, WriteAheadLog.isolated(connection, SqlWay.OURS, "isolated", 100));
        }

        assertThat(least).isPositive().isLessThanOrEqualTo(BYTES_OF_AN_ISOLATED_ID);
    }
}
