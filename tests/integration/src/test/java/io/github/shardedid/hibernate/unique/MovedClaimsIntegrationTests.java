package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shard 0 moves to the other database, with claims of its own and of others, and with rows whose claims are elsewhere. */
@Tag("quick")
class MovedClaimsIntegrationTests {
    private static final int SHARDS = 4;

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
    private final SessionFactory sessions = UniqueValuesIntegrationTests.configuration(databases)
            .setProperty("jakarta.persistence.lock.timeout", "500")
            .buildSessionFactory();

    @AfterEach
    void close() {
        sessions.close();
        databases.close();
    }

    private void move() {
        Map<String, ReplicationSource> sources = new TreeMap<>();
        List<TestDatabase> all = databases.databases();
        for (int i = 0; i < all.size(); i++) {
            var server = all.get(i).server();
            sources.put(
                    "pg" + (i + 1),
                    new ReplicationSource(
                            server.peerHost(),
                            server.peerPort(),
                            all.get(i).name(),
                            server.username(),
                            server.password()));
        }
        new ShardMover(
                        databases.definition(),
                        databases.sources(),
                        ShardMigrations.at("classpath:db/unique"),
                        MoveOptions.DEFAULT.withReplicationSources(sources))
                .move(0, "pg2");
    }

    private Member saved(int shard, String email) {
        Member member = new Member(email);
        ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(member)));
        return member;
    }

    private static List<String> values() {
        List<String> values = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            int at = shard;
            IntStream.range(0, 1000)
                    .mapToObj(i -> "value" + i)
                    .filter(value -> ShardKeys.shardOf(value, SHARDS) == at)
                    .limit(3)
                    .forEach(values::add);
        }
        return values;
    }

    @Test
    void claimsHoldAfterAMoveOfTheirShardAndOfTheirRows() {
        List<String> values = values();
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            members.add(saved(i % SHARDS, values.get(i)));
        }
        // Claims of rows that were never committed: their transactions have ended in a home that shard 0 leaves.
        List<String> free = values.stream().map(value -> "never " + value).toList();
        free.forEach(value -> assertThatThrownBy(() -> ShardContext.run(
                        0,
                        () -> sessions.inTransaction(session -> {
                            session.persist(new Member(value));
                            session.flush();
                            throw new IllegalStateException("rolled back");
                        })))
                .hasMessage("rolled back"));
        move();

        for (int shard = 0; shard < SHARDS; shard++) {
            for (int i = 0; i < values.size(); i++) {
                int at = shard;
                String value = values.get(i);
                Long owner = members.get(i).id;
                assertThatThrownBy(() -> saved(at, value))
                        .isInstanceOfSatisfying(DuplicateValueException.class, thrown -> assertThat(thrown.owner())
                                .isEqualTo(owner));
            }
        }
        for (int i = 0; i < free.size(); i++) {
            saved(i % SHARDS, free.get(i));
        }
        members.forEach(
                member -> sessions.inTransaction(session -> session.remove(session.find(Member.class, member.id))));
        values.forEach(value -> saved(1, value));
        assertThat(databases.home(1).queryLong("SELECT count(*) FROM shard_0001.member WHERE email LIKE 'value%'"))
                .isEqualTo(values.size());
    }

    /** The fence waits for locks on the shard's tables: otherwise a row could be sent after its transaction was taken for ended. */
    @Test
    void aTransactionThatHasClaimedKeepsItsShardWhereItIs() {
        String elsewhere = IntStream.range(0, 1000)
                .mapToObj(i -> "elsewhere" + i)
                .filter(value -> ShardKeys.shardOf(value, SHARDS) != 0)
                .findFirst()
                .orElseThrow();
        ShardContext.run(
                0,
                () -> sessions.inTransaction(session -> {
                    session.persist(new Member(elsewhere));
                    session.flush();
                    assertThat(databases
                                    .home(0)
                                    .query(
                                            "SELECT mode FROM pg_locks WHERE relation = 'shard_0000.sharded_id_claim'::regclass"
                                                    + " AND granted"))
                            .containsExactly("AccessShareLock");
                }));
    }

    /** The database that the shard has left must not be asked whether a transaction has ended. */
    @Test
    void anInstanceThatDoesNotKnowOfAMoveWaitsForTheTransactionOfAClaim() {
        String value = IntStream.range(0, 1000)
                .mapToObj(i -> "contested" + i)
                .filter(each -> ShardKeys.shardOf(each, SHARDS) == SHARDS - 1)
                .findFirst()
                .orElseThrow();
        HandMadeMove.of(databases, 0).prepare("classpath:db/unique").finish();
        Configuration informed = UniqueValuesIntegrationTests.configuration(databases);
        informed.getProperties().put("hibernate.connection.datasource", databases.configured(IdLayout.DEFAULT));
        try (SessionFactory other = informed.buildSessionFactory()) {
            ShardContext.run(
                    0,
                    () -> other.inTransaction(session -> {
                        session.persist(new Member(value));
                        session.flush();
                        assertThatThrownBy(() -> saved(1, value)).hasMessageContaining("has not ended within");
                    }));
        }
        assertThatThrownBy(() -> saved(1, value)).isInstanceOf(DuplicateValueException.class);
    }
}
