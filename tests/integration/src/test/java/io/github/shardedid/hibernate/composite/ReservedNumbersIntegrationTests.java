package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.CollectionId;
import org.hibernate.annotations.CollectionIdJavaClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Numbers that Hibernate reserves from the sequence of a shard, for a part of a composite id, are used in that shard only. */
class ReservedNumbersIntegrationTests {
    record LineId(@Nullable Long photo, @Nullable Long number) implements Serializable {}

    /** Hibernate reserves 50 numbers at a time. */
    @Entity(name = "Line")
    @Table(name = "line")
    @IdClass(LineId.class)
    static class Line {
        @Id
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @Nullable
        Long number;

        Line() {}

        Line(Photo photo) {
            this.photo = photo;
        }
    }

    /** The rows of its words have ids of their own. */
    @Entity(name = "Poster")
    @Table(name = "poster")
    static class Poster {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Photo photo;

        @ElementCollection
        @CollectionTable(name = "poster_word", joinColumns = @JoinColumn(name = "poster_id"))
        @Column(name = "word")
        @CollectionId(column = @Column(name = "number"), generator = "poster_word_seq")
        @CollectionIdJavaClass(idType = Long.class)
        @SequenceGenerator(name = "poster_word_seq", sequenceName = "poster_word_seq")
        Collection<String> words = new ArrayList<>();

        Poster() {}

        Poster(Photo photo, String... words) {
            this.photo = photo;
            this.words.addAll(List.of(words));
        }
    }

    /** The rows of its words have numbers that one JVM counts. */
    @Entity(name = "Placard")
    @Table(name = "placard")
    static class Placard {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ElementCollection
        @CollectionTable(name = "placard_word", joinColumns = @JoinColumn(name = "placard_id"))
        @Column(name = "word")
        @CollectionId(column = @Column(name = "number"), generator = "increment")
        @CollectionIdJavaClass(idType = Long.class)
        Collection<String> words = new ArrayList<>();
    }

    private static final String TABLES =
            """
            CREATE SEQUENCE poster_id_seq MINVALUE 0;
            CREATE TABLE poster (id bigint PRIMARY KEY, photo_id bigint NOT NULL);
            CREATE SEQUENCE poster_word_seq INCREMENT 50;
            CREATE TABLE poster_word (number bigint PRIMARY KEY, poster_id bigint NOT NULL, word text NOT NULL);
            CREATE SEQUENCE line_seq INCREMENT 50;
            CREATE TABLE line (photo_id bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (photo_id, number));
            """;

    private static final Class<?>[] ENTITIES = Stream.concat(
                    Stream.of(Gallery.ENTITIES), Stream.of(Line.class, Poster.class))
            .toArray(Class<?>[]::new);

    private static void persist(SessionFactory sessions, Photo photo) {
        ShardContext.run(3, () -> sessions.inTransaction(session -> session.persist(new Line(photo))));
    }

    private static List<String> numbers(GalleryCluster cluster, int shard) {
        return cluster.rows(shard, "SELECT number FROM $.line ORDER BY number");
    }

    @Test
    void twoJvmsWriteToTwoShards() {
        try (GalleryCluster cluster = new GalleryCluster(Gallery.TABLES + TABLES, ENTITIES);
                SessionFactory other = GalleryCluster.configuration(cluster.databases)
                        .addAnnotatedClasses(ENTITIES)
                        .buildSessionFactory()) {
            List<Photo> photos = List.of(cluster.photo(1), cluster.photo(6));
            for (int round = 0; round < 3; round++) {
                for (Photo photo : photos) {
                    persist(cluster.sessions, photo);
                    persist(other, photo);
                }
            }
            assertThat(numbers(cluster, 1)).containsExactly("1", "2", "3", "4", "52", "53");
            assertThat(numbers(cluster, 6)).containsExactly("1", "2", "3", "4", "52", "53");
            assertThat(cluster.rows(3, "SELECT is_called FROM $.line_seq")).containsExactly("f");
        }
    }

    @Test
    void theRowsOfACollectionHaveNumbersOfTheirShard() {
        try (GalleryCluster cluster = new GalleryCluster(Gallery.TABLES + TABLES, ENTITIES);
                SessionFactory other = GalleryCluster.configuration(cluster.databases)
                        .addAnnotatedClasses(ENTITIES)
                        .buildSessionFactory()) {
            List<Photo> photos = List.of(cluster.photo(1), cluster.photo(6));
            for (SessionFactory sessions : List.of(cluster.sessions, other)) {
                for (Photo photo : photos) {
                    Poster poster = new Poster(photo, "one", "two");
                    sessions.inTransaction(session -> session.persist(poster));
                    sessions.inTransaction(session ->
                            session.find(Poster.class, poster.id).words.add("three"));
                }
            }
            for (int shard : new int[] {1, 6}) {
                assertThat(cluster.rows(shard, "SELECT number FROM $.poster_word ORDER BY number"))
                        .containsExactly("1", "2", "3", "52", "53", "54");
            }
            assertThat(cluster.rows(3, "SELECT is_called FROM $.poster_word_seq"))
                    .containsExactly("f");
        }
    }

    @Test
    void aGeneratorThatKnowsNoShardsIsRefusedForTheRowsOfACollection() {
        try (GalleryCluster cluster = new GalleryCluster(Gallery.TABLES + TABLES, ENTITIES)) {
            assertThatThrownBy(() -> GalleryCluster.configuration(cluster.databases)
                            .addAnnotatedClass(Placard.class)
                            .buildSessionFactory()
                            .close())
                    .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                    .hasStackTraceContaining("The ids of " + Placard.class.getName() + ".words")
                    .hasStackTraceContaining("IncrementGenerator, which does not know the shards");
        }
    }

    @Test
    void aStatelessSessionTakesThemFromTheScope() {
        try (GalleryCluster cluster = new GalleryCluster(Gallery.TABLES + TABLES, ENTITIES)) {
            Photo photo = cluster.photo(1);
            assertThatThrownBy(
                            () -> cluster.sessions.inStatelessTransaction(session -> session.insert(new Line(photo))))
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("a generated part of a composite id")
                    .hasMessageContaining("ShardContext.run(shard");
            ShardContext.run(
                    1, () -> cluster.sessions.inStatelessTransaction(session -> session.insert(new Line(photo))));
            assertThat(numbers(cluster, 1)).containsExactly("1");
        }
    }
}
