package io.github.shardedid.hibernate.temporal;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.annotations.Audited;
import org.hibernate.annotations.Temporal;
import org.jspecify.annotations.Nullable;

/** Rates, fees, and what Hibernate would audit. */
final class Rates {
    private Rates() {}

    @Entity(name = "Rate")
    @Table(name = "rate")
    @Temporal(rowStart = "effective", rowEnd = "superseded")
    static class Rate {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        String tenant;

        String words = "";
    }

    @Entity(name = "Fee")
    @Table(name = "fee")
    @Temporal(rowStart = "effective", rowEnd = "superseded")
    static class Fee {
        @Id
        long id;

        String words = "";
    }

    @Entity(name = "Doc")
    @Audited
    static class Doc {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity(name = "GlobalDoc")
    @Audited
    static class GlobalDoc {
        @Id
        long id;
    }

    @Entity(name = "OwnDoc")
    @Audited
    static class OwnDoc {
        @Id
        @Nullable
        String id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Tagged parent;
    }

    /** Only its tags are audited. */
    @Entity(name = "Tagged")
    static class Tagged {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ElementCollection
        @Audited
        Set<String> tags = new HashSet<>();
    }
}
