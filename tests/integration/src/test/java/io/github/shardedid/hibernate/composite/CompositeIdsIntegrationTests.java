package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.composite.Gallery.Frame;
import io.github.shardedid.hibernate.composite.Gallery.FrameId;
import io.github.shardedid.hibernate.composite.Gallery.Like;
import io.github.shardedid.hibernate.composite.Gallery.LikeId;
import io.github.shardedid.hibernate.composite.Gallery.Mark;
import io.github.shardedid.hibernate.composite.Gallery.MarkId;
import io.github.shardedid.hibernate.composite.Gallery.Note;
import io.github.shardedid.hibernate.composite.Gallery.NoteId;
import io.github.shardedid.hibernate.composite.Gallery.Pair;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.hibernate.composite.Gallery.Rating;
import io.github.shardedid.hibernate.composite.Gallery.RatingId;
import io.github.shardedid.hibernate.composite.Gallery.Seat;
import io.github.shardedid.hibernate.composite.Gallery.Share;
import io.github.shardedid.hibernate.composite.Gallery.ShareId;
import io.github.shardedid.hibernate.composite.Gallery.Ticket;
import io.github.shardedid.hibernate.composite.Gallery.User;
import io.github.shardedid.hibernate.composite.Gallery.Visit;
import io.github.shardedid.hibernate.composite.Gallery.VisitId;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.UnknownShardException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entities whose composite id has a part that names the shard. No scope is open unless a test says so. */
@Tag("quick")
class CompositeIdsIntegrationTests {
    private static GalleryCluster cluster;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        cluster = new GalleryCluster(Gallery.TABLES, Gallery.ENTITIES);
        sessions = cluster.sessions;
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
    void aRowOfTwoParentsIsInTheShardOfBoth() {
        Photo photo = cluster.photo(5);
        User owner = Objects.requireNonNull(photo.owner);
        sessions.inTransaction(session -> {
            session.persist(new Pair(owner, photo));
            session.persist(new Seat(owner, photo));
        });

        RatingId id = new RatingId(owner.id, photo.id);
        sessions.inTransaction(session -> {
            Pair found = session.find(Pair.class, id);
            Photo ofPair = Objects.requireNonNull(found.photo);
            assertThat(ofPair.getTitle()).isEqualTo("photo of 5");
            assertThat(Hibernate.unproxy(ofPair, Photo.class).pairs).containsExactly(found);
            assertThat(session.createQuery(
                                    "select f.title from Pair p join p.photo f where p.user.id = :user", String.class)
                            .setParameter("user", owner.id)
                            .list())
                    .containsExactly("photo of 5");
            found.words = "changed";
        });
        assertThat(cluster.rows(5, "SELECT words FROM $.pair WHERE user_id = " + owner.id))
                .containsExactly("changed");
        assertThat(cluster.rows(5, "SELECT photo_id FROM $.seat WHERE user_id = " + owner.id))
                .containsExactly(String.valueOf(photo.id));
        sessions.inTransaction(session -> session.remove(session.find(Pair.class, id)));
        assertThat(cluster.rows(5, "SELECT words FROM $.pair WHERE user_id = " + owner.id))
                .isEmpty();
    }

    @Test
    void aRowOfTwoParentsInTwoShardsIsRefused() {
        Photo photo = cluster.photo(5);
        User other = cluster.user(6);
        for (Object row : List.of(new Pair(other, photo), new Seat(other, photo))) {
            assertAcross(() -> sessions.inTransaction(session -> session.persist(row)));
            assertAcross(() -> sessions.inTransaction(session -> session.merge(row)));
            assertAcross(() -> sessions.inStatelessTransaction(session -> session.insert(row)));
            assertAcross(() -> sessions.inStatelessTransaction(session -> session.upsert(row)));
        }
        for (String table : List.of("pair", "seat")) {
            assertThat(cluster.rows(6, "SELECT words FROM $." + table)).isEmpty();
        }
    }

    private static void assertAcross(ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOf(WrongShardException.class)
                .hasMessageMatching(
                        "(?s).*(Pair|Seat\\.id)\\.photo: .* is in shard 6, but refers to .*Photo.* in shard 5.*");
    }

