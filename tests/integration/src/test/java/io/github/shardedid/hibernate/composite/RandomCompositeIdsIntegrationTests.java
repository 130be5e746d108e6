package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.hibernate.composite.Gallery.Frame;
import io.github.shardedid.hibernate.composite.Gallery.FrameId;
import io.github.shardedid.hibernate.composite.Gallery.Like;
import io.github.shardedid.hibernate.composite.Gallery.LikeId;
import io.github.shardedid.hibernate.composite.Gallery.Mark;
import io.github.shardedid.hibernate.composite.Gallery.MarkId;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.hibernate.composite.Gallery.Rating;
import io.github.shardedid.hibernate.composite.Gallery.RatingId;
import io.github.shardedid.hibernate.composite.Gallery.User;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random work on rows with composite ids, with shards and with plain Hibernate on one database: the outcomes are the same. */
class RandomCompositeIdsIntegrationTests {
    private static final int STEPS = 250;
    private static final List<String> TABLES = List.of(
            "photo_like (photo_id, user_id, words, version)",
            "like_tags (photo_id, user_id, tag)",
            "rating (photo_id, user_id, stars)",
            "mark (photo_id, name, words)",
            "frame (photo_id, number, words)");

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Long> users = new ArrayList<>();
    private final List<Long> photos = new ArrayList<>();

