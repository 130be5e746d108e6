package io.github.shardedid.hibernate;

import jakarta.persistence.Column;
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
import jakarta.persistence.OneToOne;
import java.io.Serializable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Entities without {@code @ShardedId} whose id contains that of a sharded one. */
final class DerivedIds {
    private DerivedIds() {}

    record LineKey(@Nullable Long root, int line) implements Serializable {}

    @Entity
    @IdClass(LineKey.class)
    static class InIdClass {
        @Id
        @ManyToOne
        CheckedMappings.@Nullable Root root;

        @Id
        int line;
    }

    @Embeddable
    static class Pair implements Serializable {
        @ManyToOne
        CheckedMappings.@Nullable Root root;

        int line;
    }

    @Entity
    static class InEmbeddedId {
        @EmbeddedId
        @Nullable
        Pair id;
    }

    @Embeddable
    record Numbers(long rootId, int line) implements Serializable {}

    @Entity
    static class ByMapsId {
        @EmbeddedId
        @Nullable
        Numbers id;

        @MapsId("rootId")
        @ManyToOne
        CheckedMappings.@Nullable Root root;
    }

    @Entity
    @IdClass(Numbers.class)
    static class OverAColumn {
        @Id
        @Column(name = "root_id")
        long rootId;

        @Id
        int line;

        @ManyToOne
        @JoinColumn(name = "root_id", insertable = false, updatable = false)
        CheckedMappings.@Nullable Root root;
    }

    record Roots(@Nullable Long one, @Nullable Long other) implements Serializable {}

    @Entity
    @IdClass(Roots.class)
    static class TwoRoots {
        @Id
        @ManyToOne
        CheckedMappings.@Nullable Root one;

        @Id
        @ManyToOne
        CheckedMappings.@Nullable Root other;
    }

    @Entity
    @IdClass(Roots.class)
    static class TwoKeys {
        @Id
        @ShardKey
        @ManyToOne
        CheckedMappings.@Nullable Root one;

        @Id
        @ShardKey
        @ManyToOne
        CheckedMappings.@Nullable Root other;
    }

    @Entity
    static class NoIdClass {
        @Id
        @ManyToOne
        CheckedMappings.@Nullable Root root;

        @Id
        int line;
    }

    @Entity
    @IdClass(Roots.class)
    static class OnlyForeign {
        @Id
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        CheckedMappings.@Nullable Root one;

        @Id
        @Nullable
        Long other;
    }

    @Entity
    static class WithUuid {
        @Id
        @GeneratedValue(strategy = GenerationType.UUID)
        @Nullable
        UUID id;

        @ShardKey
        @ManyToOne
        CheckedMappings.@Nullable Root root;
    }

    @Entity
    static class Alone {
        @Id
        @OneToOne
        CheckedMappings.@Nullable Root root;
    }

    @Entity
    @GlobalEntity
    static class DeclaredGlobal {
        @EmbeddedId
        @Nullable
        Numbers id;

        @MapsId("rootId")
        @ManyToOne
        CheckedMappings.@Nullable Root root;
    }
}
