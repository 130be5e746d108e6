package io.github.shardedid.hibernate;

import jakarta.persistence.Access;
import jakarta.persistence.AccessType;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.Nullable;

/** Entities whose annotations would have no effect, or whose shard key could not tell the shard of a new row. */
final class RefusedKeys {
    private RefusedKeys() {}

    @MappedSuperclass
    abstract static class Sharded {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Embeddable
    record PairId(@ShardKey long tenant, long number) implements Serializable {}

    @Embeddable
    record Nested(PairId pair, long place) implements Serializable {}

    @Entity
    static class DeepInId {
        @EmbeddedId
        @Nullable
        Nested id;
    }

    @Entity
    @IdClass(PairId.class)
    static class OnIdClass {
        @Id
        long tenant;

        @Id
        long number;
    }

    /** As Kotlin compiles {@code class InConstructor(@ShardKey val tenant: Long)}. */
    @Entity
    static class InConstructor extends Sharded {
        long tenant;

        protected InConstructor() {}

        InConstructor(@ShardKey long tenant) {
            this.tenant = tenant;
        }
    }

    @Entity
    static class OnGlobalId {
        @Id
        @ShardKey
        long id;
    }

    @Entity
    static class IdElsewhere {
        @Id
        long id;

        @ShardedId
        long number;
    }

    @Entity
    static class OnTransient extends Sharded {
        @Transient
        @ShardKey
        long tenant;
    }

    @Entity
    @Access(AccessType.FIELD)
    static class OnGetter extends Sharded {
        long tenant;

        @ShardKey
        long getTenant() {
            return tenant;
        }
    }

    @Embeddable
    static class Line {
        @ShardKey
        long tenant;
    }

    @Entity
    static class InCollection extends Sharded {
        @ElementCollection
        List<Line> lines = new ArrayList<>();
    }

    @Entity
    static class ByFormula extends Sharded {
        @ShardKey
        @Formula("id + 1")
        long tenant;
    }

    @Entity
    static class ByVersion extends Sharded {
        @ShardKey
        @Version
        long version;
    }

    @Entity
    static class ByGenerated extends Sharded {
        @ShardKey
        @UuidGenerator
        @Nullable
        UUID token;
    }

    @Entity
    static class NotInserted extends Sharded {
        @ShardKey
        @Column(insertable = false, updatable = false)
        long tenant;
    }

    @Entity
    static class NoFirst extends Sharded {
        @ShardKey
        @ManyToOne(optional = false)
        @Nullable
        NoFirst parent;
    }

    @Entity
    static class Chicken extends Sharded {
        @ShardKey
        @ManyToOne(optional = false)
        @Nullable
        Egg egg;
    }

    @Entity
    static class Egg extends Sharded {
        @ShardKey(references = Chicken.class)
        long chicken;
    }
}
