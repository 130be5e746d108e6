package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What SQL and Java say of the same id or shard key is the same. */
// What it finds does not depend on how the server is packaged.
@Tag("slow")
@Tag("embedded-only")
class LayoutFunctionsIntegrationTests {
    private static final int RANDOM_FIELDS = 2_000;

    static Stream<IdLayout> layouts() {
        return Stream.of(
                IdLayout.DEFAULT,
                IdLayout.DEFAULT.withJvmNodes(0),
                new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 0),
                new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 4),
                new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.MILLISECONDS, 42, 10, 12, 64));
    }

    @Test
    void thePublishedVectorsComeOutAsPublished() {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT.withJvmNodes(32), 2000);
        cluster.without("nothing").provision();
        TestDatabase database = cluster.database("pg1");

        assertThat(database.queryLong("SELECT sharded_id.shard_of_key(31341)")).isEqualTo(1341);
        assertThat(database.queryLong("SELECT sharded_id.encode(1387263000, 1341, 5001 % 1024)"))
                .isEqualTo(11637205501278089L);
        assertThat(database.queryLong("SELECT sharded_id.encode(0, 0, 0)")).isZero();
        assertThat(database.queryLong("SELECT sharded_id.encode((2^40)::bigint - 1, 8191, 1023)"))
                .isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> database.query("SELECT sharded_id.encode((2^40)::bigint, 0, 0)"))
                .hasStackTraceContaining("do not fit into the layout");
        assertThat(database.query("SELECT d::text FROM sharded_id.decode(11637205501278089) d"))
                .singleElement()
                .asString()
                .endsWith(",1341,24,905)");
        assertThatThrownBy(() -> database.query("SELECT sharded_id.shard_of(-1)"))
                .hasStackTraceContaining("-1 is no id of the layout");
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void randomFieldsAreEncodedAndDecodedAlike(IdLayout layout) throws SQLException {
        TestCluster cluster = TestCluster.ofOne(layout, Math.min(4, layout.maxShards()));
        cluster.provision();
        long seed = System.nanoTime();
        System.err.println("seed " + seed);
        Random random = new Random(seed);
        try (Connection connection = cluster.database("pg1").connect();
                PreparedStatement sql = connection.prepareStatement("SELECT e, d.*, sharded_id.shard_of(e),"
                        + " sharded_id.timestamp_of(d.instant) FROM sharded_id.encode(?, ?, ?) e,"
                        + " LATERAL sharded_id.decode(e) d")) {
            for (int i = 0; i < RANDOM_FIELDS; i++) {
                long timestamp = i == 0 ? layout.maxTimestamp() : random.nextLong() & layout.maxTimestamp();
                int shard = random.nextInt(layout.maxShards());
                int sequence = random.nextInt(1 << layout.sequenceBits());
                sql.setLong(1, timestamp);
                sql.setInt(2, shard);
                sql.setInt(3, sequence);
                check(layout.decode(layout.encode(timestamp, shard, sequence)), timestamp, sql);
            }
        }
    }

    private static void check(DecodedId java, long timestamp, PreparedStatement sql) throws SQLException {
        try (ResultSet row = sql.executeQuery()) {
            row.next();
            assertThat(row.getLong(1)).isEqualTo(java.id());
            assertThat(row.getObject("instant", OffsetDateTime.class).toInstant())
                    .isEqualTo(java.instant());
            assertThat(row.getInt("shard")).isEqualTo(java.shard());
            assertThat(row.getObject("node"))
                    .isEqualTo(java.node().isPresent() ? java.node().getAsInt() : null);
            assertThat(row.getInt("sequence")).isEqualTo(java.sequence());
            assertThat(row.getInt("shard_of")).isEqualTo(java.shard());
            assertThat(row.getLong("timestamp_of")).isEqualTo(timestamp);
        }
    }

    @Test
    void instantsOutsideTheLayoutsTimeAreRefused() {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 1);
        cluster.provision();
        TestDatabase database = cluster.database("pg1");

        assertThat(database.queryLong("SELECT sharded_id.timestamp_of('2011-08-24 21:07:01.721999+00')"))
                .isZero();
        assertThatThrownBy(() -> database.query("SELECT sharded_id.timestamp_of('2011-08-24 21:07:01.720999+00')"))
                .hasStackTraceContaining("lies outside the time of the layout");
        assertThatThrownBy(() -> database.query("SELECT sharded_id.timestamp_of('2046-06-28+00')"))
                .hasStackTraceContaining("lies outside the time of the layout");
    }

    @Test
    void shardKeysChooseTheSameShardInSqlAndInJava() throws SQLException {
        int shards = 1999;
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 1).with(IdLayout.DEFAULT, shards);
        TestCluster whole = cluster.without("pg1").with("pg1", cluster.database("pg1"), "0-" + (shards - 1));
        whole.provision();
        long seed = System.nanoTime();
        System.err.println("seed " + seed);
        Random random = new Random(seed);
        try (Connection connection = whole.database("pg1").connect();
                PreparedStatement sql = connection.prepareStatement("SELECT sharded_id.shard_of_key(?::bigint),"
                        + " sharded_id.shard_of_key(?::text), sharded_id.shard_of_key(?::uuid)")) {
            for (int i = 0; i < RANDOM_FIELDS; i++) {
                long number = i == 0 ? Long.MIN_VALUE : i == 1 ? Long.MAX_VALUE : random.nextLong();
                String text = i == 0 ? "" : randomText(random);
                UUID uuid = new UUID(random.nextLong(), random.nextLong());
                sql.setLong(1, number);
                sql.setString(2, text);
                sql.setObject(3, uuid);
                try (ResultSet row = sql.executeQuery()) {
                    row.next();
                    assertThat(row.getInt(1)).isEqualTo(ShardKeys.shardOf(number, shards));
                    assertThat(row.getInt(2)).as(text).isEqualTo(ShardKeys.shardOf(text, shards));
                    assertThat(row.getInt(3)).isEqualTo(ShardKeys.shardOf(uuid, shards));
                }
            }
        }
    }

    /** Letters of all planes, without what PostgreSQL cannot store: zeros and halves of surrogate pairs. */
    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        random.ints(random.nextInt(12), 1, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .forEach(text::appendCodePoint);
        return text.toString();
    }
}
