package io.github.shardedid.hibernate.globalsets;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.MapKey;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.jspecify.annotations.Nullable;

/** Collections of global entities that are refused. */
final class RefusedSets {
    private RefusedSets() {}

    @MappedSuperclass
    abstract static class Sharded {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    static class Role {
        @Id
        String name = "";
    }

    @Entity
    static class Cascading extends Sharded {
        @ManyToMany(cascade = CascadeType.PERSIST)
        Set<Role> roles = new HashSet<>();
    }

    @Entity
    static class Ordered extends Sharded {
        @ManyToMany
        @OrderBy("name")
        List<Role> roles = new ArrayList<>();
    }

    @Entity
    static class Keyed extends Sharded {
        @ManyToMany
        @MapKey(name = "name")
        Map<String, Role> roles = new HashMap<>();
    }

    record PairId(int one, int two) implements Serializable {}

    @Entity
    @IdClass(PairId.class)
    static class Pair {
        @Id
        int one;

        @Id
        int two;
    }

    @Entity
    static class Composite extends Sharded {
        @ManyToMany
        Set<Pair> pairs = new HashSet<>();
    }

    @Entity
    static class Joined extends Sharded {
        @OneToMany
        @jakarta.persistence.JoinColumn
        Set<Role> roles = new HashSet<>();
    }

    /** As JHipster generates it. */
    @Entity
    static class Operation extends Sharded {
        @ManyToMany
        @JoinTable(name = "rel_operation__label")
        @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        Set<Label> labels = new HashSet<>();
    }

    @Entity
    static class Label {
        @Id
        long id;

        @ManyToMany(mappedBy = "labels")
        @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        Set<Operation> operations = new HashSet<>();
    }

    @Entity
    static class Group {
        @Id
        long id;

        @ManyToMany
        Set<Operation> operations = new HashSet<>();
    }

    @Entity
    static class AnnotatedCascade extends Sharded {
        @ForeignShard
        @ManyToMany(cascade = CascadeType.MERGE)
        Set<Role> roles = new HashSet<>();
    }
}
