package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.ReferringRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import java.io.StringReader;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims of rows that are erased and restored with those of a key. The oracle is SQL over all schemas. */
@Tag("quick")
class ErasedClaimsIntegrationTests {
    private static final int SHARDS = 8;
    private static final int SHARD = 2;

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
    private final SessionFactory sessions =
            UniqueValuesIntegrationTests.configuration(databases).buildSessionFactory();
    private final KeyRows rows = KeyRows.of(sessions).orElseThrow();

    @AfterEach
    void close() {
        sessions.close();
        assertThat(databases.activeConnections()).isZero();
        databases.close();
    }

    private List<String> claims() {
        return IntStream.range(0, SHARDS)
                .boxed()
                .flatMap(shard -> databases
                        .home(shard)
                        .query("SELECT attribute || value || id FROM shard_000" + shard
                                + ".sharded_id_claim WHERE attribute <> '#state'")
                        .stream())
                .sorted()
                .toList();
    }

    /** With 30 pages, the last one without a value. */
    private long member(String email) {
        Member member = new Member(email);
        ShardContext.run(
                SHARD,
                () -> sessions.inTransaction(session -> {
                    session.persist(member);
                    for (int i = 0; i < 29; i++) {
                        Page page = new Page(member, "slug" + i);
                        Objects.requireNonNull(page.address).code = email + i;
                        session.persist(page);
                    }
                    session.persist(new Page(member, null));
                }));
        return Objects.requireNonNull(member.id);
    }

    private void save(int shard, String email) {
        ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(new Member(email))));
    }

    @Test
    void theClaimsOfErasedRowsAreRemovedAndThoseOfRestoredOnesMade() {
        member("ann@example.org");
        List<String> others = claims();
        long bob = member("bob@example.org");
        List<String> all = claims();
        assertThat(all).hasSize(2 * others.size()).hasSizeGreaterThan(100);

        StringBuilder lines = new StringBuilder();
        rows.export(Member.class, bob, lines);
        Report report = rows.erase(Member.class, bob);
        assertThat(claims()).isEqualTo(others);
        assertThat(report.referring()).isEmpty();
        assertThat(report.left()).isZero();

        save(5, "Bob@example.org");
        assertThatThrownBy(() -> rows.restore(new StringReader(lines.toString())))
                .isInstanceOf(DuplicateValueException.class)
                .hasMessageContaining("Member.email");
        assertThat(rows.count(Member.class, member("eve@example.org")).rows()).isEqualTo(31);
        ShardContext.run(
                5,
                () -> sessions.inTransaction(
                        session -> session.createMutationQuery("delete Member").executeUpdate()));
        rows.restore(new StringReader(lines.toString()));
        assertThat(claims()).containsAll(all);
        assertThatThrownBy(() -> save(4, "BOB@example.org")).isInstanceOf(DuplicateValueException.class);
        assertThat(check()).isEmpty();
    }

    private List<String> check() {
        return UniqueAcrossShards.Claims.of(sessions).orElseThrow().check(false, line -> {});
    }

    /** The rows are gone all the same, and the report says what is left. */
    @Test
    void claimsOfADatabaseThatIsDownAreLeftAndReported() {
        long bob = member("bob@example.org");
        int there = IntStream.range(0, SHARDS)
                .filter(shard -> !databases.home(shard).equals(databases.home(SHARD)))
                .findFirst()
                .orElseThrow();
        IntStream.range(0, SHARDS)
                .filter(shard -> databases.home(shard).equals(databases.home(there)))
                .forEach(shard -> rename(shard, "sharded_id_claim", "hidden"));
        Report report = rows.erase(Member.class, bob);
        assertThat(report.left()).isZero();
        assertThat(report.referring())
                .singleElement()
                .satisfies(each -> assertThat(each.columns()).contains("sharded_id_claim"))
                .returns(false, ReferringRows::obstacle);
        IntStream.range(0, SHARDS)
                .filter(shard -> databases.home(shard).equals(databases.home(there)))
                .forEach(shard -> rename(shard, "hidden", "sharded_id_claim"));
        assertThat(claims()).isNotEmpty();
        save(4, "bob@example.org");
        UniqueAcrossShards.Claims.of(sessions).orElseThrow().check(true, line -> {});
        assertThat(claims()).hasSize(1);
    }

    private void rename(int shard, String from, String to) {
        databases.home(shard).execute("ALTER TABLE shard_000" + shard + "." + from + " RENAME TO " + to);
    }
}
