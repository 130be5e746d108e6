package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What must not happen is refused, before anything is sent, and leaves nothing behind. */
@Tag("quick")
class GuardsIntegrationTests {
    static HibernateCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    @Test
    void aSecondShardInOneTransactionIsRefusedAndNothingIsWritten() {
        Author one = cluster.authorIn(1);
        Author sameDatabase = cluster.authorIn(2);
        Author otherDatabase = cluster.authorIn(6);
        for (Author second : new Author[] {sameDatabase, otherDatabase}) {
            assertThatThrownBy(() -> cluster.inTransaction(session -> {
                        session.find(Author.class, one.id).name = "changed";
                        session.find(Author.class, second.id).name = "changed";
                    }))
                    .hasStackTraceContaining(SecondWriteShardException.class.getName())
                    .hasStackTraceContaining(String.valueOf(one.id))
                    .hasStackTraceContaining(String.valueOf(second.id));
        }
        for (Author author : new Author[] {one, sameDatabase, otherDatabase}) {
            String name = cluster.fromTransaction(session -> session.find(Author.class, author.id).name);
            assertThat(name).startsWith("author of shard");
        }
    }

    /** Without a key, each of eight shards would be as likely, and all but one be refused. */
    @Test
    void aNewRootIsStoredInTheShardThatItsTransactionHasWrittenTo() {
        Author deleted = cluster.authorIn(5);
        List<Author> added =
                Stream.generate(() -> new Author("added")).limit(12).toList();
        cluster.inTransaction(session -> {
            session.remove(session.find(Author.class, deleted.id));
            session.flush();
            added.forEach(session::persist);
        });
        assertThat(added).allMatch(author -> cluster.shardOf(author.id) == 5);
        assertThat(cluster.databases.idsIn(5, "author"))
                .containsAll(added.stream().map(author -> author.id).toList())
                .doesNotContain(deleted.id);

        assertThatThrownBy(() -> cluster.inTransaction(session -> {
                    session.find(Author.class, added.get(0).id).name = "kept";
                    session.flush();
                    ShardContext.run(6, () -> session.persist(new Author("in the scope")));
                }))
                .as("a scope is stronger")
                .isInstanceOf(SecondWriteShardException.class);
    }

    @Test
    void aRowOfASecondShardIsRefusedWhenItsIdIsMade() {
        Author one = cluster.authorIn(1);
        Author two = cluster.authorIn(6);
        assertThatThrownBy(() -> cluster.inTransaction(session -> {
                    session.persist(new Picture(one, "kept out too"));
                    session.flush();
                    session.persist(new Picture(two, "refused"));
                }))
                .isInstanceOf(SecondWriteShardException.class);
        assertThat(cluster.databases.home(1).query("SELECT id FROM shard_0001.picture WHERE caption = 'kept out too'"))
                .isEmpty();
    }

    @Test
    void anAssociationAcrossShardsIsRefusedWithBothIds() {
        Author one = cluster.authorIn(1);
        Author two = cluster.authorIn(6);
        Picture picture = new Picture(one, "moves");
        cluster.inTransaction(session -> session.persist(picture));

        assertThatThrownBy(() -> cluster.inTransaction(
                        session -> session.find(Picture.class, picture.id).author = session.find(Author.class, two.id)))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining(String.valueOf(picture.id))
                .hasStackTraceContaining(String.valueOf(two.id))
                .hasStackTraceContaining("Picture.author");
        assertThat(cluster.databases
                        .home(1)
                        .queryLong("SELECT author_id FROM shard_0001.picture WHERE id = " + picture.id))
                .isEqualTo(one.id);
    }

    @Test
    void aShardKeyThatIsMissingOrUnsavedIsNamed() {
        assertThatThrownBy(() -> cluster.inTransaction(session -> session.persist(new Handle(null))))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("Handle.name");
        assertThatThrownBy(() ->
                        cluster.inTransaction(session -> session.persist(new Picture(new Author("new"), "early"))))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("Picture.author")
                .hasMessageContaining("Save the parent first");
    }

    @Test
    void aQueryWithoutAShardIsRefused() {
        assertThatThrownBy(() ->
                        cluster.inTransaction(session -> session.createSelectionQuery("from Picture", Picture.class)
                                .getResultList()))
                .isInstanceOf(NoShardException.class);
    }