    @Test
    void outcomesAndRowsAreThoseOfPlainHibernate() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (GalleryCluster sharded = new GalleryCluster(Gallery.TABLES, Gallery.ENTITIES)) {
            database.execute(Gallery.TABLES);
            try (SessionFactory plain = PlainHibernate.on(
                    database, GalleryCluster.settings(), Gallery.ENTITIES, List.of(User.class, Photo.class))) {
                for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
                    users.add(IdLayout.DEFAULT.encode(1, shard, 1));
                    photos.add(IdLayout.DEFAULT.encode(2, shard, 1));
                    insertParents(sharded.sessions, shard);
                    insertParents(plain, shard);
                }
                for (int step = 0; step < STEPS; step++) {
                    Function<Session, Object> work = work(step);
                    assertThat(PlainHibernate.outcome(() -> sharded.sessions.fromTransaction(work)))
                            .as("step " + step + " of -Dsharded-id.test.seed=" + seed)
                            .isEqualTo(PlainHibernate.outcome(() -> plain.fromTransaction(work)));
                }
            }
            compare(sharded, database);
        } finally {
            database.drop();
        }
    }

    private void insertParents(SessionFactory sessions, int shard) {
        sessions.inTransaction(session -> {
            User user = new User("user of " + shard);
            user.id = users.get(shard);
            session.persist(user);
            Photo photo = new Photo(user);
            photo.id = photos.get(shard);
            session.persist(photo);
        });
    }

    /** One transaction, with the same random choices on both sides. */
    private Function<Session, Object> work(int step) {
        long photo = photos.get(random.nextInt(photos.size()));
        long user = users.get(random.nextInt(users.size()));
        long other = photos.get(random.nextInt(photos.size()));
        String name = "name " + random.nextInt(3);
        int number = random.nextInt(3);
        String words = "words of " + step;
        return switch (random.nextInt(18)) {
            case 0 ->
                session -> {
                    Like like = new Like(reference(session, photo), session.getReference(User.class, user), words);
                    like.tags.add(name);
                    session.persist(like);
                    return "";
                };
            case 1 ->
                session -> {
                    Like like = session.find(Like.class, new LikeId(photo, user));
                    if (like != null) {
                        like.words = words;
                        like.tags.add(name);
                        like.tags.remove("name 0");
                    }
                    return like == null ? "none" : like.tags.size() + nameOf(like.user);
                };
            case 2 ->
                session -> {
                    List<String> found = new ArrayList<>();
                    session.find(Photo.class, photo)
                            .likes
                            .forEach(like -> found.add(like.id + " " + new TreeSet<>(like.tags)));
                    found.sort(null);
                    return found;
                };
            case 3 -> session -> session.find(Photo.class, photo).likes.removeIf(like -> like.tags.contains(name));
            case 4 ->
                session -> {
                    session.persist(
                            new Rating(reference(session, photo), session.getReference(User.class, user), number));
                    return "";
                };
            case 5 ->
                session -> {
                    Rating rating = session.find(Rating.class, new RatingId(user, photo));
                    if (rating != null) {
                        rating.stars++;
                        session.refresh(rating);
                        rating.stars = number;
                    }
                    return rating == null ? "none" : nameOf(rating.user) + titleOf(rating.photo);
                };
            case 6 ->
                session -> {
                    Rating rating = session.find(Rating.class, new RatingId(user, photo));
                    if (rating != null) {
                        session.remove(rating);
                    }
                    return rating == null ? "none" : rating.stars;
                };
            case 7 ->
                session -> session.find(Photo.class, photo).ratings.stream()
                        .mapToInt(rating -> rating.stars)
                        .sum();
            case 8 ->
                session -> {
                    session.merge(new Mark(new MarkId(photo, name), words));
                    return "";
                };
            case 9 ->
                session ->
                        session
                                .findMultiple(Mark.class, List.of(new MarkId(photo, name), new MarkId(other, name)))
                                .stream()
                                .map(mark -> mark == null ? "none" : mark.words)
                                .toList();
            case 10 ->
                session -> {
                    session.persist(new Mark(new MarkId(photo, name), words));
                    return "";
                };
            case 11 ->
                session -> {
                    Mark mark = session.find(Mark.class, new MarkId(photo, name));
                    if (mark != null) {
                        session.remove(mark);
                    }
                    return mark == null ? "none" : mark.words;
                };
            case 12 ->
                session -> {
                    session.persist(new Frame(new FrameId(reference(session, photo), number), words));
                    return "";
                };
            case 13 ->
                session -> {
                    Frame frame = session.find(Frame.class, new FrameId(reference(session, photo), number));
                    Frame second = session.find(Frame.class, new FrameId(reference(session, other), number));
                    if (frame != null) {
                        frame.words = words;
                    }
                    return second == null ? "none" : second.words;
                };
            case 14 ->
                session -> {
                    Frame frame = session.find(Frame.class, new FrameId(reference(session, photo), number));
                    if (frame != null) {
                        session.remove(frame);
                    }
                    return frame == null ? "none" : titleOf(Objects.requireNonNull(frame.id).photo);
                };
            case 15 ->
                session -> {
                    Like like = new Like(reference(session, photo), session.getReference(User.class, user), words);
                    like.id = new LikeId(photo, user);
                    session.merge(like);
                    return "";
                };
            case 16 ->
                session -> {
                    Photo found = session.find(Photo.class, photo);
                    found.likes.add(new Like(found, session.getReference(User.class, user), words));
                    return found.likes.size();
                };
            default ->
                session -> {
                    session.remove(session.find(Like.class, new LikeId(photo, user)));
                    return "";
                };
        };
    }

    private static String nameOf(@Nullable User user) {
        return user == null ? "none" : user.getName();
    }

    private static String titleOf(@Nullable Photo photo) {
        return photo == null ? "none" : photo.getTitle();
    }

    private static Photo reference(Session session, long id) {
        return session.getReference(Photo.class, id);
    }

    /** Each row is in the shard of its photo, and there are no others. */
    private void compare(GalleryCluster sharded, TestDatabase plain) {
        for (String table : TABLES) {
            String name = table.substring(0, table.indexOf(' '));
            String columns =
                    table.substring(table.indexOf('(') + 1, table.length() - 1).replace(", ", " || ' ' || ");
            for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
                assertThat(sharded.rows(shard, "SELECT " + columns + " FROM $." + name + " ORDER BY 1"))
                        .as(name + " in shard " + shard + ", -Dsharded-id.test.seed=" + seed)
                        .isEqualTo(plain.query("SELECT " + columns + " FROM " + name + " WHERE photo_id = "
                                + photos.get(shard) + " ORDER BY 1"));
            }
        }
    }
}
