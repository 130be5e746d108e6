package io.github.shardedid.boot.mistakes;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entities whose tables, sequences, keys and associations do not fit. */
final class MistakenEntities {
    private MistakenEntities() {}

    @Entity(name = "author")
    static class Author {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        String name;
    }

    @Entity(name = "book")
    static class Book {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        Long isbn;

        @ManyToOne
        @Nullable
        Author author;
    }

    @Entity(name = "loan")
    static class Loan {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String until;
    }

    @Entity(name = "shelf")
    static class Shelf {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity(name = "reader")
    static class Reader {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        String name;
    }

    @Entity(name = "branch")
    static class Branch {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;

        @OneToMany(mappedBy = "branch")
        List<Room> rooms = new ArrayList<>();
    }

    @Entity(name = "room")
    static class Room {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne
        @Nullable
        Branch branch;
    }

    @Entity(name = "country")
    static class Country {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;
    }
}
