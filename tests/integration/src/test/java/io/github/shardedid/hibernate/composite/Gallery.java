package io.github.shardedid.hibernate.composite;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;

/** Photos of users, and rows about a photo, each with another kind of composite id. */
final class Gallery {
    private Gallery() {}

    static final Class<?>[] ENTITIES = {
        User.class,
        Photo.class,
        Like.class,
        Rating.class,
        Pair.class,
        Seat.class,
        Mark.class,
        Frame.class,
        Note.class,
        Share.class,
        Visit.class,
        Ticket.class
    };

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE gallery_user_id_seq MINVALUE 0;
            CREATE TABLE gallery_user (id bigint PRIMARY KEY, name text);
            CREATE SEQUENCE gallery_photo_id_seq MINVALUE 0;
            CREATE TABLE gallery_photo (id bigint PRIMARY KEY, owner_id bigint NOT NULL, title text);
            CREATE TABLE photo_like (photo_id bigint NOT NULL REFERENCES gallery_photo, user_id bigint NOT NULL, words text,
                version int NOT NULL, PRIMARY KEY (photo_id, user_id));
            CREATE TABLE like_tags (photo_id bigint NOT NULL, user_id bigint NOT NULL, tag text);
            CREATE TABLE rating (user_id bigint NOT NULL, photo_id bigint NOT NULL REFERENCES gallery_photo, stars int NOT NULL,
                PRIMARY KEY (user_id, photo_id));
            CREATE TABLE pair (user_id bigint NOT NULL REFERENCES gallery_user, photo_id bigint NOT NULL REFERENCES gallery_photo,
                words text, PRIMARY KEY (user_id, photo_id));
            CREATE TABLE seat (user_id bigint NOT NULL REFERENCES gallery_user, photo_id bigint NOT NULL REFERENCES gallery_photo,
                words text, PRIMARY KEY (user_id, photo_id));
            CREATE TABLE mark (photo_id bigint NOT NULL, name text NOT NULL, words text, PRIMARY KEY (photo_id, name));
            CREATE TABLE frame (photo_id bigint NOT NULL, number int NOT NULL, copy_of_id bigint, words text,
                PRIMARY KEY (photo_id, number));
            CREATE TABLE note (mark_photo_id bigint NOT NULL, mark_name text NOT NULL, number int NOT NULL, words text,
                PRIMARY KEY (mark_photo_id, mark_name, number));
            CREATE TABLE visit (photo_id bigint NOT NULL, id uuid NOT NULL, words text, PRIMARY KEY (photo_id, id));
            CREATE SEQUENCE ticket_seq;
            CREATE TABLE ticket (photo_id bigint NOT NULL, number bigint NOT NULL, words text, PRIMARY KEY (photo_id, number));
            CREATE TABLE share (tenant text NOT NULL, number int NOT NULL, words text, PRIMARY KEY (tenant, number));
            """;

    @Entity(name = "User")
    @Table(name = "gallery_user")
    static class User {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String name = "";

        User() {}

        User(String name) {
            this.name = name;
        }

        String getName() {
            return name;
        }
    }

    @Entity(name = "Photo")
    @Table(name = "gallery_photo")
    static class Photo {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User owner;

        String title = "";

        @OneToMany(mappedBy = "photo", cascade = CascadeType.ALL, orphanRemoval = true)
        List<Like> likes = new ArrayList<>();

        @OneToMany(mappedBy = "photo")
        Set<Rating> ratings = new HashSet<>();

        @OneToMany(mappedBy = "photo")
        Set<Pair> pairs = new HashSet<>();

        Photo() {}

        Photo(User owner) {
            this.owner = owner;
        }

        String getTitle() {
            return title;
        }
    }

    @Embeddable
    record LikeId(@Nullable Long photoId, @Nullable Long userId) implements Serializable {}

    /** By {@code @MapsId}: the photo decides, the user may be anywhere. */
    @Entity(name = "PhotoLike")
    @Table(name = "photo_like")
    static class Like {
        @EmbeddedId
        LikeId id = new LikeId(null, null);

        @MapsId("photoId")
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        @ForeignShard
        @MapsId("userId")
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User user;

        String words = "";

        @Version
        int version;

        @ElementCollection
        @CollectionTable(
                name = "like_tags",
                joinColumns = {
                    @JoinColumn(name = "photo_id", referencedColumnName = "photo_id"),
                    @JoinColumn(name = "user_id", referencedColumnName = "user_id")
                })
        @Column(name = "tag")
        Set<String> tags = new HashSet<>();

        Like() {}

        Like(Photo photo, User user, String words) {
            this.photo = photo;
            this.user = user;
            this.words = words;
        }
    }

    record RatingId(@Nullable Long user, @Nullable Long photo) implements Serializable {}

    /** By associations in an {@code @IdClass}, of which the second decides. */
    @Entity(name = "Rating")
    @IdClass(RatingId.class)
    static class Rating {
        @Id
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User user;

        @Id
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        int stars;

        Rating() {}

        Rating(Photo photo, User user, int stars) {
            this.photo = photo;
            this.user = user;
            this.stars = stars;
        }
    }

    /** Of two parents in one shard, of which the first decides. */
    @Entity(name = "Pair")
    @IdClass(RatingId.class)
    static class Pair {
        @Id
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User user;

        @Id
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        String words = "";

        Pair() {}

        Pair(User user, Photo photo) {
            this.user = user;
            this.photo = photo;
        }
    }

    @Embeddable
    static class SeatId implements Serializable {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User user;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        SeatId() {}

        SeatId(User user, Photo photo) {
            this.user = user;
            this.photo = photo;
        }
    }

    /** The same, within an embeddable. */
    @Entity(name = "Seat")
    static class Seat {
        @EmbeddedId
        @Nullable
        SeatId id;

        String words = "";

        Seat() {}

        Seat(User user, Photo photo) {
            id = new SeatId(user, photo);
        }
    }

    @Embeddable
    record MarkId(@ShardKey(references = Photo.class) Long photoId, String name) implements Serializable {}

    /** By numbers alone. */
    @Entity(name = "Mark")
    static class Mark {
        @EmbeddedId
        @Nullable
        MarkId id;

        String words = "";

        Mark() {}

        Mark(MarkId id, String words) {
            this.id = id;
            this.words = words;
        }
    }

    @Embeddable
    static class FrameId implements Serializable {
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        int number;

        FrameId() {}

        FrameId(Photo photo, int number) {
            this.photo = photo;
            this.number = number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof FrameId frame
                    && number == frame.number
                    && Objects.equals(photoId(), frame.photoId());
        }

        @Override
        public int hashCode() {
            return number;
        }

        Object photoId() {
            return photo instanceof HibernateProxy proxy
                    ? proxy.getHibernateLazyInitializer().getInternalIdentifier()
                    : Objects.requireNonNull(Objects.requireNonNull(photo).id);
        }
    }

    /** By an association in the embeddable. */
    @Entity(name = "Frame")
    static class Frame {
        @EmbeddedId
        @Nullable
        FrameId id;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo copyOf;

        String words = "";

        Frame() {}

        Frame(FrameId id, String words) {
            this.id = id;
            this.words = words;
        }
    }

    record VisitId(@Nullable Long photo, @Nullable UUID id) implements Serializable {}

    /** With a part that the JVM generates. */
    @Entity(name = "Visit")
    @IdClass(VisitId.class)
    static class Visit {
        @Id
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        @Id
        @GeneratedValue(strategy = GenerationType.UUID)
        @Nullable
        UUID id;

        String words = "";

        Visit() {}

        Visit(Photo photo, String words) {
            this.photo = photo;
            this.words = words;
        }
    }

    record TicketId(@Nullable Long photo, @Nullable Long number) implements Serializable {}

    /** With a part that the application counts. */
    @Entity(name = "Ticket")
    @IdClass(TicketId.class)
    static class Ticket {
        private static final AtomicLong NUMBERS = new AtomicLong();

        @Id
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        @Id
        @Nullable
        Long number;

        String words = "";

        Ticket() {}

        Ticket(Photo photo, String words) {
            this.photo = photo;
            this.number = NUMBERS.incrementAndGet();
            this.words = words;
        }
    }

    record ShareId(String tenant, int number) implements Serializable {}

    /** By a text. */
    @Entity(name = "Share")
    @IdClass(ShareId.class)
    static class Share {
        @Id
        @ShardKey
        String tenant = "";

        @Id
        int number;

        String words = "";

        Share() {}

        Share(String tenant, int number, String words) {
            this.tenant = tenant;
            this.number = number;
            this.words = words;
        }
    }

    @Embeddable
    record NoteId(MarkId mark, int number) implements Serializable {}

    /** By the composite id of its parent. */
    @Entity(name = "Note")
    static class Note {
        @EmbeddedId
        @Nullable
        NoteId id;

        @MapsId("mark")
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Mark mark;

        String words = "";

        Note() {}

        Note(Mark mark, int number, String words) {
            this.mark = mark;
            this.id = new NoteId(Objects.requireNonNull(mark.id), number);
            this.words = words;
        }
    }
}
