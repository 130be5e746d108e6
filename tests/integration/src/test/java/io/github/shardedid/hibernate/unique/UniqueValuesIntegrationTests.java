package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.TestCluster;
import jakarta.persistence.TransactionRequiredException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each case of the algorithm of claims, by sessions one within the other. Eight shards on two databases. */
@Tag("quick")
class UniqueValuesIntegrationTests {
    private static final int SHARDS = 8;
    static TestCluster databases;
    static SessionFactory sessions;
    private static int number;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
        sessions = configuration(databases)
                .setProperty("jakarta.persistence.lock.timeout", "300")
                .buildSessionFactory();
    }

    static Configuration configuration(TestCluster databases) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, databases.constraining());
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setPhysicalNamingStrategy(
                new org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClasses(Guest.class, Member.class, Page.class, Page.Chapter.class);
        return configuration;
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

    /** A value that no other test has. */
    private static String fresh() {
        return "mail" + number++ + "@example.org";
    }

    private static Member saved(int shard, @Nullable String email) {
        Member member = new Member(email);
        ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(member)));
        return member;
    }

    private static void in(int shard, Consumer<Session> work) {
        ShardContext.run(shard, () -> sessions.inTransaction(work));
    }

    private static void assertDuplicate(@Nullable Long owner, Runnable work) {
        assertThatThrownBy(work::run).satisfies(thrown -> {
            Throwable found = thrown;
            while (!(found instanceof DuplicateValueException) && found.getCause() != null) {
                found = found.getCause();
            }
            assertThat(found).isInstanceOf(DuplicateValueException.class);
            assertThat(((DuplicateValueException) found).owner()).isEqualTo(owner);
            assertThat(found).hasMessageContaining("is unique over all shards");
        });
    }

    private static long rowsWith(String email) {
        long rows = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            rows += databases
                    .home(shard)
                    .queryLong("SELECT count(*) FROM shard_000" + shard + ".member WHERE lower(email) = lower('" + email
                            + "')");
        }
        return rows;
    }

    private static Long id(Member member) {
        return Objects.requireNonNull(member.id);
    }

    @Test
    void aValueOfAnotherShardIsRefusedBeforeTheRowIsSent() {
        String email = fresh();
        for (int shard = 0; shard < SHARDS; shard++) {
            if (shard == 0) {
                saved(0, email);
            } else {
                int other = shard;
                assertThatThrownBy(() -> saved(other, email)).hasStackTraceContaining("DuplicateValueException");
            }
        }
        assertThat(rowsWith(email)).isEqualTo(1);
    }

    @Test
    void theExceptionNamesTheOwner() {
        String email = fresh();
        Member owner = saved(1, email);
        assertDuplicate(owner.id, () -> saved(5, email.toUpperCase(java.util.Locale.ROOT)));
        assertThatThrownBy(() -> saved(5, email)).isInstanceOfSatisfying(DuplicateValueException.class, thrown -> {
            assertThat(thrown.attributes()).containsExactly("email");
            assertThat(thrown.entityName()).isEqualTo(Member.class.getName());
            assertThat(thrown.getConstraintName()).isEqualTo("member(lower(email))");
            assertThat(thrown.getSQLState()).isEqualTo("23505");
        });
    }

    @Test
    void aValueThatWasChangedOrRemovedIsFree() {
        String email = fresh();
        Member first = saved(1, email);
        in(1, session -> session.find(Member.class, first.id).email = fresh());
        Member second = saved(6, email);
        assertDuplicate(second.id, () -> in(1, session -> session.find(Member.class, first.id).email = email));
        in(6, session -> session.remove(session.find(Member.class, second.id)));
        in(1, session -> session.find(Member.class, first.id).email = email);
        assertThat(rowsWith(email)).isEqualTo(1);
    }

    @Test
    void aRowTakesItsOwnValueAgain() {
        String email = fresh();
        Member member = saved(3, email);
        in(3, session -> session.find(Member.class, member.id).email = null);
        in(3, session -> session.find(Member.class, member.id).email = email);
        assertDuplicate(member.id, () -> saved(4, email));
    }

    @Test
    void nullsAreNotClaimed() {
        saved(1, null);
        saved(1, null);
        saved(5, null);
    }

    @Test
    void theClaimOfATransactionThatWasRolledBackIsTakenOver() {
        String email = fresh();
        assertThatThrownBy(() -> in(2, session -> {
                    session.persist(new Member(email));
                    session.flush();
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        Member member = saved(7, email);
        assertDuplicate(member.id, () -> saved(2, email));
    }

    @Test
    void aTransactionInProgressIsWaitedForUntilTheLockTimeout() {
        for (int shard : new int[] {2, 6}) {
            String email = fresh();
            in(shard, session -> {
                session.persist(new Member(email));
                session.flush();
                for (int other = 0; other < SHARDS; other++) {
                    int at = other;
                    assertThatThrownBy(() -> saved(at, email))
                            .satisfiesAnyOf(
                                    thrown ->
                                            assertThat(thrown).hasMessageContaining("jakarta.persistence.lock.timeout"),
                                    // The claim itself is in the shard of the row, and not committed yet.
                                    thrown -> assertThat(thrown).hasStackTraceContaining("lock timeout"));
                }
            });
            assertThat(rowsWith(email)).isEqualTo(1);
        }
    }

    @Test
    void anotherTransactionThatSetsTheSameRowToTheSameValueIsWaitedFor() {
        String email = fresh();
        Member member = saved(1, fresh());
        in(1, session -> {
            session.find(Member.class, member.id).email = email;
            session.flush();
            assertThatThrownBy(() -> in(1, inner -> inner.find(Member.class, member.id).email = email))
                    .hasMessageContaining("timeout");
            assertThatThrownBy(() -> saved(6, email)).hasMessageContaining("timeout");
        });
        assertDuplicate(member.id, () -> saved(6, email));
    }

    @Test
    void aRowThatIsRemovedInTheSameTransactionGivesItsValueFree() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member first = saved(shard, email);
            Member second = new Member(email);
            in(shard, session -> {
                session.remove(session.find(Member.class, first.id));
                session.flush();
                session.persist(second);
            });
            assertDuplicate(second.id, () -> saved((number + 1) % SHARDS, email));
            assertThat(rowsWith(email)).isEqualTo(1);
        }
    }

    @Test
    void aRollbackGivesTheValueBackToTheRowFromWhichItWasTaken() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            Member first = saved(shard, email);
            int here = shard;
            assertThatThrownBy(() -> in(here, session -> {
                        session.find(Member.class, first.id).email = fresh();
                        session.flush();
                        Member second = new Member(email);
                        session.persist(second);
                        session.flush();
                        second.email = fresh();
                        session.flush();
                        session.persist(new Member(email));
                        session.flush();
                        throw new IllegalStateException("rolled back");
                    }))
                    .hasMessage("rolled back");
            for (int other = 0; other < SHARDS; other++) {
                int at = other;
                assertDuplicate(first.id, () -> saved(at, email));
            }
        }
    }

    @Test
    void aValueIsFreeAgainAfterARollbackToASavepoint() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            in(shard, session -> {
                session.doWork(connection -> {
                    Savepoint savepoint = connection.setSavepoint();
                    Member undone = new Member(email);
                    session.persist(undone);
                    session.flush();
                    connection.rollback(savepoint);
                    session.detach(undone);
                });
                session.persist(new Member(email));
            });
            assertThat(rowsWith(email)).isEqualTo(1);
        }
    }

    @Test
    void twoRowsOfOneFlushAreDuplicates() {
        String email = fresh();
        assertThatThrownBy(() -> in(2, session -> {
                    session.persist(new Member(email));
                    session.persist(new Member(email));
                }))
                .hasStackTraceContaining("DuplicateValueException");
        assertThat(rowsWith(email)).isZero();
    }

    @Test
    void aSnapshotDoesNotMakeAValueFree() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String email = fresh();
            int here = shard;
            assertThatThrownBy(() -> in(here, session -> {
                        session.doWork(connection ->
                                connection.setTransactionIsolation(java.sql.Connection.TRANSACTION_REPEATABLE_READ));
                        session.createSelectionQuery("from Member", Member.class)
                                .getResultList();
                        Thread other = new Thread(() -> saved(here, email));
                        other.start();
                        join(other);
                        session.persist(new Member(email));
                    }))
                    .isInstanceOf(RuntimeException.class);
            assertThat(rowsWith(email)).isEqualTo(1);
        }
    }

    private static void join(Thread other) {
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStaleObjectDoesNotWriteBackItsValue() {
        String email = fresh();
        Member first = saved(1, email);
        in(1, session -> {
            Member read = session.find(Member.class, first.id);
            Thread other = new Thread(() -> {
                in(1, inner -> inner.find(Member.class, first.id).email = fresh());
                saved(5, email);
            });
            other.start();
            join(other);
            read.name = "changed";
        });
        assertThat(rowsWith(email)).isEqualTo(1);
    }

    @Test
    void aStatelessSessionClaimsToo() {
        String email = fresh();
        Member member = new Member(email);
        ShardContext.run(2, () -> sessions.inStatelessTransaction(session -> session.insert(member)));
        assertDuplicate(
                member.id,
                () -> ShardContext.run(
                        6, () -> sessions.inStatelessTransaction(session -> session.insert(new Member(email)))));
        Member other = saved(6, fresh());
        other.email = email;
        assertDuplicate(member.id, () -> sessions.inStatelessTransaction(session -> session.update(other)));
        assertDuplicate(member.id, () -> sessions.inStatelessTransaction(session -> session.upsert(other)));
        assertThatThrownBy(() -> ShardContext.run(2, () -> {
                    try (var session = sessions.openStatelessSession()) {
                        session.insert(new Member(fresh()));
                    }
                }))
                .isInstanceOf(TransactionRequiredException.class);
        assertThat(rowsWith(email)).isEqualTo(1);
    }

    @Test
    void aDetachedRowIsMergedWithItsValue() {
        String email = fresh();
        Member first = saved(1, email);
        Member second = saved(5, fresh());
        second.email = email;
        assertDuplicate(first.id, () -> in(5, session -> session.merge(second)));
        first.name = "merged";
        in(1, session -> session.merge(first));
    }

    @Test
    void aBulkStatementIsRefused() {
        for (String hql : List.of(
                "update Member set email = 'x' where id = 1",
                "update Page set owner = null, address.slug = 'x' where id = 1",
                "update Chapter set number = 3 where id = 1")) {
            assertThatThrownBy(() ->
                            in(1, session -> session.createMutationQuery(hql).executeUpdate()))
                    .hasStackTraceContaining(WrongShardException.class.getName())
                    .hasStackTraceContaining("unique over all shards");
        }
        in(1, session -> session.createMutationQuery("update Member set email = null")
                .executeUpdate());
    }

    @Test
    void combinationsEmbeddablesConvertersAndSubclassesAreClaimed() {
        Member owner = saved(1, null);
        Member other = saved(5, null);
        Page page = new Page(owner, "a");
        Objects.requireNonNull(page.address).code = "code";
        sessions.inTransaction(session -> session.persist(page));
        sessions.inTransaction(session -> session.persist(new Page(other, "a")));
        assertDuplicate(page.id, () -> sessions.inTransaction(session -> session.persist(new Page(owner, "a"))));
        Page coded = new Page(other, "b");
        Objects.requireNonNull(coded.address).code = "code";
        assertDuplicate(page.id, () -> sessions.inTransaction(session -> session.persist(coded)));
        coded.address.code = "edoc";
        coded.id = null;
        sessions.inTransaction(session -> session.persist(coded));
        Page.Chapter chapter = new Page.Chapter(owner, 3);
        sessions.inTransaction(session -> session.persist(chapter));
        assertDuplicate(
                chapter.id, () -> sessions.inTransaction(session -> session.persist(new Page.Chapter(other, 3))));
        Page.Chapter slug = new Page.Chapter(owner, null);
        slug.address = new Page.Address("a");
        assertDuplicate(page.id, () -> sessions.inTransaction(session -> session.persist(slug)));
        assertThat(databases.home(1).query("SELECT count(*) FROM shard_0001.page"))
                .isNotEmpty();
    }

    @Test
    void longTextsAreClaimedByTheirHash() {
        String email = "x".repeat(10_000) + fresh();
        Member member = saved(1, email);
        assertDuplicate(member.id, () -> saved(4, email));
        saved(4, email + "!");
        Member hash = saved(2, "#" + fresh());
        assertDuplicate(hash.id, () -> saved(3, hash.email));
    }

    @Test
    void aPresetIdIsClaimedFor() {
        String email = fresh();
        Member imported = new Member(email);
        imported.id = id(saved(3, null)) + 1;
        in(3, session -> session.persist(imported));
        assertDuplicate(imported.id, () -> saved(4, email));
    }

    @Test
    void whatCannotBeClaimedIsRefusedAtStart() {
        List.of(
                        UnclaimedMappings.OwnId.class,
                        UnclaimedMappings.Generated.class,
                        UnclaimedMappings.Decimal.class,
                        UnclaimedMappings.Global.class,
                        UnclaimedMappings.Unknown.class,
                        UnclaimedMappings.Elements.class,
                        UnclaimedMappings.Twice.class,
                        UnclaimedMappings.ByDefault.class)
                .forEach(type -> assertThatThrownBy(() -> configuration(databases)
                                .addAnnotatedClass(type)
                                .buildSessionFactory()
                                .close())
                        .as(type.getSimpleName())
                        .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                        .hasStackTraceContaining("@UniqueAcrossShards"));
    }
}
