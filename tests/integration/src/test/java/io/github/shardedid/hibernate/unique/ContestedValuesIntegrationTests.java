package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Attempts to store a value twice, or to lose one: by savepoints, by ids of transactions that are used again, by texts that are written in several
 * ways. The rows are in each shard in turn, so that their claims are in it or in another one. Eight shards on two databases.
 */
@Tag("quick")
class ContestedValuesIntegrationTests {
    private static final int SHARDS = 8;
    static TestCluster databases;
    static SessionFactory sessions;
    private static int number;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
        sessions = UniqueValuesIntegrationTests.configuration(databases)
                .setProperty("jakarta.persistence.lock.timeout", "300")
                .buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(databases.activeConnections()).isZero();
    }

    private static String fresh() {
        return "contested" + number++ + "@example.org";
    }

    private static Member saved(int shard, @Nullable String email) {
        Member member = new Member(email);
        in(shard, session -> session.persist(member));
        return member;
    }

    private static void in(int shard, Consumer<Session> work) {
        ShardContext.run(shard, () -> sessions.inTransaction(work));
    }

    private static Member flushed(Session session, @Nullable String email) {
        Member member = new Member(email);
        session.persist(member);
        session.flush();
        return member;
    }

    private static void change(Session session, Member member, @Nullable String email) {
        member.email = email;
        session.flush();
    }

    /** Work of a session after which its transaction is rolled back to where it was before. */
    private static void undone(Session session, Runnable work) {
        session.doWork(connection -> {
            Savepoint before = connection.setSavepoint();
            work.run();
            connection.rollback(before);
            session.clear();
        });
    }

    private static List<String> rowsWith(String email) {
        List<String> rows = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            rows.addAll(databases
                    .home(shard)
                    .query("SELECT id FROM shard_000" + shard + ".member WHERE lower(email) = lower('" + email + "')"));
        }
        return rows;
    }

    /** From each shard, the value is refused, and exactly the owner has it. */
    private static void assertOwned(String email, Member owner) {
        for (int shard = 0; shard < SHARDS; shard++) {
            int other = shard;
            assertThatThrownBy(() -> saved(other, email))
                    .isInstanceOfSatisfying(DuplicateValueException.class, thrown -> assertThat(thrown.owner())
                            .isEqualTo(owner.id));
        }
        assertThat(rowsWith(email)).containsExactly(String.valueOf(owner.id));
    }

    private static String table(int shard) {
        return "shard_000" + shard + ".sharded_id_claim";
    }

    /** Changes the claim of a value, wherever it is. */
    private static void changeClaim(String email, String assignments) {
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("UPDATE " + table(shard) + " SET " + assignments + " WHERE value = '" + email + "'");
        }
    }

    @Test
    void aRollbackToASavepointGivesTheValueBackToARowOfTheSameTransaction() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            List<Member> owner = new ArrayList<>();
            in(shard, session -> {
                Member first = flushed(session, email);
                owner.add(first);
                undone(session, () -> {
                    change(session, first, null);
                    Member second = flushed(session, email);
                    change(session, second, null);
                    flushed(session, email);
                });
            });
            assertOwned(email, owner.get(0));
        }
    }

    @Test
    void aRollbackToASavepointGivesTheValueBackToTheSecondOfThreeRows() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member before = saved(shard, email);
            List<Member> owner = new ArrayList<>();
            in(shard, session -> {
                change(session, session.find(Member.class, before.id), null);
                owner.add(flushed(session, email));
                undone(session, () -> {
                    change(session, owner.get(0), null);
                    flushed(session, email);
                });
            });
            assertOwned(email, owner.get(0));
        }
    }

    @Test
    void aRollbackToASavepointGivesTheValueBackBeforeTheSameIdTakesItAgain() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member owner = saved(shard, email);
            in(shard, session -> {
                flushed(session, null);
                Member second = new Member(email);
                undone(session, () -> {
                    change(session, session.find(Member.class, owner.id), null);
                    session.persist(second);
                    session.flush();
                });
                Member again = new Member(email);
                again.id = second.id;
                session.persist(again);
                assertThatThrownBy(session::flush).isInstanceOf(DuplicateValueException.class);
                session.clear();
            });
            assertOwned(email, owner);
        }
    }

    @Test
    void aRollbackToASavepointUndoesThatAValueWasGivenUp() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member owner = saved(shard, email);
            int here = shard;
            in(shard, session -> {
                undone(session, () -> {
                    session.remove(session.find(Member.class, owner.id));
                    session.flush();
                    flushed(session, email);
                });
                assertThatThrownBy(() -> flushed(session, email)).isInstanceOf(DuplicateValueException.class);
                session.clear();
                assertThatThrownBy(() -> saved((here + 1) % SHARDS, email)).isNotNull();
            });
            assertOwned(email, owner);
        }
    }

    @Test
    void twoRowsExchangeTheirValuesOneAfterTheOther() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String one = fresh();
            String other = fresh();
            Member first = saved(shard, one);
            Member second = saved(shard, other);
            int here = shard;
            assertThatThrownBy(() -> in(here, session -> {
                        session.find(Member.class, first.id).email = other;
                        session.find(Member.class, second.id).email = one;
                    }))
                    .hasStackTraceContaining("DuplicateValueException");
            for (boolean commits : new boolean[] {false, true}) {
                try {
                    in(here, session -> {
                        Member a = session.find(Member.class, first.id);
                        Member b = session.find(Member.class, second.id);
                        change(session, a, null);
                        change(session, b, one);
                        change(session, a, other);
                        if (!commits) {
                            throw new IllegalStateException("rolled back");
                        }
                    });
                } catch (IllegalStateException e) {
                    assertThat(commits).isFalse();
                }
                assertOwned(one, commits ? second : first);
                assertOwned(other, commits ? first : second);
            }
        }
    }

    /** A row that is removed in the same flush is deleted last: a unique index, too, would refuse the new one. */
    @Test
    void aRemovedRowAndANewOneInOneFlushAreDuplicates() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member owner = saved(shard, email);
            int here = shard;
            assertThatThrownBy(() -> in(here, session -> {
                        session.remove(session.find(Member.class, owner.id));
                        session.persist(new Member(email));
                    }))
                    .hasStackTraceContaining("DuplicateValueException");
            assertOwned(email, owner);
        }
    }

    /** After a crash, a transaction may get the id of another one, whose claim is of the same database. */
    @Test
    void theClaimOfAnotherTransactionWithTheSameIdIsNotTakenForOnesOwn() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            int sibling = shard / 4 * 4 + (shard + 1) % 4;
            Member owner = saved(sibling, email);
            int here = shard;
            assertThatThrownBy(() -> in(here, session -> {
                        long id = session.doReturningWork(ContestedValuesIntegrationTests::transactionId);
                        changeClaim(email, "transaction = '" + id + "@0'");
                        session.persist(new Member(email));
                    }))
                    .isNotNull();
            assertOwned(email, owner);
        }
    }

    private static long transactionId(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT pg_current_xact_id()::text::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void transactionsOfTheFutureAndOfOtherDatabasesHaveEnded() {
        for (String change : List.of("transaction = '4611686018427387904@0'", "database = 'gone'", "generation = 99")) {
            for (int shard = 0; shard < SHARDS; shard += 3) {
                String email = fresh();
                Member owner = saved(shard, email);
                changeClaim(email, change);
                assertOwned(email, owner);
                in(shard, session -> session.find(Member.class, owner.id).email = null);
                changeClaim(email, change);
                assertOwned(email, saved((shard + 1) % SHARDS, email));
            }
        }
    }

    @Test
    void aClaimThatWasDeletedIsMadeAgain() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member gone = saved(shard, email);
            in(shard, session -> session.remove(session.find(Member.class, gone.id)));
            for (int each = 0; each < SHARDS; each++) {
                databases.home(each).execute("DELETE FROM " + table(each) + " WHERE value = '" + email + "'");
            }
            assertOwned(email, saved((shard + 3) % SHARDS, email));
        }
    }

    /** All that Java takes for one text but for its case, and what PostgreSQL takes for one. */
    @Test
    void textsThatDifferInCaseAreOneValue() {
        String end = fresh();
        for (List<String> same : List.of(
                List.of("straße", "STRASSE", "Strasse", "STRAẞE"),
                List.of("İstanbul", "İSTANBUL", "i̇stanbul"),
                List.of("ΟΔΟΣ", "οδος", "οδοσ", "Οδοσ"),
                List.of("ﬁn", "FIN", "fin"),
                List.of("\u0390", "\u03aa\u0301", "\u03b9\u0308\u0301", "\u0399\u0308\u0301"),
                List.of("caf\u00e9", "cafe\u0301", "CAF\u00c9"))) {
            Member owner = saved(2, same.get(0) + end);
            for (String other : same) {
                for (int shard = 0; shard < SHARDS; shard += 3) {
                    int here = shard;
                    assertThatThrownBy(() -> saved(here, other + end))
                            .as(other)
                            .isInstanceOfSatisfying(DuplicateValueException.class, thrown -> assertThat(thrown.owner())
                                    .isEqualTo(owner.id));
                }
            }
        }
    }

    /** A column of type {@code char(n)} adds blanks at the end, and one of type {@code varchar(n)} cuts them off. */
    @Test
    void blanksAtTheEndOfATextDoNotCount() {
        String email = fresh();
        Member owner = saved(1, email + " ");
        Member before = saved(6, " " + email);
        assertOwned(" " + email, before);
        for (String other : List.of(email, email + "   ")) {
            for (int shard = 0; shard < SHARDS; shard++) {
                int here = shard;
                assertThatThrownBy(() -> saved(here, other))
                        .isInstanceOfSatisfying(DuplicateValueException.class, thrown -> assertThat(thrown.owner())
                                .isEqualTo(owner.id));
            }
        }
    }

    @Test
    void whatPostgresqlCannotStoreIsRefused() {
        for (String text : List.of("a\u0000b", "a\ud800b", "\udc00", "x".repeat(300) + "\ud800")) {
            String email = text + fresh();
            assertThatThrownBy(() -> saved(1, email)).isNotNull();
            assertThatThrownBy(() -> saved(6, email)).isNotNull();
        }
        assertThat(rowsWith("a?b")).isEmpty();
    }

    @Test
    void severalRowsOfAStatelessSessionAreDuplicates() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            int here = shard;
            assertThatThrownBy(() -> ShardContext.run(
                            here,
                            () -> sessions.inStatelessTransaction(session -> session.insertMultiple(List.of(
                                    new Member(email),
                                    new Member(fresh()),
                                    new Member(email.toUpperCase(Locale.ROOT)))))))
                    .isInstanceOf(DuplicateValueException.class);
            assertThat(rowsWith(email)).isEmpty();
            Member owner = new Member(email);
            ShardContext.run(
                    here, () -> sessions.inStatelessTransaction(session -> session.insertMultiple(List.of(owner))));
            assertOwned(email, owner);
        }
    }

    @Test
    void aRefusedValueLeavesTheTransactionsOtherValuesFree() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String taken = fresh();
            String free = fresh();
            Member owner = saved((shard + 2) % SHARDS, taken);
            in(shard, session -> {
                session.persist(new Member(free));
                session.persist(new Member(taken));
                assertThatThrownBy(session::flush).isInstanceOf(DuplicateValueException.class);
                session.clear();
            });
            assertOwned(taken, owner);
            assertOwned(free, saved((shard + 5) % SHARDS, free));
        }
    }

    @Test
    void aTransactionThatHasGivenUpAValueKeepsItUntilItEnds() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member owner = saved(shard, email);
            Member next = new Member(email);
            in(shard, session -> {
                change(session, session.find(Member.class, Objects.requireNonNull(owner.id)), null);
                for (int other = 0; other < SHARDS; other++) {
                    int at = other;
                    assertThatThrownBy(() -> saved(at, email)).isInstanceOf(DuplicateValueException.class);
                }
            });
            in((shard + 1) % SHARDS, session -> session.persist(next));
            assertOwned(email, next);
        }
    }
}
