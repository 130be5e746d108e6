package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.composite.Gallery.Like;
import io.github.shardedid.hibernate.composite.Gallery.LikeId;
import io.github.shardedid.hibernate.composite.Gallery.Mark;
import io.github.shardedid.hibernate.composite.Gallery.MarkId;
import io.github.shardedid.hibernate.composite.Gallery.Note;
import io.github.shardedid.hibernate.composite.Gallery.NoteId;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.hibernate.composite.Gallery.Rating;
import io.github.shardedid.hibernate.composite.Gallery.Share;
import io.github.shardedid.hibernate.composite.Gallery.ShareId;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardKeys;
import jakarta.persistence.LockModeType;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.query.SelectionQuery;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HQL and criteria queries by a composite id, or by an entity with one, go to the shard that it names, whatever scope is open. */
class CompositeIdQueriesIntegrationTests {
    private static final int SHARD = 6;
    private static final int OTHER = 2;

    private static GalleryCluster cluster;
    private static SessionFactory sessions;
    /** One of each shard. */
    private static final List<Mark> MARKS = new ArrayList<>();

    private static final List<Like> LIKES = new ArrayList<>();

    @BeforeAll
    static void start() {
        cluster = new GalleryCluster(Gallery.TABLES, Gallery.ENTITIES);
        sessions = cluster.sessions;
        for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
            Photo photo = cluster.photo(shard);
            Mark mark = new Mark(new MarkId(Objects.requireNonNull(photo.id), "mark"), "mark of " + shard);
            Note note = new Note(mark, 1, "note of " + shard);
            Like liked = new Like(photo, cluster.user(shard), "like of " + shard);
            Rating rating = new Rating(photo, cluster.user(shard), shard);
            sessions.inTransaction(session -> {
                session.persist(mark);
                session.persist(note);
                session.persist(liked);
                session.persist(rating);
            });
            MARKS.add(mark);
            LIKES.add(liked);
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    private static MarkId idOf(int shard) {
        return Objects.requireNonNull(MARKS.get(shard).id);
    }

    /** In no scope, in that of another shard, of the right one, and of the global database. */
    private static <T> void inEachScope(Function<Session, T> query, Object expected) {
        assertThat(sessions.<T>fromTransaction(query)).as("no scope").isEqualTo(expected);
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD), Target.global())) {
            assertThat(sessions.<T>fromTransaction(session -> ShardContext.call(scope, () -> query.apply(session))))
                    .as(String.valueOf(scope))
                    .isEqualTo(expected);
        }
    }

    private static SelectionQuery<String> words(Session session, String condition) {
        return session.createSelectionQuery("select m.words from Mark m where " + condition, String.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"m.id = :id", ":id = m.id", "id(m) = :id", "m.id in (:id)", "m.id = :id and m.words is not null"
            })
    void byTheId(String condition) {
        inEachScope(
                session -> words(session, condition)
                        .setParameter("id", idOf(SHARD))
                        .getResultList(),
                List.of("mark of 6"));
    }

    @Test
    void byTheEntityByAReferenceAndByADetachedOne() {
        Mark detached = MARKS.get(SHARD);
        Mark proxy = sessions.fromTransaction(session -> session.getReference(Mark.class, idOf(SHARD)));
        assertThat(Hibernate.isInitialized(proxy)).isFalse();
        for (Mark mark : List.of(detached, proxy)) {
            inEachScope(
                    session -> words(session, "m = :mark")
                            .setParameter("mark", mark)
                            .getResultList(),
                    List.of("mark of 6"));
            inEachScope(
                    session -> session.createSelectionQuery(
                                    "select n.words from Note n where n.mark = :mark", String.class)
                            .setParameter("mark", mark)
                            .getSingleResult(),
                    "note of 6");
        }
        inEachScope(
                session -> session.createSelectionQuery(
                                "select n.words from Note n where n.mark = :mark and n.mark.words = 'mark of 6'",
                                String.class)
                        .setParameter("mark", session.getReference(Mark.class, idOf(SHARD)))
                        .getResultList(),
                List.of("note of 6"));
    }

    @Test
    void byIdsThatContainAssociationsOrIds() {
        Like like = LIKES.get(SHARD);
        inEachScope(
                session -> session.createSelectionQuery("from PhotoLike l where l.id = :id", Like.class)
                        .setParameter("id", like.id)
                        .getResultStream()
                        .map(each -> each.words)
                        .toList(),
                List.of("like of 6"));
        inEachScope(
                session -> session.createSelectionQuery("select n.words from Note n where n.id = :id", String.class)
                        .setParameter("id", new NoteId(idOf(SHARD), 1))
                        .getResultList(),
                List.of("note of 6"));
        Rating rating = sessions.fromTransaction(
                session -> session.createSelectionQuery("from Rating r where r.photo = :photo", Rating.class)
                        .setParameter("photo", like.photo)
                        .getSingleResult());
        inEachScope(
                session -> session.createSelectionQuery("select r.stars from Rating r where r = :rating", Integer.class)
                        .setParameter("rating", rating)
                        .getResultList(),
                List.of(SHARD));
        inEachScope(
                session -> session.createSelectionQuery(
                                "select l.words from PhotoLike l where (l.photo.id, l.user.id) in ((:photo, :user))",
                                String.class)
                        .setParameter("photo", like.id.photoId())
                        .setParameter("user", like.id.userId())
                        .getResultList(),
                List.of("like of 6"));
    }

    @Test
    void byATextInTheId() {
        String tenant = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant " + i)
                .filter(text -> ShardKeys.shardOf(text, GalleryCluster.SHARDS) == SHARD)
                .findFirst()
                .orElseThrow();
        Share share = new Share(tenant, 7, "shared");
        sessions.inTransaction(session -> session.persist(share));
        inEachScope(
                session -> session.createSelectionQuery("select s.words from Share s where id(s) = :id", String.class)
                        .setParameter("id", new ShareId(tenant, 7))
                        .getResultList(),
                List.of("shared"));
        inEachScope(
                session -> session.createSelectionQuery("select s.words from Share s where s = :share", String.class)
                        .setParameter("share", share)
                        .getResultList(),
                List.of("shared"));
    }

    @Test
    void listsOfSeveralShardsOfOneAndWithoutElements() {
        // The plan of the statement is kept for each number of parameters.
        for (int round = 0; round < 2; round++) {
            for (Set<Integer> shards : List.of(
                    Set.of(SHARD),
                    Set.of(1, 4, SHARD),
                    Set.<Integer>of(),
                    Set.of(0, 1, 3, 5, SHARD),
                    Set.of(1, 4, 7))) {
                List<MarkId> ids = shards.stream()
                        .map(CompositeIdQueriesIntegrationTests::idOf)
                        .toList();
                List<String> expected = shards.stream()
                        .map(shard -> "mark of " + shard)
                        .sorted()
                        .toList();
                inEachScope(
                        session -> words(session, "m.id in :ids")
                                .setParameterList("ids", ids)
                                .getResultStream()
                                .sorted()
                                .toList(),
                        expected);
                inEachScope(
                        session -> session.createSelectionQuery("from Mark m where m in :marks", Mark.class)
                                .setParameterList(
                                        "marks", shards.stream().map(MARKS::get).toList())
                                .getResultStream()
                                .map(mark -> mark.words)
                                .sorted()
                                .toList(),
                        expected);
            }
        }
    }

    @Test
    void criteriaCountsProjectionsPagesStreamsAndLocks() {
        inEachScope(CompositeIdQueriesIntegrationTests::byCriteria, List.of("mark of 6"));
        inEachScope(
                session -> session.createSelectionQuery("select count(m) from Mark m where m.id = :id", Long.class)
                        .setParameter("id", idOf(SHARD))
                        .getSingleResult(),
                1L);
        inEachScope(
                session -> words(session, "m.id = :id")
                        .setParameter("id", idOf(SHARD))
                        .getResultCount(),
                1L);
        inEachScope(
                session -> words(session, "m.id = :id")
                        .setParameter("id", idOf(SHARD))
                        .setMaxResults(3)
                        .setFirstResult(0)
                        .getResultList(),
                List.of("mark of 6"));
        inEachScope(
                session -> session.createSelectionQuery("from Mark m where m.id = :id", Mark.class)
                        .setParameter("id", idOf(SHARD))
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .getSingleResult()
                        .words,
                "mark of 6");
        inEachScope(
                session -> {
                    try (Stream<String> stream = words(session, "m.id = :id")
                            .setParameter("id", idOf(SHARD))
                            .getResultStream()) {
                        return stream.toList();
                    }
                },
                List.of("mark of 6"));
        inEachScope(
                session -> {
                    try (ScrollableResults<String> rows = words(session, "m.id = :id")
                            .setParameter("id", idOf(SHARD))
                            .scroll(ScrollMode.FORWARD_ONLY)) {
                        return rows.next() ? rows.get() : "none";
                    }
                },
                "mark of 6");
    }

    private static List<String> byCriteria(Session session) {
        CriteriaQuery<String> query = session.getCriteriaBuilder().createQuery(String.class);
        Root<Mark> mark = query.from(Mark.class);
        query.select(mark.get("words")).where(session.getCriteriaBuilder().equal(mark.get("id"), idOf(SHARD)));
        List<String> found = session.createQuery(query).getResultList();
        query.where(mark.get("id").in(List.of(idOf(SHARD), idOf(SHARD))));
        assertThat(session.createQuery(query).getResultList()).isEqualTo(found);
        assertThat(session.createQuery(query).setQueryPlanCacheable(true).getResultList())
                .isEqualTo(found);
        query.where(session.getCriteriaBuilder().equal(mark, MARKS.get(SHARD)));
        return session.createQuery(query).setQueryPlanCacheable(true).getResultList();
    }

    /** A plan that is kept has the parameters of the query that made it. */
    @Test
    void criteriaPlansThatAreKeptAreRoutedByTheNewValues() {
        for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
            int at = shard;
            List<String> found = ShardContext.call(
                    OTHER,
                    () -> sessions.fromTransaction(session -> {
                        CriteriaQuery<String> query =
                                session.getCriteriaBuilder().createQuery(String.class);
                        Root<Mark> mark = query.from(Mark.class);
                        query.select(mark.get("words"))
                                .where(session.getCriteriaBuilder().equal(mark.get("id"), idOf(at)));
                        return session.createQuery(query)
                                .setQueryPlanCacheable(true)
                                .getResultList();
                    }));
            assertThat(found).containsExactly("mark of " + shard);
        }
    }

    @Test
    void theScopeOfSeveralShardsRemainsForLists() {
        sessions.inTransaction(session -> {
            assertThat(ShardContext.<List<String>>call(
                            ShardSet.of(Set.of(OTHER, 3)), () -> words(session, "m.id in :ids")
                                    .setParameterList("ids", List.of(idOf(SHARD)))
                                    .getResultList()))
                    .isEmpty();
            assertThat(ShardContext.<List<String>>call(ShardSet.of(Set.of(OTHER, 3)), () -> words(session, "m.id = :id")
                            .setParameter("id", idOf(SHARD))
                            .getResultList()))
                    .containsExactly("mark of 6");
            assertThat(ShardContext.<List<String>>call(ShardSet.all(), () -> words(session, "m.id = :id")
                            .setParameter("id", idOf(SHARD))
                            .getResultList()))
                    .containsExactly("mark of 6");
        });
    }

    @Test
    void idsOfNoRow() {
        inEachScope(
                session -> words(session, "m.id = :id").setParameter("id", null).getResultList(), List.of());
        inEachScope(
                session -> words(session, "m.id = :id")
                        .setParameter("id", new MarkId(idOf(SHARD).photoId(), "another"))
                        .getResultList(),
                List.of());
        // Of a shard that the cluster does not have, and of no layout.
        for (long photo : new long[] {1000L << 10, -5}) {
            inEachScope(
                    session -> words(session, "m.id = :id")
                            .setParameter("id", new MarkId(photo, "mark"))
                            .getResultList(),
                    List.of());
        }
        assertThatThrownBy(() -> sessions.inTransaction(session -> ShardContext.run(
                        OTHER, () -> session.createSelectionQuery("from PhotoLike l where l.id = :id", Like.class)
                                .setParameter("id", new LikeId(null, 1L))
                                .getResultList())))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("the part that determines it is null");
    }

    /** A query and a change by the same condition go to the same shard. */
    @Test
    void changesGoWhereQueriesGo() {
        MarkId id = idOf(SHARD);
        inEachScope(
                session -> session.createMutationQuery("update Mark m set m.words = m.words where m.id = :id")
                        .setParameter("id", id)
                        .executeUpdate(),
                1);
        inEachScope(
                session -> session.createMutationQuery("delete from Note n where n.mark = :mark and n.words = 'none'")
                        .setParameter("mark", MARKS.get(SHARD))
                        .executeUpdate(),
                0);
    }
}
