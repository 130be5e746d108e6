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
    private static int number;

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
        for (int round = 0; round < 4; round++) {
            for (int shard = 4; shard < SHARDS + 4; shard++) {
                save(shard % SHARDS, new Guest("guest" + round + "x" + shard));
            }
        }
        save(0, new Member("warm0"));
        save(4, new Member("warm4"));
    }

    @AfterAll
    static void stop() {
        sessions.close();
        pools.values().forEach(HikariDataSource::close);
        taps.forEach(WireTap::close);
        databases.close();
    }

    /** Returns the round trips of a transaction that saves a row, from its begin to its end. */
    private static long save(int shard, Object... rows) {
        long before = trips();
        ShardContext.run(
                shard, () -> sessions.inTransaction(session -> List.of(rows).forEach(session::persist)));
        return trips() - before;
    }

    private static Object[] guests(int count, @Nullable String email) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Guest(email == null ? null : email + i))
                .toArray();
    }

    private static long trips() {
        return taps.stream().mapToLong(WireTap::turns).sum();
    }

    /** Returns another value whose claim is in a shard. */
    private static String valueIn(int shard) {
        String name = "value" + number++ + "x";
        return IntStream.range(0, 10_000)
                .mapToObj(i -> name + i)
                .filter(value -> ShardKeys.shardOf(value, SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** The begin tells the transaction id, the claim is committed by itself, and the commit goes with the insert. */
    @Test
    void aClaimInAnotherShardCostsTwoRoundTripsOfARowWithAnIdOfTheJvm() {
        assertThat(save(1, new Guest(null))).isEqualTo(1);
        assertThat(save(1, new Guest(valueIn(2)))).isEqualTo(3);
        assertThat(save(1, new Guest(valueIn(6)))).isEqualTo(3);
    }

    /** The round trip that reserves the id tells the transaction id, too. */
    @Test
    void aClaimInAnotherShardCostsOneRoundTripOfARowWithAnIdOfTheDatabase() {
        assertThat(save(2, new Member((String) null))).isEqualTo(2);
        assertThat(save(3, new Member(valueIn(1)))).isEqualTo(3);
        assertThat(save(5, new Member(valueIn(0)))).isEqualTo(3);
    }

    @Test
    void aClaimInTheShardOfTheRowIsAPartOfItsTransaction() {
        assertThat(save(7, new Guest(valueIn(7)))).isEqualTo(2);
        assertThat(save(6, new Member(valueIn(6)))).isEqualTo(3);
    }

    @Test
    void aFlushCostsOneRoundTripForEachShardOfClaims() {
        Object[] without = guests(50, null);
        Object[] with = guests(50, "all");
        save(1, guests(50, null));
        long before = save(1, without);
        // That of the rows' shard begins the transaction; the commit does not go with so many rows.
        assertThat(save(1, with) - before).isEqualTo(SHARDS);
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
