package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.Circles.Comment;
import io.github.shardedid.hibernate.Circles.Mention;
import io.github.shardedid.hibernate.Circles.Post;
import io.github.shardedid.hibernate.Circles.Praise;
import io.github.shardedid.hibernate.Circles.Staff;
import io.github.shardedid.hibernate.Circles.Topic;
import io.github.shardedid.hibernate.Circles.User;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.Hibernate;
import org.hibernate.ObjectNotFoundException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.graph.RootGraph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References to rows of other shards, with {@code @ForeignShard}. */
@Tag("quick")
class ForeignShardIntegrationTests {
    private static TestCluster databases;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                8,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        for (int shard = 0; shard < 8; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Circles.TABLES + "RESET search_path");
        }
        databases.home(7).execute("SET search_path = sharded_global; " + Circles.GLOBAL_TABLES + "RESET search_path");
        sessions = GlobalEntitiesIntegrationTests.configuration(databases)
                .setProperty("hibernate.default_batch_fetch_size", "-1")
                .setProperty("hibernate.generate_statistics", "true")
                .addAnnotatedClasses(Circles.ENTITIES)
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

    private static User user(int shard) {
        return saved(shard, shard % 2 == 0 ? new User("user of " + shard) : new Staff("user of " + shard));
    }

    private static <E> E saved(int shard, E entity) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    session.persist(entity);
                    return entity;
                }));
    }

    private static Comment comment(int shard, User author) {
        Post post = saved(shard, new Post(user(shard)));
        return saved(shard, new Comment(post, author, "of " + shard));
    }

    @Test
    void theAuthorIsReadFromItsShardWhenItIsFirstUsed() {
        User author = user(6);
        Comment comment = comment(1, author);
        sessions.inTransaction(session -> {
            Comment found = session.find(Comment.class, comment.id);
            assertThat(Hibernate.isInitialized(found.author)).isFalse();
            assertThat(found.author.getId()).isEqualTo(author.id);
            assertThat(found.author.getName()).isEqualTo("user of 6");
        });
        sessions.inStatelessTransaction(session -> {
            Comment found = session.get(Comment.class, comment.id);
            session.fetch(found.author);
            assertThat(found.author.getName()).isEqualTo("user of 6");
        });
    }

    @Test
    void eachKindOfReferenceIsWrittenAndRead() {
        Topic topic = new Topic();
        topic.id = 1;
        topic.owner = user(3);
        sessions.inTransaction(session -> session.persist(topic));
        User owner = user(2);
        Comment comment = comment(1, user(6));
        sessions.inTransaction(session -> {
            Comment found = session.find(Comment.class, comment.id);
            found.reader = session.getReference(User.class, owner.id);
            found.edit = new Circles.Edit();
            found.edit.editor = session.getReference(User.class, owner.id);
            found.topic = session.getReference(Topic.class, 1L);
            Mention mention = new Mention();
            mention.user = session.getReference(User.class, owner.id);
            found.mentions.add(mention);
        });
        sessions.inTransaction(session -> {
            Comment found = session.find(Comment.class, comment.id);
            assertThat(found.version).isEqualTo(1);
            for (User read : new User[] {found.reader, found.edit.editor, found.mentions.get(0).user}) {
                assertThat(read.getName()).isEqualTo("user of 2");
            }
            assertThat(Hibernate.unproxy(found.topic, Topic.class).title).isEmpty();
            Topic read = Hibernate.unproxy(found.topic, Topic.class);
            assertThat(Objects.requireNonNull(read.owner).getName()).isEqualTo("user of 3");
        });
    }

    @Test
    void authorsAreLoadedWithOneStatementForEachShard() {
        Post post = saved(1, new Post(user(1)));
        for (int i = 0; i < 12; i++) {
            saved(1, new Praise(post, user(i % 4 * 2), "praise"));
        }
        sessions.inTransaction(session -> {
            Post found = session.find(Post.class, post.id);
            assertThat(found.comments).hasSize(12);
            long before = sessions.getStatistics().getPrepareStatementCount();
            found.comments.forEach(comment -> comment.author.getName());
            assertThat(sessions.getStatistics().getPrepareStatementCount() - before)
                    .isEqualTo(4);
        });
    }

    @Test
    void detachedReferencesAreMerged() {
        User other = user(3);
        Comment comment = comment(1, user(6));
        comment.author = other;
        sessions.inTransaction(
                session -> assertThat(session.merge(comment).author).isNotSameAs(other));
        sessions.inTransaction(session -> assertThat(
                        session.find(Comment.class, comment.id).author.getName())
                .isEqualTo("user of 3"));
    }

    @Test
    void statelessSessionsWriteReferencesToo() {
        User author = user(6);
        Post post = saved(1, new Post(user(1)));
        Comment comment = new Comment(post, author, "stateless");
        sessions.inStatelessTransaction(session -> session.insert(comment));
        comment.author = user(2);
        sessions.inStatelessTransaction(session -> session.upsert(comment));
        sessions.inTransaction(session -> {
            assertThat(session.find(Comment.class, comment.id).author.getName()).isEqualTo("user of 2");
        });
    }

    @Test
    void orphansAreRemovedWithoutTheirForeignRows() {
        User author = user(6);
        Comment comment = comment(1, author);
        sessions.inTransaction(
                session -> session.find(Post.class, comment.post.id).comments.clear());
        sessions.inTransaction(session -> {
            assertThat(session.find(Comment.class, comment.id)).isNull();
            assertThat(session.find(User.class, author.id)).isNotNull();
        });
    }

    @Test
    void aMissingRowIsReportedAtItsFirstUse() {
        User author = user(6);
        Comment comment = comment(1, author);
        sessions.inTransaction(session -> session.remove(session.find(User.class, author.id)));
        sessions.inTransaction(session -> {
            Comment found = session.find(Comment.class, comment.id);
            assertThatThrownBy(() -> found.author.getName()).isInstanceOf(ObjectNotFoundException.class);
        });
    }

    @Test
    void aChangeOfTheForeignRowIsASecondWrite() {
        Comment comment = comment(1, user(6));
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    Comment found = session.find(Comment.class, comment.id);
                    found.text = "changed";
                    Hibernate.unproxy(found.author, User.class).name = "changed";
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
    }

    @Test
    void otherAssociationsStayRefused() {
        Comment comment = comment(1, user(6));
        Post other = saved(6, new Post(user(6)));
        assertThatThrownBy(() -> sessions.inTransaction(session ->
                        session.find(Comment.class, comment.id).post = session.getReference(Post.class, other.id)))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("@ForeignShard");
    }

    /** The tables of associations of an outer row are not joined by its subselects, which compare only the columns. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select (select count(o) from Comment o where o.author = c.author) from Comment c where c.id = :id",
                "select (select count(o) from Comment o where o.author.id = c.author.id) from Comment c where c.id = :id",
                "select (select count(o) from Comment o where o.post = c.post) from Comment c where c.id = :id",
                "select count(c) from Comment c where c.id = :id and (select count(o) from Comment o where o.post = c.post) = 1",
            })
    void aSubselectComparesTheAssociationsOfTheOuterRow(String hql) {
        Comment comment = comment(1, user(6));
        user(1);
        List<Target> scopes =
                hql.contains("author") ? List.of(Target.shard(1)) : List.of(Target.shard(1), ShardSet.all());
        for (Target scope : scopes) {
            List<Long> counts = ShardContext.call(
                    scope,
                    () -> sessions.fromTransaction(session -> session.createSelectionQuery(hql, Long.class)
                            .setParameter("id", comment.id)
                            .getResultList()));
            assertThat(counts).containsExactly(1L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from Comment c where c.author.name = :name",
                "from Comment c join c.author a where a.name = :name",
                "from Comment c left join fetch c.author where c.text = :name",
                "from Comment c left join c.edit.editor e where c.text = :name",
                "select c.author from Comment c where c.text = :name",
                "select c.id, c.author from Comment c where c.text = :name",
                "select c.edit.editor from Comment c where c.text = :name",
                "select m.user from Comment c join c.mentions m where c.text = :name",
                "from Comment c where c.text = :name order by c.author.name",
                "select c.author.name, count(*) from Comment c where c.text = :name group by c.author.name",
                "from Comment c where exists (select 1 from User u where u.name = c.author.name) and c.text = :name",
                "from Post p join p.comments c where c.author.name = :name",
                "from Comment c where c.text = :name and type(c.author) = Staff",
                "from Comment c where c.text = :name and treat(c.author as Staff).name = 'x'",
                "from Comment c join treat(c.author as Staff) s where c.text = :name",
                "from Comment c where c.text = :name and c.author.version = 1",
                "from Topic t where t.owner.name = :name",
                "select t.owner from Topic t where t.title = :name",
            })
    void aQueryThatJoinsAForeignRowIsRefused(String hql) {
        refused(hql, "Compare or select the id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select u.name from Comment c join User u on u = c.author where c.text = :name",
                "select u.name from Comment c left join User u on c.author.id = u.id where c.text = :name",
                "select c.id from Comment c, User u where c.author = u and c.text = :name",
                "select c.id from Comment c where c.author in (select u from User u where u.name = :name)",
                "select c.id from Comment c where c.author.id in (select u.id from User u where u.name = :name)",
                "select c.id from Comment c where c.text = :name and exists (select 1 from User u where u = c.author)",
                "select u.id from User u where u.name = :name and exists (select 1 from Comment c where c.author = u)",
                "select c.id from Comment c, User u where (c.text, c.author) = (:name, u)",
                "select c.id from Comment c, User u where c.text = :name and u in (c.author)",
                "select u.id from User u where u.name = :name and u.id not in (select c.author.id from Comment c)",
                "select u.id from User u where u.name = :name and u.id = any (select c.author.id from Comment c)",
                "select c.id from Comment c where (c.text, c.author.id) in (select u.name, u.id from User u where u.name = :name)",
                "select c.id from Comment c where c.author in (select d.author from Comment d union select u from User u"
                        + " where u.name = :name)",
            })
    void aQueryThatComparesAReferenceWithRowsOfItsShardIsRefused(String hql) {
        refused(hql, "read the rows by their ids after the query");
    }

    private static void refused(String hql, String wayOut) {
        ShardContext.run(
                1,
                () -> sessions.inTransaction(
                        session -> assertThatThrownBy(() -> session.createSelectionQuery(hql, Object.class)
                                        .setParameter("name", "x")
                                        .getResultList())
                                .hasStackTraceContaining(UnsupportedStatementException.class.getName())
                                .hasStackTraceContaining(wayOut)));
    }

    /** Both are columns of rows in the shard, or lead there over associations within it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select c.id from Comment c where c.id = :id and c.author = c.author",
                "select c.id from Comment c join Comment d on c.author = d.author where c.id = :id",
                "select c.id from Comment c where c.id = :id and c.author in (select d.author from Comment d)",
                "select c.id from Comment c where c.id = :id and c.author <> c.post.author",
                "select c.id from Comment c join c.post p join p.author a where c.id = :id and c.author <> a",
                "select c.id from User u, Post p join p.comments c where c.id = :id and p.author = u and c.author <> p.author",
                "select c.id from Post p join p.comments c where c.id = :id"
                        + " and exists (select 1 from p.comments d where d.author = c.author)",
            })
    void referencesAreComparedWithOthersOfTheShard(String hql) {
        Comment comment = comment(1, user(6));
        assertThat(ShardContext.<List<Long>>call(
                        1,
                        () -> sessions.fromTransaction(session -> session.createSelectionQuery(hql, Long.class)
                                .setParameter("id", comment.id)
                                .getResultList())))
                .containsExactly(comment.id);
    }

    @Test
    void aCommentIsFoundByTheIdOfItsAuthor() {
        User author = user(6);
        Comment comment = comment(1, author);
        Map<String, Object> values = Map.of("a", Objects.requireNonNull(author.id));
        ShardContext.run(
                1,
                () -> sessions.inTransaction(session -> {
                    for (String condition : List.of(
                            "c.author.id = :a",
                            "id(c.author) = :a",
                            "c.author.id in (:a)",
                            "c.author.id = :a and c.author is not null")) {
                        assertThat(ids(session, "select c.id from Comment c where " + condition, values))
                                .as(condition)
                                .containsExactly(comment.id);
                    }
                    assertThat(ids(session, "select c.id from Comment c where c.author = :a", Map.of("a", author)))
                            .containsExactly(comment.id);
                    assertThat(ids(session, "select c.author.id from Comment c where c.author.id = :a", values))
                            .containsExactly(author.id);
                    assertThat(ids(
                                    session,
                                    "select c.author.id from Comment c where c.author.id = :a group by c.author.id order by c.author.id",
                                    values))
                            .containsExactly(author.id);
                    session.createMutationQuery("update Comment c set c.text = 'bulk' where c.author.id = :a")
                            .setParameter("a", author.id)
                            .executeUpdate();
                }));
    }

    /** The id of a reference is of any shard, so each shard is asked for all of a list. */
    @Test
    void rowsOfAllShardsAreFoundByTheIdsOfTheirReferences() {
        User first = user(6);
        User second = user(3);
        Comment comment = comment(1, first);
        sessions.inTransaction(session -> {
            Comment found = session.find(Comment.class, comment.id);
            found.edit = new Circles.Edit();
            found.edit.editor = session.getReference(User.class, second.id);
        });
        Map<String, Object> values = Map.of("a", List.of(first.id, second.id));
        ShardContext.run(
                ShardSet.all(),
                () -> sessions.inTransaction(session -> {
                    assertThat(ids(session, "select c.id from Comment c where c.author.id in :a", values))
                            .containsExactly(comment.id);
                    assertThat(ids(session, "select c.id from Comment c where c.edit.editor.id in :a", values))
                            .contains(comment.id);
                }));
    }

    private static List<Long> ids(Session session, String hql, Map<String, Object> values) {
        var query = session.createSelectionQuery(hql, Long.class);
        values.forEach(query::setParameter);
        return query.getResultList();
    }

    @Test
    void bulkStatementsCriteriaAndGraphsThatJoinAreRefused() {
        Comment comment = comment(1, user(6));
        ShardContext.run(
                1,
                () -> sessions.inTransaction(session -> {
                    refused(() -> session.createMutationQuery("delete Comment c where c.author.name = 'x'")
                            .executeUpdate());
                    refused(() -> session.createMutationQuery(
                                    "update Comment c set c.text = 'x' where c.author.name = 'x'")
                            .executeUpdate());
                    var criteria = session.getCriteriaBuilder().createQuery(Comment.class);
                    criteria.from(Comment.class).fetch("author");
                    refused(() -> session.createSelectionQuery(criteria).getResultList());
                    RootGraph<Comment> graph = session.createEntityGraph(Comment.class);
                    graph.addAttributeNode("author");
                    refused(() -> session.createSelectionQuery("from Comment", Comment.class)
                            .setHint("jakarta.persistence.fetchgraph", graph)
                            .getResultList());
                    refused(() -> session.find(graph, comment.id));
                    refused(() -> session.findMultiple(graph, List.of(Objects.requireNonNull(comment.id))));
                    refused(() ->
                            session.find(Comment.class, comment.id, Map.of("jakarta.persistence.loadgraph", graph)));
                    RootGraph<Post> nested = session.createEntityGraph(Post.class);
                    nested.addSubgraph("comments", Comment.class).addSubgraph("author");
                    refused(() -> session.find(nested, comment.post.id));
                }));
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable work) {
        assertThatThrownBy(work).hasStackTraceContaining(UnsupportedStatementException.class.getName());
    }

    @Test
    void anAuthorDoesNotDecideTheShardOfAQuery() {
        EntityShards shards = EntityShards.of(sessions).orElseThrow();
        assertThat(shards.byPath(Comment.class, "author")).isEmpty();
        assertThat(shards.byPath(Comment.class, "author.id")).isEmpty();
        assertThat(shards.parametersOf("from Comment c where c.author.id = :a and c.author = :b and c.post.id = :p"))
                .extracting(use -> use.parameter() + " " + use.decides())
                .containsExactlyInAnyOrder("a false", "b false", "p true");
        assertThatThrownBy(() -> shards.byPath(Comment.class, "author.name"))
                .isInstanceOf(UnsupportedStatementException.class);
        assertThatThrownBy(() -> shards.parametersOf("from Comment c join fetch c.author"))
                .isInstanceOf(UnsupportedStatementException.class);
    }

    @Test
    void itemsOfTheSelectListMayBeNamedByAliasAndPosition() {
        EntityShards shards = EntityShards.of(sessions).orElseThrow();
        String query =
                "select c.text as t, count(*) as n from Comment c where c.post.id = :p group by t order by n desc, 1";
        assertThat(shards.parametersOf(query))
                .extracting(use -> use.parameter() + " " + use.decides())
                .containsExactly("p true");
        sessions.inSession(
                session -> ShardContext.run(1, () -> assertThat(session.createSelectionQuery(query, Object[].class)
                                .setParameter("p", 1L)
                                .list())
                        .isEmpty()));
        assertThatThrownBy(() -> shards.parametersOf("select c.author.name as a from Comment c order by a"))
                .isInstanceOf(UnsupportedStatementException.class);
    }
}
