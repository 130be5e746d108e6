package io.github.shardedid.hibernate;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.NaturalIdCache;
import org.jspecify.annotations.Nullable;

/** Entities that the checks at start accept or refuse. */
final class CheckedMappings {
    private CheckedMappings() {}

    @Entity
    @Table(name = "root")
    static class Root {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    /** Only its subclass has a table. */
    @Entity
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Notice {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    @Table(name = "poster")
    static class Poster extends Notice {}

    @Entity
    @GlobalEntity(replicated = true)
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class CachedCopy {
        @Id
        int id;

        @ElementCollection
        @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        List<String> texts = new ArrayList<>();
    }

    @Entity
    @GlobalEntity(replicated = true)
    @NaturalIdCache
    static class NamedCopy {
        @Id
        int id;

        @NaturalId
        String name = "";
    }

    @Entity
    static class ByNumber {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        long number;
    }

    @Entity
    static class ByText {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        String code = "";
    }

    @Entity
    static class Global {
        @Id
        long id;
    }

    @Entity
    static class Fine {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne
        @Nullable
        ByNumber parent;

        @ManyToOne
        @Nullable
        Root root;

        @ManyToOne
        @Nullable
        Fine other;

        @ManyToOne
        @Nullable
        Global global;

        @ElementCollection
        List<String> words = new ArrayList<>();
    }

    @Entity
    static class Generated {
        @Id
        @ShardedId
        @GeneratedValue
        @Nullable
        Long id;
    }

    @Entity
    static class ByProperty {
        @Id
        long id;

        @ManyToOne
        @JoinColumn(referencedColumnName = "code")
        @Nullable
        ByText text;
    }

    @Entity
    static class NoKey {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ManyToOne(optional = false)
        @Nullable
        Root root;
    }

    @Entity
    static class ManyGlobals {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ManyToMany
        List<Global> globals = new ArrayList<>();
    }

    @Entity
    static class ManyShardeds {
        @Id
        long id;

        @OneToMany
        @JoinColumn
        List<Root> roots = new ArrayList<>();
    }

    @Entity
    static class GlobalKeys {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ElementCollection
        Map<Global, String> words = new HashMap<>();
    }

    @Entity
    static class Owning {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @OneToOne
        @Nullable
        Inverse inverse;
    }

    @Entity
    static class Inverse {
        @Id
        long id;

        @OneToOne(mappedBy = "inverse")
        @Nullable
        Owning owning;
    }

    @Entity
    @Table(schema = "other")
    static class WithSchema {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    @Table(schema = "other")
    static class GlobalWithSchema {
        @Id
        long id;
    }

    @Entity
    @Table(name = "root")
    static class SameTable {
        @Id
        long id;
    }
}
