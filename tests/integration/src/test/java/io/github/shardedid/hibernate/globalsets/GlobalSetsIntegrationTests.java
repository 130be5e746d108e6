package io.github.shardedid.hibernate.globalsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.globalsets.Accounts.Account;
import io.github.shardedid.hibernate.globalsets.Accounts.Authority;
import io.github.shardedid.hibernate.globalsets.Accounts.Tag;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import jakarta.persistence.EntityNotFoundException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.Hibernate;
import org.hibernate.ObjectNotFoundException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.query.sqm.UnknownPathException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A sharded entity with collections of global ones: the join table is in its shard, and the rows are in the global database. */
class GlobalSetsIntegrationTests {
    private static AccountsCluster cluster;
    private static SessionFactory sessions;
    private static SessionFactory cached;

    @BeforeAll
    static void start() {
        cluster = new AccountsCluster();
        sessions = cluster.sessions(false, Accounts.ENTITIES);
        cached = cluster.sessions(true, Accounts.ENTITIES);
        AccountsCluster.fill(sessions);
    }

    @AfterAll
    static void stop() {
        cached.close();
        sessions.close();
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    private static long account(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Account account = new Account(null, "account of " + shard);
                    for (int i = 0; i < AccountsCluster.TARGETS; i++) {
                        account.authorities.add(authority(session, i));
                        account.tags.add(session.getReference(Tag.class, new UUID(7, i)));
                    }
                    session.persist(account);
                    return Objects.requireNonNull(account.id);
                }));
    }

    private static Authority authority(Session session, int number) {
        return session.getReference(Authority.class, "ROLE_" + number);
    }

    /** No foreign key would refuse it. */
    @Test
    void aMergedReferenceToARowThatIsNotThereIsRefused() {
        long id = account(2);
        Account detached = sessions.fromTransaction(session -> {
            Account found = session.find(Account.class, id);
            Hibernate.initialize(found.tags);
            Hibernate.initialize(found.authorities);
            return found;
        });
        Tag missing = new Tag();
        missing.id = new UUID(7, 999);
        detached.tags.add(missing);

        assertThatExceptionOfType(EntityNotFoundException.class)
                .isThrownBy(() -> sessions.inTransaction(session -> session.merge(detached)));
        assertThat(cluster.rows(2, "SELECT account_id FROM $.account_tag WHERE account_id = " + id))
                .hasSize(AccountsCluster.TARGETS);
    }

    @Test
    void theJoinTableIsInTheShardOfItsOwner() {
        long id = account(3);
        assertThat(cluster.rows(3, "SELECT authority_name FROM $.account_authority WHERE account_id = " + id))
                .hasSize(AccountsCluster.TARGETS)
                .contains("ROLE_0");
    }

    @Test
    void theRowsAreReadTogetherAndCanBeUsedAfterTheSession() {
        long id = account(3);
        long before = sessions.getStatistics().getPrepareStatementCount();
        Account found = sessions.fromTransaction(session -> {
            Account account = session.find(Account.class, id);
            Hibernate.initialize(account.tags);
            return account;
        });
        assertThat(sessions.getStatistics().getPrepareStatementCount() - before)
                .as("the account with its badges, the join table of its tags, the tags")
                .isEqualTo(3);
        assertThat(found.tags).extracting(Tag::getTitle).hasSize(6).contains("title of tag 5");
    }

    @Test
    void whatIsCachedIsNotReadAgain() {
        long id = account(5);
        for (int round = 0; round < 3; round++) {
            long before = cached.getStatistics().getPrepareStatementCount();
            Account found = cached.fromTransaction(session -> {
                Account account = session.find(Account.class, id);
                Hibernate.initialize(account.authorities);
                return account;
            });
            assertThat(found.authorities).extracting(Authority::getTitle).hasSize(6);
            long statements = cached.getStatistics().getPrepareStatementCount() - before;
            // The badges are not cached.
            assertThat(statements).isEqualTo(round == 0 ? 3 : 1);
        }
        cached.inTransaction(
                session -> session.find(Account.class, id).authorities.remove(authority(session, 2)));
        cached.inTransaction(session -> assertThat(session.find(Account.class, id).authorities)
                .hasSize(5)
                .doesNotContain(authority(session, 2)));
    }

    @Test
    void aMissingRowIsReportedWithItsIdAndTheOwnerCanBeRemoved() {
        long id = account(1);
        cluster.databases
                .home(1)
                .execute("UPDATE shard_0001.account_authority SET authority_name = 'GONE' WHERE account_id = " + id
                        + " AND authority_name = 'ROLE_1'");
        assertThatThrownBy(() -> sessions.inTransaction(
                        session -> Hibernate.initialize(session.find(Account.class, id).authorities)))
                .isInstanceOf(ObjectNotFoundException.class)
                .hasMessageContaining("Authority")
                .hasMessageContaining("GONE");
        assertThatThrownBy(() -> sessions.inStatelessTransaction(
                        session -> session.fetch(session.get(Account.class, id).authorities)))
                .isInstanceOf(ObjectNotFoundException.class)
                .hasMessageContaining("GONE");
        sessions.inTransaction(session -> session.remove(session.find(Account.class, id)));
        assertThat(cluster.rows(1, "SELECT authority_name FROM $.account_authority WHERE account_id = " + id))
                .isEmpty();
    }

    @Test
    void aChangeOfAGlobalRowIsASecondWrite() {
        long id = account(1);
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    Account found = session.find(Account.class, id);
                    found.login = "changed";
                    found.authorities.iterator().next();
                    Hibernate.unproxy(session.find(Authority.class, "ROLE_0"), Authority.class).title = "changed";
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
    }

    @Test
    void aQueryComparesRowsAndDoesNotJoinThem() {
        long id = account(2);
        ShardContext.run(
                2,
                () -> sessions.inTransaction(session -> {
                    assertThat(session.createSelectionQuery(
                                            "select a.id from Account a join a.authorities r where r = :role and a.id = :id",
                                            Long.class)
                                    .setParameter("role", authority(session, 1))
                                    .setParameter("id", id)
                                    .getResultList())
                            .containsExactly(id);
                    assertThat(session.createSelectionQuery(
                                            "select r from Account a join a.authorities r where a.id = :id",
                                            Authority.class)
                                    .setParameter("id", id)
                                    .getResultList())
                            .extracting(Authority::getTitle)
                            .contains("title of ROLE_3");
                    assertThatExceptionOfType(UnknownPathException.class)
                            .isThrownBy(() -> session.createSelectionQuery(
                                    "from Account a join a.authorities r where r.title = 'x'", Account.class));
                }));
        EntityShards shards = EntityShards.of(sessions).orElseThrow();
        assertThat(shards.byPath(Account.class, "authorities")).isEmpty();
        assertThatExceptionOfType(ForeignShardException.class)
                .isThrownBy(() -> shards.byPath(Account.class, "authorities.title"))
                .withMessageContaining("The rows of " + Account.class.getName() + ".authorities are in other databases")
                .withMessageContaining(":row member of x.authorities");
    }

    @Test
    void whatCannotWorkIsRefusedAtStartOnce() {
        refused("Cascading.roles refers to rows of the global entity", RefusedSets.Cascading.class, "Remove cascade");
        refused("Ordered.roles refers to rows of the global entity", RefusedSets.Ordered.class, "in the application");
        refused("Keyed.roles refers to rows of the global entity", RefusedSets.Keyed.class, "in the application");
        refused("Composite.pairs refers to rows of the global entity", RefusedSets.Composite.class, "composite id");
        refused(
                "Joined.roles leads from the sharded entity",
                RefusedSets.Joined.class,
                "@ManyToMany with a join table");
        refused("AnnotatedCascade.roles has @ForeignShard, but cascades", RefusedSets.AnnotatedCascade.class, "Remove");
        refused(
                "Label.operations is the inverse side of",
                RefusedSets.Operation.class,
                "Operation.labels, which is stored in the shards of",
                "query for the rows over all shards");
    }

    @Test
    void aGlobalEntityNeedsTheAnnotation() {
        assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> cluster.sessions(
                                false, RefusedSets.Operation.class, RefusedSets.Label.class, RefusedSets.Group.class)
                        .close())
                .satisfies(refused -> assertThat(refused.problems())
                        .filteredOn(problem -> problem.contains("Group.operations leads from the global entity"))
                        .singleElement()
                        .asString()
                        .contains("Put @ForeignShard on the attribute"));
    }

    private static void refused(String problem, Class<?> entity, String... words) {
        assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> cluster.sessions(
                                false,
                                RefusedSets.Role.class,
                                RefusedSets.Pair.class,
                                entity,
                                entity == RefusedSets.Operation.class
                                        ? RefusedSets.Label.class
                                        : RefusedSets.Role.class)
                        .close())
                .satisfies(refused -> {
                    // The tables, which the databases do not have, are the other one.
                    List<String> problems = refused.problems().stream()
                            .filter(each -> !each.startsWith("The mappings need what the databases do not have"))
                            .toList();
                    assertThat(problems).as(entity.getSimpleName()).hasSize(1);
                    assertThat(problems.get(0)).contains(problem).contains(words);
                });
    }
}