    /** The kinds of composite ids. Each makes a row about a photo, and reads its words. */
    enum Kind {
        LIKE("photo_like"),
        MARK("mark"),
        FRAME("frame"),
        NOTE("note");

        final String table;

        Kind(String table) {
            this.table = table;
        }

        Object make(Photo photo, int number) {
            long id = Objects.requireNonNull(photo.id);
            return switch (this) {
                case LIKE -> new Like(photo, cluster.user(number % GalleryCluster.SHARDS), "new");
                case MARK -> new Mark(new MarkId(id, "name " + number), "new");
                case FRAME -> new Frame(new FrameId(photo, number), "new");
                case NOTE -> new Note(mark(photo), number, "new");
            };
        }

        private static Mark mark(Photo photo) {
            Mark mark = new Mark(new MarkId(Objects.requireNonNull(photo.id), "of a note"), "new");
            return sessions.fromTransaction(session -> session.merge(mark));
        }

        static String words(Object row) {
            return row instanceof Like like
                    ? like.words
                    : row instanceof Mark mark
                            ? mark.words
                            : row instanceof Frame frame ? frame.words : ((Note) row).words;
        }

        static void change(Object row, String words) {
            if (row instanceof Like like) {
                like.words = words;
            } else if (row instanceof Mark mark) {
                mark.words = words;
            } else if (row instanceof Frame frame) {
                frame.words = words;
            } else {
                ((Note) row).words = words;
            }
        }
    }

    private static Object id(Object row) {
        return sessions.getPersistenceUnitUtil().getIdentifier(row);
    }

    private static Object saved(Kind kind, int shard, int number) {
        Object row = kind.make(cluster.photo(shard), number);
        sessions.inTransaction(session -> session.persist(row));
        return row;
    }

    private static List<String> words(Kind kind, int shard, Object row) {
        String number = String.valueOf(((Number) Objects.requireNonNull(photoOf(row))).longValue());
        String column = kind == Kind.NOTE ? "mark_photo_id" : "photo_id";
        return cluster.rows(shard, "SELECT words FROM $." + kind.table + " WHERE " + column + " = " + number);
    }

    private static Object photoOf(Object row) {
        Object id = id(row);
        return id instanceof LikeId like
                ? Objects.requireNonNull(like.photoId())
                : id instanceof MarkId mark
                        ? mark.photoId()
                        : id instanceof NoteId note ? note.mark().photoId() : ((FrameId) id).photoId();
    }

    @ParameterizedTest
    @EnumSource
    void aRowIsSavedFoundChangedAndRemovedByItsIdAlone(Kind kind) {
        Object row = saved(kind, 6, 3);
        assertThat(words(kind, 6, row)).containsExactly("new");
        sessions.inTransaction(session -> {
            Object found = session.find(row.getClass(), id(row));
            Kind.change(found, "changed");
        });
        assertThat(words(kind, 6, row)).containsExactly("changed");
        sessions.inTransaction(session -> {
            Object found = session.getReference(row.getClass(), id(row));
            assertThat(Kind.words(Hibernate.unproxy(found))).isEqualTo("changed");
            session.refresh(found);
            session.lock(found, LockMode.PESSIMISTIC_WRITE);
            session.remove(found);
        });
        assertThat(words(kind, 6, row)).isEmpty();
        sessions.inTransaction(
                session -> assertThat(session.find(row.getClass(), id(row))).isNull());
    }

    @ParameterizedTest
    @EnumSource
    void aDetachedRowIsMerged(Kind kind) {
        Object row = saved(kind, 2, 5);
        Kind.change(row, "merged");
        sessions.inTransaction(session -> session.merge(row));
        assertThat(words(kind, 2, row)).containsExactly("merged");
        Object other = kind.make(cluster.photo(7), 5);
        ShardContext.run(1, () -> sessions.inTransaction(session -> session.merge(other)));
        assertThat(cluster.rows(7, "SELECT words FROM $." + kind.table)).contains("new");
    }

