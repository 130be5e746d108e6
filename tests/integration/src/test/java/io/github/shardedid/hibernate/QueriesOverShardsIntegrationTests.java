package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnsupportedStatementException;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.Interceptor;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class QueriesOverShardsIntegrationTests {
    private static final List<Author> AUTHORS = new ArrayList<>();
    private static HibernateCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
        for (int i = 0; i < 20; i++) {
            int number = i;
            Author author = cluster.authorIn(i % HibernateCluster.SHARDS);
            AUTHORS.add(author);
            cluster.inTransaction(session -> {
                for (int j = 0; j <= number % 3; j++) {
                    Picture picture = new Picture(author, "picture " + j);
                    picture.tags.add("tag " + j);
                    session.persist(picture);
                }
            });
        }
        AUTHORS.sort(Comparator.comparing(QueriesOverShardsIntegrationTests::id).reversed());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    private static Long id(Author author) {
        return java.util.Objects.requireNonNull(author.id);
    }

    private static List<Long> ids(List<Author> authors) {
        return authors.stream().map(author -> author.id).toList();
    }

    private static List<Author> newest(Session session, int count) {
        return ShardContext.call(
                ShardSet.all(), () -> session.createSelectionQuery("from Author a order by a.id desc", Author.class)
                        .setMaxResults(count)
                        .list());
    }

    /** A validator or a listener of the flush may ask for the rows of others: it sees what the caller sees. */
    @Test
    void theFlushBeforeAChangeByIdIsInTheScopeOfTheCaller() {
        List<Object> scopes = new ArrayList<>();
        Interceptor interceptor = new Interceptor() {
            @Override
            public boolean onFlushDirty(
                    Object entity,
                    Object id,
                    Object[] state,
                    Object[] previous,
                    String[] names,
                    org.hibernate.type.Type[] types) {
                scopes.add(String.valueOf(ShardContext.target()));
                return false;
            }
        };
        Author author = AUTHORS.get(0);
        try (Session session =
                cluster.sessions.withOptions().interceptor(interceptor).openSession()) {
            session.beginTransaction();
            session.find(Author.class, author.id).name = "flushed";
            ShardContext.run(ShardSet.all(), () -> session.createMutationQuery(
                            "update Author a set a.name = 'changed' where a.id = :id")
                    .setParameter("id", author.id)
                    .executeUpdate());
            session.getTransaction().rollback();
        }
        assertThat(scopes).containsExactly(String.valueOf(ShardSet.all()));
    }

    @Test
    void entitiesOfAllShardsAreManaged() {
        cluster.inTransaction(session -> {
            List<Author> found = newest(session, 7);

            assertThat(ids(found)).isEqualTo(ids(AUTHORS.subList(0, 7)));
            assertThat(found).allMatch(session::contains);
            assertThat(session.find(Author.class, found.get(3).id)).isSameAs(found.get(3));
        });
    }

    @Test
    void collectionsOfAllOwnersAreLoadedWhateverTheFetching() {
        for (boolean subselect : new boolean[] {false, true}) {
            cluster.inTransaction(session -> {
                session.setSubselectFetchingEnabled(subselect);
                List<Author> found = newest(session, 20);

                assertThat(found.stream()
                                .mapToInt(author -> author.pictures().size())
                                .sum())
                        .as("pictures, by subselect: %s", subselect)
                        .isEqualTo(39);
                assertThat(found).allMatch(author -> author.pictures().stream().allMatch(p -> p.tags.size() == 1));
            });
        }
    }

    @Test
    void joinFetchProjectionsAggregatesCriteriaAndStreams() {
        cluster.inTransaction(session -> ShardContext.call(ShardSet.all(), () -> {
            assertThat(session.createSelectionQuery(
                                    "from Author a join fetch a.pictures where a.id in (:ids) order by a.id",
                                    Author.class)
                            .setParameter("ids", ids(AUTHORS))
                            .list())
                    .hasSize(20)
                    .allMatch(author -> !author.pictures().isEmpty());
            assertThat(session.createSelectionQuery(
                                    "select p.author.name, p.caption from Picture p where p.caption = :c order by p.id desc",
                                    Object[].class)
                            .setParameter("c", "picture 2")
                            .list())
                    .hasSize(6);
            assertThat(session.createSelectionQuery(
                                    "select count(p), max(p.id), sum(p.author.version) from Picture p", Object[].class)
                            .getSingleResult()[0])
                    .isEqualTo(39L);
            assertThat(session.createSelectionQuery("from Author a where size(a.pictures) = 3", Author.class)
                            .getResultCount())
                    .isEqualTo(6);
            CriteriaQuery<Author> criteria = session.getCriteriaBuilder().createQuery(Author.class);
            Root<Author> root = criteria.from(Author.class);
            criteria.orderBy(session.getCriteriaBuilder().desc(root.get("id")));
            assertThat(ids(session.createQuery(criteria).getResultList())).isEqualTo(ids(AUTHORS));
            try (Stream<Author> stream =
                    session.createSelectionQuery("from Author", Author.class).getResultStream()) {
                assertThat(stream.count()).isEqualTo(20);
            }
            return null;
        }));
    }

    /** Each child is in the shard of its parent. */
    @Test
    void countsOfChildren() {
        cluster.inTransaction(session -> ShardContext.call(ShardSet.all(), () -> {
            assertThat(session.createSelectionQuery(
                                    "select a.id, size(a.pictures), (select count(p) from Picture p where p.author = a and"
                                            + " p.caption > 'picture 0') from Author a order by a.id desc",
                                    Object[].class)
                            .setMaxResults(7)
                            .list())
                    .extracting(row -> row[0])
                    .isEqualTo(List.<Object>copyOf(ids(AUTHORS.subList(0, 7))));
            return null;
        }));
    }

    /** Of which entities they are is known in one database only. */
    @Test
    void aLimitOfEntitiesWhoseCollectionsAreFetchedIsRefused() {
        cluster.inTransaction(session -> assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> ShardContext.call(ShardSet.all(), () -> session.createSelectionQuery(
                                "from Author a left join fetch a.pictures order by a.id desc", Author.class)
                        .setMaxResults(3)
                        .list()))
                .withMessageContaining("without their collections"));
    }

    @Test
    void groupsByAnEntity() {
        cluster.inTransaction(session -> {
            List<Object[]> counts = ShardContext.call(ShardSet.all(), () -> session.createSelectionQuery(
                            "select a, count(p), count(distinct p.caption) from Author a left join a.pictures p"
                                    + " group by a order by count(p) desc, a.id",
                            Object[].class)
                    .setMaxResults(7)
                    .list());
            assertThat(counts).hasSize(7);
            assertThat(counts.get(0)[1]).isEqualTo(3L);
            assertThat(counts.get(0)[2]).isEqualTo(3L);
            assertThat(counts.get(6)[1]).isEqualTo(2L);
            assertThat(counts).allMatch(count -> session.contains(count[0]));
        });
    }

    /** Hibernate's own fetch size, and that of the scope. */
    @Test
    void entitiesAreFetchedAsTheyAreRead() {
        cluster.inTransaction(session -> {
            try (Stream<Author> stream = ShardContext.call(
                    ShardSet.all(), () -> session.createSelectionQuery("from Author a order by a.id desc", Author.class)
                            .setFetchSize(2)
                            .getResultStream())) {
                assertThat(stream.map(QueriesOverShardsIntegrationTests::id).toList())
                        .isEqualTo(ids(AUTHORS));
            }
            try (Stream<Author> stream =
                    ShardContext.call(ShardSet.all().withFetchSize(1), () -> session.createSelectionQuery(
                                    "from Author a order by a.id", Author.class)
                            .getResultStream())) {
                assertThat(stream.findFirst().map(QueriesOverShardsIntegrationTests::id))
                        .contains(id(AUTHORS.get(19)));
            }
        });
    }

    @Test
    void textInTheOrderOfItsBytes() {
        List<String> names =
                cluster.fromTransaction(session -> ShardContext.call(ShardSet.all(), () -> session.createSelectionQuery(
                                "select a.name from Author a order by collate(a.name as `C`), a.id", String.class)
                        .list()));

        assertThat(names).hasSize(20).isSorted();
    }

    @Test
    void writesAndWhatDoesNotMergeAreRefused() {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.inTransaction(session -> ShardContext.call(
                        ShardSet.all(), () -> session.createMutationQuery("update Author set name = 'x'")
                                .executeUpdate())))
                .withMessageContaining("A write cannot go to several shards");
    }

    private static void rolledBack(Consumer<Session> work) {
        cluster.inTransaction(session -> {
            work.accept(session);
            session.getTransaction().markRollbackOnly();
        });
    }

    /** The tables of collections of values are in the shard of their owner. */
    @Test
    void deletesIncludeTheCollectionsOfTheirRows() {
        Author author = AUTHORS.get(0);
        String tags = "select count(t) from Picture p join p.tags t where p.author = :author";
        rolledBack(session -> {
            long before = session.createSelectionQuery(tags, Long.class)
                    .setParameter("author", author)
                    .getSingleResult();
            assertThat(before).isPositive();
            assertThat(session.createMutationQuery("delete from Picture p where p.author = :author")
                            .setParameter("author", author)
                            .executeUpdate())
                    .isEqualTo((int) before);
            assertThat(session.createNativeQuery("select count(*) from {h-schema}picture_tags", Long.class))
                    .satisfies(all -> assertThat(ShardContext.call(cluster.shardOf(author.id), all::getSingleResult))
                            .isEqualTo(tagsInShardOf(author) - before));
        });
    }

    private static long tagsInShardOf(Author author) {
        return AUTHORS.stream()
                .filter(other -> cluster.shardOf(other.id) == cluster.shardOf(author.id))
                .mapToLong(other -> cluster.fromTransaction(session ->
                        session.find(Author.class, other.id).pictures().size()))
                .sum();
    }

    @Test
    void changesOfSeveralShardsAreRefused() {
        MutationCall byIds = (session, ids) -> session.createMutationQuery(
                        "update Author a set a.name = 'changed' where a.id in (:ids)")
                .setParameterList("ids", ids)
                .executeUpdate();
        rolledBack(session -> {
            assertThatExceptionOfType(SecondWriteShardException.class)
                    .isThrownBy(() -> byIds.of(session, ids(AUTHORS)))
                    .withMessageContaining("rows in the shards [0, 1, 2, 3, 4, 5,")
                    .withMessageContaining("io.github.shardedid.hibernate.Author");
            assertThat(byIds.of(session, List.of())).isZero();
            assertThat(byIds.of(session, ids(AUTHORS.subList(3, 4)))).isEqualTo(1);
        });
        List<Author> ofOne = AUTHORS.stream()
                .filter(author -> cluster.shardOf(author.id) == 1)
                .toList();
        rolledBack(session -> assertThat(byIds.of(session, ids(ofOne)))
                .isEqualTo(ofOne.size())
                .isGreaterThan(1));
    }

    private interface MutationCall {
        int of(Session session, List<Long> ids);
    }

    /** As that of an entity does, which is written in the shard of its id. */
    @Test
    void aChangeByIdLeavesEachScope() {
        Author author = AUTHORS.get(0);
        int other = (cluster.shardOf(author.id) + 1) % HibernateCluster.SHARDS;
        for (ShardSet scope : List.of(ShardSet.of(Set.of(other)), ShardSet.all())) {
            rolledBack(session -> assertThat(ShardContext.<Integer>call(scope, () -> renamed(session, author)))
                    .isEqualTo(1));
        }
        rolledBack(session -> assertThat(ShardContext.<Integer>call(other, () -> renamed(session, author)))
                .isEqualTo(1));
    }

    private static int renamed(Session session, Author author) {
        return session.createMutationQuery("update Author a set a.name = 'renamed' where :author = a")
                .setParameter("author", author)
                .executeUpdate();
    }

    @Test
    void changesThatFixNoShardAreRefused() {
        for (String condition : List.of(
                "a.id = :id or a.name = 'x'",
                "not a.id = :id",
                "a.id <> :id",
                "a.id = :id and exists (select 1 from Author b where b.name = a.name)",
                "not array_contains(:ids, a.id)")) {
            rolledBack(session -> {
                var update = session.createMutationQuery("update Author a set a.name = 'x' where " + condition);
                assertThatExceptionOfType(NoShardException.class).as(condition).isThrownBy(() -> (condition.contains(
                                        ":ids")
                                ? update.setParameter("ids", new Long[] {1L})
                                : update.setParameter("id", 1L))
                        .executeUpdate());
            });
        }
    }

    @Test
    void arraysOfIdsAreAskedForInTheirShards() {
        List<Long> ids = ids(AUTHORS.subList(2, 6));
        for (String condition : List.of("array_contains(:ids, a.id)", ":ids contains a.id")) {
            for (List<Long> some : List.of(ids, List.<Long>of(), ids.subList(1, 2))) {
                assertThat(cluster.<List<Long>>fromTransaction(session -> session.createSelectionQuery(
                                        "select a.id from Author a where " + condition + " order by a.id desc",
                                        Long.class)
                                .setParameter("ids", some.toArray(Long[]::new))
                                .getResultList()))
                        .as(condition)
                        .isEqualTo(some);
            }
        }
    }

    @Test
    void nativeQueriesAskTheShardsOfTheirIds() {
        List<Long> ids = ids(AUTHORS.subList(2, 6));
        String authors = "select a.id from {h-schema}author a where ";
        cluster.inTransaction(session -> {
            assertThat(session.createNativeQuery(authors + "a.id in (:ids) order by a.id desc", Long.class)
                            .setParameterList("ids", ids)
                            .getResultList())
                    .isEqualTo(ids);
            assertThat(session.createNativeQuery(authors + "a.id = any(?) order by a.id desc", Long.class)
                            .setParameter(1, ids.toArray(Long[]::new), Long[].class)
                            .setMaxResults(3)
                            .getResultList())
                    .isEqualTo(ids.subList(0, 3));
            assertThat(session.createNativeQuery(authors + "a.id = any(?)", Long.class)
                            .setParameter(1, new Long[0], Long[].class)
                            .getResultList())
                    .isEmpty();
            assertThat(session.createNativeQuery(authors + "a.id in (:ids)", Long.class)
                            .setParameterList("ids", List.of())
                            .getResultList())
                    .isEmpty();
            assertThat(session.createNativeQuery(authors + "a.id = :id", Long.class)
                            .setParameter("id", null, Long.class)
                            .getResultList())
                    .isEmpty();
            assertThat(session.createNativeQuery(
                                    "select p.* from {h-schema}picture p join {h-schema}author a on a.id = p.author_id"
                                            + " where a.id = :id",
                                    Picture.class)
                            .setParameter("id", ids.get(0))
                            .getResultList())
                    .containsExactlyInAnyOrderElementsOf(
                            session.find(Author.class, ids.get(0)).pictures())
                    .isNotEmpty();
        });
    }

    @Test
    void idsInTheTextOfAQueryAreEnough() {
        Author author = AUTHORS.get(3);
        String list = ids(AUTHORS.subList(2, 6)).toString().replace('[', '(').replace(']', ')');
        rolledBack(session -> {
            assertThat(session.createSelectionQuery("from Author a where a.id = " + author.id, Author.class)
                            .getResultList())
                    .containsExactly(session.find(Author.class, author.id));
            assertThat(session.createSelectionQuery(
                                    "select a.id from Author a where a.id in " + list + " order by a.id desc",
                                    Long.class)
                            .getResultList())
                    .isEqualTo(ids(AUTHORS.subList(2, 6)));
            for (String change : List.of(
                    "update Author a set a.name = 'renamed' where a.id = " + author.id,
                    "delete from Author a where a.id in " + list)) {
                assertThatExceptionOfType(NoShardException.class)
                        .isThrownBy(() -> session.createMutationQuery(change).executeUpdate())
                        .withMessageContaining("Pass it as a parameter");
            }
        });
    }

    @Test
    void nativeChangesOfSeveralShardsAreRefused() {
        MutationCall byIds = (session, ids) -> session.createNativeMutationQuery(
                        "update {h-schema}author set name = 'changed' where id = any(:ids)")
                .setParameter("ids", ids.toArray(Long[]::new), Long[].class)
                .executeUpdate();
        rolledBack(session -> {
            assertThatExceptionOfType(SecondWriteShardException.class)
                    .isThrownBy(() -> byIds.of(session, ids(AUTHORS)))
                    .withMessageContaining("update sharded_id_shard.author")
                    .withMessageContaining("once per shard");
            assertThat(byIds.of(session, List.of())).isZero();
            assertThat(byIds.of(session, ids(AUTHORS.subList(3, 4)))).isEqualTo(1);
            String delete = "delete from {h-schema}author where id ";
            assertThat(session.createNativeMutationQuery(delete + "in (:ids)")
                            .setParameterList("ids", List.of())
                            .executeUpdate())
                    .isZero();
            assertThat(session.createNativeMutationQuery(delete + "= :id")
                            .setParameter("id", null, Long.class)
                            .executeUpdate())
                    .isZero();
        });
        rolledBack(session -> assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> session.createNativeMutationQuery("delete from {h-schema}author where id > :id")
                        .setParameter("id", 1L)
                        .executeUpdate()));
    }

    @Test
    void aQueryFlushesAndSeesWhatTheTransactionHasChanged() {
        cluster.inTransaction(session -> {
            Author author = newest(session, 1).get(0);
            author.name = "changed for a moment";
            assertThat(ShardContext.call(ShardSet.all(), () -> session.createSelectionQuery(
                                    "from Author a where a.name = 'changed for a moment'", Author.class)
                            .list()))
                    .containsExactly(author);
            session.getTransaction().markRollbackOnly();
        });
        assertThat(cluster.fromTransaction(session -> newest(session, 1)).get(0).name())
                .startsWith("author of shard");
    }
}
