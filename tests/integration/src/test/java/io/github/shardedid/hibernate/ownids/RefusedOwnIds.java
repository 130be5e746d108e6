package io.github.shardedid.hibernate.ownids;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.hibernate.ownids.Shop.Ticket;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.annotations.NaturalId;
import org.jspecify.annotations.Nullable;

/** Mappings that need the shard of a row by its id alone, which names none. */
final class RefusedOwnIds {
    private RefusedOwnIds() {}

    @Entity
    static class ByNumber {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey(references = Ticket.class)
        @Nullable
        Long ticketId;
    }

    @Entity
    @IdClass(InId.Key.class)
    static class InId {
        record Key(@Nullable Long ticket, int number) {}

        @Id
        @ManyToOne
        @Nullable
        Ticket ticket;

        @Id
        int number;
    }

    @Entity
    static class Foreign {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Ticket ticket;
    }

    @Entity
    static class Tree {
        @Id
        int id;

        @ShardKey
        @ManyToOne
        @Nullable
        Tree parent;
    }

    @Entity
    static class Root {
        @Id
        int id;
    }

    @Entity
    static class Branch extends Root {
        @ShardKey
        @ManyToOne
        @Nullable
        Customer customer;
    }

    @Entity
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Cached {
        @Id
        int id;

        @ShardKey
        String tenant = "";
    }

    @Entity
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class CachedReference {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne
        @Nullable
        Customer customer;

        @ManyToOne
        @Nullable
        Ticket ticket;
    }

    @Entity
    static class CachedCollection {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @OneToMany
        @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        Set<Ticket> tickets = new HashSet<>();
    }

    @Entity
    static class ByTable {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        @Nullable
        Long id;

        @ShardKey
        String tenant = "";
    }

    @Entity
    @SuppressWarnings("removal") // GenericGenerator
    static class ByIncrement {
        @Id
        @GeneratedValue(generator = "increment")
        @GenericGenerator(name = "increment", strategy = "increment")
        @Nullable
        Long id;

        @ShardKey
        String tenant = "";
    }

    @Entity
    static class Natural {
        @Id
        int id;

        @NaturalId
        String login = "";

        @ShardKey
        String tenant = "";
    }

    @Entity
    static class KeyIsId {
        @Id
        @ShardKey
        String id = "";
    }

    @Entity
    static class WithoutMapsId {
        @Id
        @OneToOne
        @Nullable
        Ticket ticket;
    }

    @Entity
    static class Bytes {
        @Id
        byte[] id = {};

        @ShardKey
        String tenant = "";
    }

    @Entity
    @GlobalEntity
    static class Global {
        @Id
        int id;

        @ShardKey
        String tenant = "";
    }
}