    @ParameterizedTest
    @EnumSource
    void severalAreFoundOverShards(Kind kind) {
        List<Object> rows = new ArrayList<>();
        for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
            rows.add(saved(kind, shard, shard));
        }
        List<Object> ids = rows.stream().map(CompositeIdsIntegrationTests::id).toList();
        sessions.inTransaction(session -> {
            List<?> found = session.findMultiple(rows.get(0).getClass(), ids);
            assertThat(found).extracting(CompositeIdsIntegrationTests::id).containsExactlyElementsOf(ids);
        });
        sessions.inStatelessTransaction(
                session -> assertThat(session.getMultiple(rows.get(0).getClass(), ids))
                        .extracting(CompositeIdsIntegrationTests::id)
                        .containsExactlyElementsOf(ids));
        sessions.inTransaction(session -> {
            List<Object> references = new ArrayList<>();
            ids.forEach(id -> references.add(session.getReference(rows.get(0).getClass(), id)));
            references.forEach(reference ->
                    assertThat(Kind.words(Hibernate.unproxy(reference))).isEqualTo("new"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void statelessSessionsRouteByIt(Kind kind) {
        Object row = kind.make(cluster.photo(5), 1);
        if (row instanceof Like like) {
            like.id = new LikeId(Objects.requireNonNull(like.photo).id, Objects.requireNonNull(like.user).id);
        }
        sessions.inStatelessTransaction(session -> session.insert(row));
        assertThat(words(kind, 5, row)).containsExactly("new");
        Kind.change(row, "updated");
        sessions.inStatelessTransaction(session -> session.update(row));
        assertThat(words(kind, 5, row)).containsExactly("updated");
        Kind.change(row, "upserted");
        sessions.inStatelessTransaction(session -> session.upsert(row));
        sessions.inStatelessTransaction(session ->
                assertThat(Kind.words(session.get(row.getClass(), id(row)))).isEqualTo("upserted"));
        sessions.inStatelessTransaction(session -> session.delete(row));
        assertThat(words(kind, 5, row)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aSecondShardIsRefusedBeforeAnythingIsSent(Kind kind) {
        Object one = kind.make(cluster.photo(1), 1);
        Object other = kind.make(cluster.photo(2), 1);
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    session.persist(one);
                    session.persist(other);
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThat(words(kind, 1, withId(one))).isEmpty();
    }

    private static Object withId(Object row) {
        if (row instanceof Like like) {
            like.id = new LikeId(Objects.requireNonNull(like.photo).id, 1L);
        }
        return row;
    }

    @Test
    void aRatingIsFoundByTheIdsOfItsPhotoAndItsUser() {
        Photo photo = cluster.photo(3);
        User user = cluster.user(6);
        Rating rating = new Rating(photo, user, 4);
        sessions.inTransaction(session -> session.persist(rating));
        assertThat(cluster.rows(3, "SELECT stars FROM $.rating WHERE photo_id = " + photo.id))
                .containsExactly("4");
        RatingId id = new RatingId(user.id, photo.id);
        sessions.inTransaction(session -> {
            Rating found = session.find(Rating.class, id);
            assertThat(Objects.requireNonNull(found.user).getName()).isEqualTo("user of 6");
            assertThat(Objects.requireNonNull(found.photo).getTitle()).isEqualTo("photo of 3");
            found.stars = 5;
        });
        sessions.inTransaction(session -> {
            assertThat(session.find(Photo.class, photo.id).ratings)
                    .extracting(each -> each.stars)
                    .containsExactly(5);
            rating.stars = 2;
            session.merge(rating);
        });
        sessions.inTransaction(session -> session.remove(session.getReference(Rating.class, id)));
        assertThat(cluster.rows(3, "SELECT stars FROM $.rating WHERE photo_id = " + photo.id))
                .isEmpty();
    }

    @Test
    void aTextInTheIdNamesTheShard() {
        String tenant = IntStream.range(0, 1000)
                .mapToObj(i -> "tenant " + i)
                .filter(text -> ShardKeys.shardOf(text, GalleryCluster.SHARDS) == 4)
                .findFirst()
                .orElseThrow();
        sessions.inTransaction(session -> session.persist(new Share(tenant, 1, "shared")));
        assertThat(cluster.rows(4, "SELECT words FROM $.share")).containsExactly("shared");
        sessions.inTransaction(session -> assertThat(session.find(Share.class, new ShareId(tenant, 1)).words)
                .isEqualTo("shared"));
    }

    @Test
    void otherPartsOfTheIdMayBeAnything() {
        Photo photo = cluster.photo(6);
        Visit visit = new Visit(photo, "visited");
        Ticket ticket = new Ticket(photo, "taken");
        ShardContext.run(
                1,
                () -> sessions.inTransaction(session -> {
                    session.persist(visit);
                    session.persist(ticket);
                }));
        Ticket merged = sessions.fromTransaction(session -> session.merge(new Ticket(photo, "merged")));
        assertThat(cluster.rows(6, "SELECT id FROM $.visit")).containsExactly(String.valueOf(visit.id));
        assertThat(cluster.rows(6, "SELECT number || words FROM $.ticket ORDER BY number"))
                .containsExactly(ticket.number + "taken", merged.number + "merged");
        sessions.inTransaction(session -> assertThat(session.find(Visit.class, new VisitId(photo.id, visit.id)).words)
                .isEqualTo("visited"));
    }

    @Test
    void likesAreLoadedFromTheirPhotoAndLeadToUsersOfOtherShards() {
        Photo photo = cluster.photo(3);
        sessions.inTransaction(session -> {
            Photo found = session.find(Photo.class, photo.id);
            for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
                Like like = new Like(found, cluster.user(shard), "like of " + shard);
                like.tags.add("tag " + shard);
                found.likes.add(like);
            }
        });
        sessions.inTransaction(session -> {
            Photo found = session.find(Photo.class, photo.id);
            assertThat(found.likes).hasSize(8).allSatisfy(like -> {
                assertThat(like.tags).hasSize(1);
                assertThat("like of " + Objects.requireNonNull(like.user).getName())
                        .isEqualTo(like.words.replace("of ", "of user of "));
            });
            found.likes.removeIf(like -> like.words.endsWith("5"));
        });
        assertThat(cluster.rows(3, "SELECT words FROM $.photo_like WHERE photo_id = " + photo.id))
                .hasSize(7);
    }

    @Test
    void rowsThatWaitAreLoadedWithOneStatementForEachShard() {
        List<MarkId> ids = new ArrayList<>();
        for (int shard : new int[] {1, 6, 1, 6}) {
            Mark mark = new Mark(new MarkId(Objects.requireNonNull(cluster.photo(shard).id), "waits"), "new");
            sessions.inTransaction(session -> session.persist(mark));
            ids.add(Objects.requireNonNull(mark.id));
        }
        sessions.inTransaction(session -> {
            List<Mark> references =
                    ids.stream().map(id -> session.getReference(Mark.class, id)).toList();
            long before = sessions.getStatistics().getPrepareStatementCount();
            references.forEach(Hibernate::initialize);
            assertThat(sessions.getStatistics().getPrepareStatementCount() - before)
                    .isEqualTo(2);
        });
    }

    @Test
    void tagsOfLikesInSeveralShardsAreLoadedInBatches() {
        List<LikeId> ids = new ArrayList<>();
        for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
            Like like = new Like(cluster.photo(shard), cluster.user(1), "tagged");
            like.tags.add("tag " + shard);
            sessions.inTransaction(session -> session.persist(like));
            ids.add(like.id);
        }
        sessions.inTransaction(session -> {
            List<Like> likes = session.findMultiple(Like.class, ids);
            for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
                assertThat(likes.get(shard).tags).containsExactly("tag " + shard);
            }
        });
    }

    @Test
    void anAssociationOfTheRowIsKeptInTheShardOfTheId() {
        Frame frame = new Frame(new FrameId(cluster.photo(3), 1), "framed");
        frame.copyOf = cluster.photo(4);
        for (int flush = 0; flush < 2; flush++) {
            boolean stateless = flush == 0;
            assertThatThrownBy(() -> {
                        if (stateless) {
                            sessions.inStatelessTransaction(session -> session.insert(frame));
                        } else {
                            sessions.inTransaction(session -> session.persist(frame));
                        }
                    })
                    .hasStackTraceContaining(WrongShardException.class.getName())
                    .hasStackTraceContaining("but refers to ");
        }
    }

    @Test
    void sqlThatWritesTheIdOfAnotherShardIsRefused() {
        long photo = cluster.databases.cluster().layout().encode(1, 6, 1);
        assertThatThrownBy(() -> ShardContext.run(
                        1,
                        () -> sessions.inTransaction(session -> session.createNativeMutationQuery(
                                        "insert into {h-schema}mark (photo_id, name, words) values (:photo, 'x', 'y')")
                                .setParameter("photo", photo)
                                .executeUpdate())))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("(constraint sharded_id_check");
    }

    @Test
    void anIdOfNoShardIsAbsentForReadsAndAnErrorForWrites() {
        long unknown = cluster.databases.cluster().layout().encode(1, 4000, 1);
        MarkId id = new MarkId(unknown, "nowhere");
        sessions.inTransaction(session -> {
            assertThat(session.find(Mark.class, id)).isNull();
            assertThat(session.findMultiple(Mark.class, List.of(id))).containsOnlyNulls();
        });
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.persist(new Mark(id, "new"))))
                .hasStackTraceContaining(UnknownShardException.class.getName());
    }

    @Test
    void queriesAreRoutedByTheIdAndItsPart() {
        EntityShards shards = EntityShards.of(sessions).orElseThrow();
        long photo = cluster.databases.cluster().layout().encode(1, 6, 1);
        LikeId like = new LikeId(photo, 1L);
        Map<String, Object> likes = Map.of("id", like, "id.photoId", photo, "photo.id", photo);
        likes.forEach((path, value) -> assertThat(
                        shards.byPath(Like.class, path).orElseThrow().shardOf(value))
                .as(path)
                .isEqualTo(6));
        assertThat(shards.byPath(Like.class, "id.userId")).isEmpty();
        assertThat(shards.byPath(Rating.class, "photo.id").orElseThrow().shardOf(photo))
                .isEqualTo(6);
        assertThat(shards.byPath(Rating.class, "user")).isEmpty();
        assertThat(shards.byPath(Frame.class, "id.photo.id").orElseThrow().shardOf(photo))
                .isEqualTo(6);
        assertThat(shards.byPath(Note.class, "mark").orElseThrow().shardOf(new MarkId(photo, "x")))
                .isEqualTo(6);
        assertThat(shards.byPath(Note.class, "id.mark").orElseThrow().shardOf(new MarkId(photo, "x")))
                .isEqualTo(6);
        assertThat(shards.byId(Like.class).shardOf(like)).isEqualTo(6);
        assertThat(shards.byKey(Mark.class).orElseThrow().shardOf(photo)).isEqualTo(6);
        assertThat(
                        shards.parametersOf(
                                "from PhotoLike l where l.id = :id and l.id.photoId = :p and l.id.userId = :u and l.photo.owner.id = :o"))
                .extracting(use -> use.parameter() + " " + use.decides())
                .contains("id true", "p true", "u false", "o true");
        assertThat(shards.parametersOf("from Rating r where r.photo.id = :p and r.user.id = :u"))
                .extracting(use -> use.parameter() + " " + use.decides())
                .containsExactlyInAnyOrder("p true", "u false");
        assertThat(shards.parametersOf("from Frame f where f.id.photo.id = :p"))
                .extracting(use -> use.parameter() + " " + use.decides())
                .containsExactly("p true");
        assertThat(shards.parametersOfNative("SELECT * FROM {h-schema}mark WHERE photo_id = :p AND name = :n"))
                .extracting(use -> use.parameter() + " " + use.decides())
                .containsExactly("p true");
        assertThat(shards.shardOf(new Mark(new MarkId(photo, "x"), "new"))).isEqualTo(6);
        assertThat(shards.shardOf(new Like(cluster.photo(2), cluster.user(1), "new")))
                .isEqualTo(2);
        assertThat(shards.shardOf(new Rating(cluster.photo(2), cluster.user(1), 1)))
                .isEqualTo(2);
    }
}
