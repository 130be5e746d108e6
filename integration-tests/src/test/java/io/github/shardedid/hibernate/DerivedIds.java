package io.github.shardedid.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import java.io.Serializable;
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
