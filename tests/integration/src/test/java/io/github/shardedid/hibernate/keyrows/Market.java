package io.github.shardedid.hibernate.keyrows;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapKeyJoinColumn;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.annotations.JoinFormula;
import org.hibernate.annotations.SQLRestriction;
import org.jspecify.annotations.Nullable;

/** Sellers, whose shard key is a text, and what lives with them by kinds of mappings other than those of {@link Club}. */
final class Market {
    private Market() {}

    static Class<?>[] entities() {
        return new Class<?>[] {
            Seller.class,
            Notice.class,
            Category.class,
            Item.class,
            Person.class,
            Buyer.class,
            Worker.class,
            Passport.class,
            Line.class,
            Deal.class,
            Refund.class,
            Logo.class,
            Town.class,
            Seal.class,
            Stamp.class
        };
    }

    @MappedSuperclass
    abstract static class Row {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @MappedSuperclass
    abstract static class OfSeller extends Row {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        @JoinColumn(name = "seller_id")
        @Nullable
        Seller seller;
    }

    @Entity
    @Table(name = "seller")
    static class Seller extends Row {
        @ShardKey
        String region = "";

        @Column(name = "friend_ids")
        List<Long> friendIds = List.of();

        @OneToOne(fetch = FetchType.LAZY, cascade = CascadeType.ALL)
        @JoinColumn(name = "logo_id")
        @Nullable
        Logo logo;

        @ManyToOne(fetch = FetchType.LAZY, cascade = CascadeType.PERSIST)
        @JoinColumn(name = "town_id")
        @Nullable
        Town town;

        @ElementCollection
        @CollectionTable(name = "seller_phones", joinColumns = @JoinColumn(name = "seller_id"))
        @Column(name = "phone")
        Set<String> phones = new HashSet<>();
    }

    /** Without a shard key: saved by cascade. */
    @Entity
    @Table(name = "logo")
    static class Logo extends Row {}

    /** Saved by cascade, but perhaps also the town of other sellers. */
    @Entity
    @Table(name = "town")
    static class Town extends Row {}

    @Entity
    @Table(name = "seal")
    static class Seal extends Row {
        @OneToMany(cascade = CascadeType.ALL)
        @JoinColumn(name = "seal_id")
        List<Stamp> stamps = new ArrayList<>();
    }

    @Entity
    @Table(name = "stamp")
    static class Stamp extends Row {}

    @Entity
    @Table(name = "notice")
    static class Notice extends Row {
        @ShardKey
        String region = "";
    }

    @Entity
    @Table(name = "category")
    static class Category extends OfSeller {
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "parent_id")
        @Nullable
        Category parent;
    }

    @Entity
    @Table(name = "item")
    @SQLRestriction("deleted = false")
    static class Item extends OfSeller {
        boolean deleted;
    }

    @Entity
    @Table(name = "person")
    @Inheritance(strategy = InheritanceType.JOINED)
    abstract static class Person extends OfSeller {}

    @Entity
    @Table(name = "buyer")
    static class Buyer extends Person {
        String words = "";

        @ManyToMany
        @JoinTable(
                name = "buyer_favourites",
                joinColumns = @JoinColumn(name = "buyer_id"),
                inverseJoinColumns = @JoinColumn(name = "favourites_id"))
        Set<Item> favourites = new HashSet<>();

        @ElementCollection
        @CollectionTable(name = "buyer_ratings", joinColumns = @JoinColumn(name = "buyer_id"))
        @MapKeyJoinColumn(name = "item_id")
        @Column(name = "stars")
        Map<Item, Integer> ratings = new HashMap<>();

        @OneToMany(cascade = CascadeType.ALL)
        @JoinTable(
                name = "buyer_seals",
                joinColumns = @JoinColumn(name = "buyer_id"),
                inverseJoinColumns = @JoinColumn(name = "seals_id"))
        List<Seal> seals = new ArrayList<>();
    }

    @Entity
    @Table(name = "worker")
    static class Worker extends Person {
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "boss_id")
        @Nullable
        Worker boss;
    }

    @Entity
    @Table(name = "passport")
    static class Passport {
        @Id
        @Column(name = "person_id")
        @Nullable
        Long personId;

        @MapsId
        @OneToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "person_id")
        @Nullable
        Person person;

        String number = "";
    }

    @Embeddable
    record LineId(@Column(name = "item_id") @Nullable Long itemId, int number) implements Serializable {}

    @Entity
    @Table(name = "line")
    static class Line {
        @EmbeddedId
        LineId id = new LineId(null, 0);

        @MapsId("itemId")
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "item_id")
        @Nullable
        Item item;

        @ElementCollection
        @CollectionTable(
                name = "line_notes",
                joinColumns = {
                    @JoinColumn(name = "item_id", referencedColumnName = "item_id"),
                    @JoinColumn(name = "number", referencedColumnName = "number")
                })
        @Column(name = "note")
        Set<String> notes = new HashSet<>();
    }

    record DealId(@Nullable Long buyer, @Nullable Long item) implements Serializable {}

    @Entity
    @Table(name = "deal")
    @IdClass(DealId.class)
    static class Deal {
        @Id
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "buyer_id")
        @Nullable
        Buyer buyer;

        @Id
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "item_id")
        @Nullable
        Item item;
    }

    @Entity
    @Table(name = "refund")
    static class Refund extends OfSeller {
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "line_item_id", referencedColumnName = "item_id")
        @JoinColumn(name = "line_number", referencedColumnName = "number")
        @Nullable
        Line line;

        /** Stores nothing. */
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinFormula("(select i.id from item i where i.id = line_item_id)")
        @Nullable
        Item item;
    }

    /** Stores a seller with rows in each table, by Hibernate. */
    static long store(Session session, String region) {
        Seller seller = new Seller();
        seller.region = region;
        seller.phones.addAll(Set.of("1", "2"));
        seller.logo = new Logo();
        seller.town = new Town();
        session.persist(seller);
        Notice notice = new Notice();
        notice.region = region;
        session.persist(notice);
        Category category = of(seller, new Category());
        session.persist(category);
        Category part = of(seller, new Category());
        part.parent = category;
        session.persist(part);
        Worker boss = of(seller, new Worker());
        session.persist(boss);
        Worker worker = of(seller, new Worker());
        worker.boss = boss;
        session.persist(worker);
        Passport passport = new Passport();
        passport.person = worker;
        session.persist(passport);
        storeTrade(session, seller);
        return Objects.requireNonNull(seller.id);
    }

    private static void storeTrade(Session session, Seller seller) {
        Item item = of(seller, new Item());
        Item deleted = of(seller, new Item());
        deleted.deleted = true;
        session.persist(item);
        session.persist(deleted);
        Buyer buyer = of(seller, new Buyer());
        buyer.favourites.add(item);
        buyer.ratings.put(item, 5);
        Seal seal = new Seal();
        seal.stamps.add(new Stamp());
        buyer.seals.add(seal);
        session.persist(buyer);
        session.flush();
        Line line = new Line();
        line.id = new LineId(item.id, 1);
        line.item = item;
        line.notes.addAll(Set.of("a", "b"));
        session.persist(line);
        Deal deal = new Deal();
        deal.buyer = buyer;
        deal.item = item;
        session.persist(deal);
        Refund refund = of(seller, new Refund());
        refund.line = line;
        session.persist(refund);
    }

    private static <E extends OfSeller> E of(Seller seller, E row) {
        row.seller = seller;
        return row;
    }
}
