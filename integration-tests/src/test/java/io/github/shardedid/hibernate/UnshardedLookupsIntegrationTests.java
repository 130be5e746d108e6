package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import org.hibernate.annotations.NaturalId;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hibernate remembers some rows by what tells no shard: that is refused when the session factory is built. */
class UnshardedLookupsIntegrationTests {
    static HibernateCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aNaturalIdThatNamesNoShardIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClass(Citizen.class),
                "Citizen.number has @NaturalId",
                "Put @NaturalId on the shard key, too");
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClass(Voter.class),
                "Voter.number has @NaturalId",
                "Put @NaturalId on the shard key, too");
    }

    @Test
    void aNaturalIdThatMayNameNoShardIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClass(Resident.class),
                "Resident.author has @NaturalId",
                "author, which names the shard, may be null",
                "optional = false");
    }

    @Test
    void aNaturalIdWithAnAssociationInAnEmbeddableIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClass(Visitor.class),
                "place.author, which names the shard, is an association within an embeddable",
                "on the id of the row");
    }

    @Test
    void anAssociationByAnotherAttributeThanTheIdIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClasses(Town.class, Street.class),
                "Street.town refers to");
    }

    @Test
    void theQueryCacheIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases)
                        .setProperty("hibernate.cache.use_query_cache", "true")
                        .setProperty(
                                "hibernate.cache.region.factory_class",
                                "io.github.shardedid.hibernate.matrix.MapCache"),
                "hibernate.cache.use_query_cache is true");
    }

    private static void assertRefused(Configuration configuration, String... words) {
        var refused = assertThatThrownBy(
                        () -> configuration.buildSessionFactory().close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName());
        for (String each : words) {
            refused.hasStackTraceContaining(each);
        }
    }

    @Entity
    static class Citizen {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        String number = "";
    }

    /** The shard key is not in the natural id. */
    @Entity
    static class Voter {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        String number = "";

        @ShardKey
        @ManyToOne(optional = false)
        @Nullable
        Author author;
    }

    @Entity
    static class Resident {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ShardKey
        @ManyToOne
        @Nullable
        Author author;

        @NaturalId
        String number = "";
    }

    @Embeddable
    record Place(@ShardKey @ManyToOne(optional = false) Author author, String seat) {}

    @Entity
    static class Visitor {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @Nullable
        Place place;
    }

    @Entity
    static class Town {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String code = "";
    }

    @Entity
    static class Street {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ManyToOne
        @JoinColumn(name = "town_code", referencedColumnName = "code")
        @Nullable
        Town town;
    }
}
