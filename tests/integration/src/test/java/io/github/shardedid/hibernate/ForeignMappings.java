package io.github.shardedid.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.annotations.NotFound;
import org.hibernate.annotations.NotFoundAction;
import org.jspecify.annotations.Nullable;

/** Uses of {@code @ForeignShard} that are refused. */
final class ForeignMappings {
    private ForeignMappings() {}

    @MappedSuperclass
    abstract static class Sharded {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    static class Eager extends Sharded {
        @ForeignShard
        @ManyToOne
        Circles.@Nullable User user;
    }

    @Entity
    static class Cascading extends Sharded {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY, cascade = CascadeType.PERSIST)
        Circles.@Nullable User user;
    }

    @Entity
    static class CascadingSet extends Sharded {
        @ForeignShard
        @ManyToMany(cascade = CascadeType.MERGE)
        Set<Circles.User> users = new HashSet<>();
    }

    @Entity
    static class Ignoring extends Sharded {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @NotFound(action = NotFoundAction.IGNORE)
        Circles.@Nullable User user;
    }

    @Entity
    static class Keyed extends Sharded {
        @ForeignShard
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        Circles.@Nullable User user;
    }

    @Entity
    static class Plain extends Sharded {
        @ForeignShard
        long number;
    }

    @Entity
    static class Joined extends Sharded {
        @ForeignShard
        @OneToMany
        @JoinColumn
        Set<Circles.User> users = new HashSet<>();
    }

    @Entity
    static class Ordered extends Sharded {
        @ForeignShard
        @ManyToMany
        @OrderBy("name")
        List<Circles.User> users = new ArrayList<>();
    }

    @Entity
    static class Owned extends Sharded {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Inverse owner;
    }

    @Entity
    static class Inverse extends Sharded {
        @OneToMany(mappedBy = "owner")
        List<Owned> owned = new ArrayList<>();
    }

    record LikeKey(@Nullable Long user, int number) implements Serializable {}

    @Entity
    @IdClass(LikeKey.class)
    static class Likes {
        @Id
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        Circles.@Nullable User user;

        @Id
        int number;
    }
}
