package io.github.shardedid.hibernate;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Members are sharded; countries, plans, coupons and taxes are global, with ids of all kinds. */
final class Membership {
    private Membership() {}

    static final Class<?>[] ENTITIES = {
        Member.class, Country.class, Plan.class, PremiumPlan.class, Coupon.class, Tax.class, Channel.class
    };

    @Entity(name = "Country")
    static class Country {
        @Id
        String code = "";

        @Version
        int version;

        String name = "";

        @ElementCollection
        @CollectionTable(name = "country_languages", joinColumns = @JoinColumn(name = "country_code"))
        @Column(name = "language")
        Set<String> languages = new HashSet<>();

        protected Country() {}

        Country(String code, String name) {
            this.code = code;
            this.name = name;
        }

        /** To be called on a proxy, whose fields are never filled. */
        String name() {
            return name;
        }

        void rename(String other) {
            name = other;
        }
    }

    @Entity(name = "Plan")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Plan {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @SequenceGenerator(name = "plan_seq", sequenceName = "plan_seq", allocationSize = 5)
        @Nullable
        Long id;

        String title = "";

        @OneToMany(mappedBy = "plan")
        List<Coupon> coupons = new ArrayList<>();
    }

    @Entity(name = "PremiumPlan")
    static class PremiumPlan extends Plan {
        int price;
    }

    /** Refers to a member: from global to sharded. */
    @Entity(name = "Coupon")
    static class Coupon {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Plan plan;

        @ManyToOne
        @Nullable
        Member member;

        String words = "";
    }

    @Entity(name = "Tax")
    static class Tax {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        @TableGenerator(name = "numbers", table = "numbers", allocationSize = 1)
        @Nullable
        Long id;

        int percent;
    }

    /** What sharded and global entities have in common. */
    @MappedSuperclass
    static class Numbered {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    /** Global, with an inherited id. */
    @Entity(name = "Channel")
    @GlobalEntity
    static class Channel extends Numbered {
        String topic = "";
    }

    /** Sharded, with a lazy and an eager association to global entities. */
    @Entity(name = "Member")
    static class Member extends Numbered {
        String name = "";

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Country country;

        @ManyToOne
        @Nullable
        Plan plan;
    }
}
