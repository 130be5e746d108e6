package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnmergeableQueryException;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> cluster.inTransaction(session -> ShardContext.call(
                        ShardSet.all(), () -> session.createMutationQuery("update Author set name = 'x'")
                                .executeUpdate())))
                .withMessageContaining("A write cannot go to several shards");
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
