package io.github.shardedid.hibernate.unique;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.CreationTimestamp;
import org.jspecify.annotations.Nullable;

/** Entities whose values cannot be claimed. */
final class UnclaimedMappings {
    private UnclaimedMappings() {}

    @MappedSuperclass
    static class Row {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    static class OwnId {
        @Id
        UUID id = UUID.randomUUID();

        @ShardKey
        long user;

        @UniqueAcrossShards
        @Nullable
        String name;
    }

    @Entity
    static class Generated extends Row {
        @UniqueAcrossShards
        @CreationTimestamp
        java.time.@Nullable Instant created;
    }

    @Entity
    static class Decimal extends Row {
        @UniqueAcrossShards
        @Nullable
        BigDecimal amount;
    }

    @Entity
    @GlobalEntity
    static class Global {
        @Id
        @Nullable
        String id;

        @UniqueAcrossShards
        @Nullable
        String name;
    }

    @Entity
    @UniqueAcrossShards(attributes = "nick")
    static class Unknown extends Row {}

    @Entity
    static class Elements extends Row {
        @ElementCollection
        List<Part> parts = new ArrayList<>();
    }

    @Embeddable
    static class Part {
        @UniqueAcrossShards
        @Nullable
        String name;
    }

    @Entity
    static class ByDefault {
        @Id
        @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
        @Nullable
        Long id;

        @UniqueAcrossShards
        @Nullable
        String name;
    }

    @Entity
    static class Twice {
        @Id
        @ShardedId
        @UniqueAcrossShards
        @Nullable
        Long id;
    }
}
