package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.internal.guards.GuardedTranslatorFactory;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.RowId;
import org.hibernate.cfg.Configuration;
import org.hibernate.query.sqm.sql.StandardSqmTranslatorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hibernate remembers some rows by what tells no shard: that is refused when the session factory is built. */
@Tag("quick")
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
    void aNaturalIdIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClass(Citizen.class),
                "Citizen has @NaturalId and is sharded",
                "a unique constraint that contains the shard key");
    }

    @Test
    void anAssociationByAnotherAttributeThanTheIdIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClasses(Town.class, Street.class),
                "Street.town refers to",
                "replace @JoinColumn by @JoinFormula");
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClasses(Town.class, Signpost.class),
                "Signpost.direction.town refers to");
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClasses(Town.class, Map.class),
                "Map.directions.town refers to");
    }

    @Test
    void aCollectionByAnotherAttributeThanTheIdIsRefused() {
        assertRefused(
                HibernateCluster.configuration(cluster.databases).addAnnotatedClasses(County.class, Town.class),
                "The rows of io.github.shardedid.hibernate.UnshardedLookupsIntegrationTests$County.towns refer to",
                "The rows of io.github.shardedid.hibernate.UnshardedLookupsIntegrationTests$County.names refer to",
                "The rows of io.github.shardedid.hibernate.UnshardedLookupsIntegrationTests$County.guests refer to",
                "remove referencedColumnName");
    }

    /** In the database to which a shard has moved, another row is at that location. */
    @ParameterizedTest
    @ValueSource(classes = {Located.class, LocatedWithJoins.class, LocatedWithUnion.class, LocatedByParent.class})
    void aLocationOfARowInsteadOfItsIdIsRefused(Class<?> entity) {
        assertRefused(
                HibernateCluster.configuration(cluster.databases)
                        .addAnnotatedClasses(
                                entity,
                                Part.class,
                                LocatedWithJoins.class,
                                LocatedWithUnion.class,
                                UnionPart.class,
                                Author.class),
                entity.getSimpleName() + " has @RowId",
                "Remove @RowId");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"io.github.shardedid.hibernate.UnshardedLookupsIntegrationTests$OwnTranslators", "standard"})
    void aTranslatorOfTheApplicationIsRefused(String name) {
        String translator = name.equals("standard") ? StandardSqmTranslatorFactory.class.getName() : name;
        assertRefused(
                HibernateCluster.configuration(cluster.databases)
                        .addAnnotatedClass(Author.class)
                        .setProperty("hibernate.query.sqm.translator", translator),
                "hibernate.query.sqm.translator is " + translator,
                "Remove the setting, or let the class extend",
                "GuardedTranslatorFactory");
    }

    @Test
    void aTranslatorThatExtendsOursIsAccepted() {
        HibernateCluster.configuration(cluster.databases)
                .addAnnotatedClass(Author.class)
                .setProperty("hibernate.query.sqm.translator", ExtendedTranslators.class.getName())
                .buildSessionFactory()
                .close();
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

    @Embeddable
    static class Direction {
        @ManyToOne
        @JoinColumn(name = "town_code", referencedColumnName = "code")
        @Nullable
        Town town;
    }

    @Entity
    static class Signpost {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        Direction direction;
    }

    @Entity
    static class Map {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ElementCollection
        Set<Direction> directions = new HashSet<>();
    }

    @Entity
    static class County implements Serializable {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String code = "";

        @OneToMany
        @JoinColumn(name = "county_code", referencedColumnName = "code")
        Set<Town> towns = new HashSet<>();

        @ElementCollection
        @CollectionTable(joinColumns = @JoinColumn(name = "county_code", referencedColumnName = "code"))
        Set<String> names = new HashSet<>();

        @ManyToMany
        @JoinTable(joinColumns = @JoinColumn(name = "county_code", referencedColumnName = "code"))
        Set<Town> guests = new HashSet<>();
    }

    @Entity
    @RowId
    static class Located {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    @RowId("ctid")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class LocatedWithJoins {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    static class Part extends LocatedWithJoins {}

    @Entity
    @RowId("ctid")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class LocatedWithUnion {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Entity
    static class UnionPart extends LocatedWithUnion {}

    /** Its id names no shard. */
    @Entity
    @RowId("ctid")
    static class LocatedByParent {
        @Id
        @Nullable
        String id;

        @ShardKey
        @ManyToOne
        @Nullable
        Author author;
    }

    public static class OwnTranslators extends StandardSqmTranslatorFactory {}

    public static class ExtendedTranslators extends GuardedTranslatorFactory {}
}