    @Test
    void bulkStatementsObeyTheWriteRule() {
        Author one = cluster.authorIn(1);
        assertThatThrownBy(() -> cluster.inTransaction(session -> {
                    session.find(Author.class, one.id).name = "bulk";
                    session.flush();
                    ShardContext.run(6, () -> session.createMutationQuery("delete from Picture")
                            .executeUpdate());
                }))
                .isInstanceOf(SecondWriteShardException.class);
    }

    @Test
    void aStatelessSessionWritesEachRowToItsOwnShardOutsideATransaction() {
        Author one = cluster.authorIn(1);
        Author two = cluster.authorIn(6);
        Picture first = new Picture(one, "stateless");
        Picture second = new Picture(two, "stateless");
        first.tags.add("of shard 1");
        second.tags.add("of shard 6");
        try (StatelessSession session = cluster.sessions.openStatelessSession()) {
            session.insertMultiple(java.util.List.of(first, second));
        }
        assertThat(cluster.databases.idsEverywhere("picture")).contains(first.id, second.id);
        assertThat(cluster.databases.home(1).query("SELECT tag FROM shard_0001.picture_tags"))
                .contains("of shard 1");
        assertThat(cluster.databases.home(6).query("SELECT tag FROM shard_0006.picture_tags"))
                .contains("of shard 6");
        assertThatThrownBy(() -> cluster.sessions.inStatelessTransaction(session -> {
                    session.insert(new Picture(one, "stateless in a transaction"));
                    session.insert(new Picture(two, "stateless in a transaction"));
                }))
                .isInstanceOf(SecondWriteShardException.class);
        assertThat(cluster.databases
                        .home(1)
                        .query("SELECT id FROM shard_0001.picture WHERE caption = 'stateless in a transaction'"))
                .isEmpty();
    }

    @Test
    void aBatchOfAStatelessSessionGoesToItsShardWhereverItIsExecuted() {
        Author one = cluster.authorIn(1);
        try (StatelessSession session = cluster.sessions.openStatelessSession()) {
            session.setJdbcBatchSize(20);
            session.beginTransaction();
            session.insert(new Picture(one, "batched"));
            session.insert(new Picture(one, "batched"));
            ShardContext.run(6, () -> session.getTransaction().commit());
        }
        assertThat(cluster.databases.home(1).query("SELECT id FROM shard_0001.picture WHERE caption = 'batched'"))
                .hasSize(2);
    }

    @Test
    void aMappingThatCannotWorkIsRefusedAtStartUp() {
        assertRefused(TextId.class, "TextId.id");
        assertRefused(
                IntId.class,
                "IntId.id with @ShardedId is of type java.lang.Integer. Ids of the layout (41·13·10",
                "need a Long or long");
        assertRefused(IntegerId.class, "IntegerId.id with @ShardedId is of type java.lang.Integer");
        assertRefused(ShortId.class, "ShortId.id");
        assertRefused(
                IntReference.class,
                "IntReference.author references",
                "the type java.lang.Integer cannot hold its ids",
                "Long");
        assertRefused(PartOfAnId.class, "PartOfAnId.id with @ShardedId is part of a composite id");
        assertRefused(WrongKey.class, "WrongKey.key");
        assertRefused(TwoKeys.class, "several attributes with @ShardKey");
    }

    private static void assertRefused(Class<?> entity, String... words) {
        Configuration configuration =
                HibernateCluster.configuration(cluster.databases).addAnnotatedClass(entity);
        var thrown = assertThatThrownBy(
                        () -> configuration.buildSessionFactory().close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName());
        for (String word : words) {
            thrown.hasStackTraceContaining(word);
        }
    }

    @Entity
    static class TextId {
        @Id
        @ShardedId
        @Nullable
        String id;
    }

    @Entity
    static class IntId {
        @Id
        @ShardedId
        int id;
    }

    @Entity
    static class IntegerId {
        @Id
        @ShardedId
        @Nullable
        Integer id;
    }

    @Entity
    static class ShortId {
        @Id
        @ShardedId
        short id;
    }

    @Entity
    static class IntReference {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey(references = Author.class)
        int author;
    }

    @Entity
    @IdClass(PartOfAnId.Key.class)
    static class PartOfAnId {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Id
        int number;

        record Key(@Nullable Long id, int number) {}
    }

    @Entity
    static class WrongKey {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        double key;
    }

    @Entity
    static class TwoKeys {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        long key;

        @ShardKey
        long other;
    }
}
