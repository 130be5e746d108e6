package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.ShardKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many round trips a save costs with a claim, and without one. */
@Tag("quick")
class ClaimRoundTripsIntegrationTests {
    private static final int SHARDS = 8;
    private static final List<WireTap> taps = new ArrayList<>();
    private static final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    static TestCluster databases;
    static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
        for (TestDatabase database : databases.databases()) {
            WireTap tap = new WireTap(database.server().port());
            taps.add(tap);
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(tap.url(database.name()));
            config.setUsername(database.server().username());
            config.setPassword(database.server().password());
            config.setMaximumPoolSize(4);
            pools.put("pg" + taps.size(), TestPools.trusting(config));
        }
        var configuration = UniqueValuesIntegrationTests.configuration(databases);
        configuration
                .getProperties()
                .put("hibernate.connection.datasource", new RoutingDataSource(databases.cluster(), pools));
        sessions = configuration.buildSessionFactory();
        for (int shard = 0; shard < SHARDS; shard++) {
            save(shard, 1, null);
            save(shard, 1, "warm" + shard);
        }
    }

    @AfterAll
    static void stop() {
        sessions.close();
        pools.values().forEach(HikariDataSource::close);
        taps.forEach(WireTap::close);
        databases.close();
    }

    /** Returns the round trips of a save of rows, whose ids are reserved before. */
    private static long save(int shard, int rows, @Nullable String email) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    List<Member> members = IntStream.range(0, rows)
                            .mapToObj(i -> new Member(email == null ? null : i == 0 ? email : email + i))
                            .toList();
                    members.forEach(session::persist);
                    long before = trips();
                    session.flush();
                    return trips() - before;
                }));
    }

    private static long trips() {
        return taps.stream().mapToLong(WireTap::turns).sum();
    }

    /** Returns a value whose claim is in a shard. */
    private static String valueIn(int shard) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "value" + shard + "x" + i)
                .filter(value -> ShardKeys.shardOf(value, SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClaimInAnotherShardCostsTwoRoundTripsAndOneInTheRowsShardOne() {
        long without = save(1, 1, null);
        assertThat(save(1, 1, valueIn(1)) - without).isEqualTo(1);
        assertThat(save(1, 1, valueIn(2)) - without).isEqualTo(2);
        assertThat(save(1, 1, valueIn(6)) - without).isEqualTo(2);
    }

    @Test
    void aFlushCostsOneRoundTripForEachShardOfClaims() {
        long without = save(1, 50, null);
        // The transaction, and one for each of the eight shards: the one of the rows tells the transaction.
        assertThat(save(1, 50, "all") - without).isEqualTo(SHARDS);
    }

    @Test
    void aRowWhoseValueStaysCostsNothing() {
        Member member = new Member(valueIn(7));
        ShardContext.run(3, () -> sessions.inTransaction(session -> session.persist(member)));
        sessions.inTransaction(session -> {
            Member found = session.find(Member.class, member.id);
            found.name = "another";
            long before = trips();
            session.flush();
            assertThat(trips() - before).isEqualTo(1);
        });
    }
}
