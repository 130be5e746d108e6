package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.Membership.Channel;
import io.github.shardedid.hibernate.Membership.Country;
import io.github.shardedid.hibernate.Membership.Coupon;
import io.github.shardedid.hibernate.Membership.Member;
import io.github.shardedid.hibernate.Membership.Plan;
import io.github.shardedid.hibernate.Membership.PremiumPlan;
import io.github.shardedid.hibernate.Membership.Tax;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight shards on two servers; the global entities live on the second. */
@Tag("quick")
class GlobalEntitiesIntegrationTests {
    private static TestCluster databases;
    private static SessionFactory sessions;

    private long memberOf2;
    private long memberOf6;
    private long planId;

    @BeforeAll
    static void start() {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                8,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        sessions = configuration(databases)
                .addAnnotatedClasses(Membership.ENTITIES)
                .buildSessionFactory();
    }

    static Configuration configuration(TestCluster databases) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("hibernate.default_batch_fetch_size", "8");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration;
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    @BeforeEach
    void fill() {
        sessions.inTransaction(session -> {
            session.createMutationQuery("delete Coupon").executeUpdate();
            session.createMutationQuery("delete Plan").executeUpdate();
            session.createMutationQuery("delete Tax").executeUpdate();
            Country country = session.find(Country.class, "CH");
            if (country != null) {
                session.remove(country);
            }
        });
        sessions.inTransaction(session -> {
            Country country = new Country("CH", "Switzerland");
            country.languages.addAll(List.of("de", "fr"));
            session.persist(country);
            PremiumPlan plan = new PremiumPlan();
            plan.title = "gold";
            plan.price = 7;
            session.persist(plan);
            planId = required(plan.id);
        });
        memberOf2 = memberIn(2);
        memberOf6 = memberIn(6);
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(databases.activeConnections()).isZero();
    }

    private long memberIn(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Member member = new Member();
                    member.name = "member of " + shard;
                    member.country = session.getReference(Country.class, "CH");
                    member.plan = session.getReference(Plan.class, planId);
                    session.persist(member);
                    session.flush();
                    return required(member.id);
                }));
    }

    private static long required(@Nullable Long id) {
        assertThat(id).isNotNull();
        return id == null ? 0 : id;
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new AssertionError("null");
        }
        return value;
    }

    @Test
    void anEntityMayBeGlobalThoughItInheritsAShardedId() {
        everywhere(() -> {
            Channel channel = new Channel();
            channel.topic = "weather";
            sessions.inTransaction(session -> session.persist(channel));

            assertThat(required(channel.id)).as("made by the identity column").isLessThan(1_000);
            sessions.inTransaction(session -> {
                Channel found = session.find(Channel.class, channel.id);
                found.topic = "news";
            });
            String topic = ShardContext.callGlobal(() -> sessions.fromSession(
                    session -> session.createNativeQuery("select topic from channel where id = :id", String.class)
                            .setParameter("id", channel.id)
                            .getSingleResult()));
            assertThat(topic).isEqualTo("news");
        });
    }

    /** Global entities are found outside any scope, and in the scope of a shard here, a shard there, and all shards. */
    private static void everywhere(Runnable work) {
        work.run();
        ShardContext.run(1, work);
        ShardContext.run(7, work);
        ShardContext.run(ShardSet.all(), work);
        ShardContext.runGlobal(work);
    }

    @Test
    void aGlobalRowIsReadFromAnywhere() {
        everywhere(() -> sessions.inTransaction(session -> {
            Country country = session.find(Country.class, "CH");
            assertThat(country.languages).containsExactlyInAnyOrder("de", "fr");
            assertThat(session.createSelectionQuery("from Country c where c.name like 'S%'", Country.class)
                            .getResultList())
                    .containsExactly(country);
            assertThat(session.createSelectionQuery("select count(*) from Country", Long.class)
                            .getSingleResult())
                    .isEqualTo(1);
            assertThat(session.findMultiple(Country.class, List.of("CH", "XX"))).containsExactly(country, null);
            session.refresh(country);
            session.lock(country, LockModeType.PESSIMISTIC_READ);
            assertThat(session.find(Plan.class, planId)).isInstanceOf(PremiumPlan.class);
            assertThat(session.getReference(Country.class, "XX")).isNotNull();
            assertThat(session.find(Country.class, "YY")).isNull();
        }));
        assertThat(databases.databases().get(1).query("SELECT name FROM sharded_global.country"))
                .containsExactly("Switzerland");
    }

    @Test
    void idsOfAllKindsAreMadeInTheGlobalDatabase() {
        everywhere(() -> sessions.inTransaction(session -> {
            Plan plan = new Plan();
            Coupon coupon = new Coupon();
            coupon.plan = plan;
            Tax tax = new Tax();
            session.persist(plan);
            session.persist(coupon);
            session.persist(tax);
            session.flush();
            session.clear();
            assertThat(session.find(Plan.class, plan.id).coupons).hasSize(1);
            assertThat(session.find(Tax.class, tax.id)).isNotNull();
        }));
        assertThat(databases.databases().get(1).queryLong("SELECT count(*) FROM sharded_global.tax"))
                .isEqualTo(5);
    }

    @Test
    void globalRowsAreUpdatedAndRemovedFromAnyScope() {
        everywhere(() -> {
            sessions.inTransaction(session -> {
                Country country = session.find(Country.class, "CH", LockModeType.PESSIMISTIC_WRITE);
                country.name = country.name + "!";
                country.languages.add("rm");
                country.languages.remove("fr");
            });
            sessions.inTransaction(session -> session.merge(detached()));
            sessions.inTransaction(session ->
                    session.lock(session.find(Country.class, "CH"), LockModeType.OPTIMISTIC_FORCE_INCREMENT));
            sessions.inTransaction(session -> assertThat(
                            session.createMutationQuery("update PremiumPlan set price = price + 1, title = 'g'")
                                    .executeUpdate())
                    .isEqualTo(1));
            sessions.inStatelessTransaction(session -> {
                Country country = session.get(Country.class, "CH");
                country.name = "by a stateless session";
                session.update(country);
                session.insert(new Country("IT", "Italy"));
                session.delete(session.get(Country.class, "IT"));
            });
        });
        sessions.inTransaction(session -> session.remove(session.find(Country.class, "CH")));
        assertThat(databases.databases().get(1).query("SELECT * FROM sharded_global.country_languages"))
                .isEmpty();
    }

    private static Country detached() {
        return sessions.fromSession(session -> {
            Country country = session.find(Country.class, "CH");
            Hibernate.initialize(country.languages);
            session.clear();
            country.languages.add("it");
            country.name = "merged";
            return country;
        });
    }

    @Test
    void associationsBetweenShardedAndGlobalRowsLoadByTheId() {
        Supplier<Object> work = () -> sessions.fromTransaction(session -> {
            Member there = session.find(Member.class, memberOf6);
            Member here = session.find(Member.class, memberOf2);
            assertThat(Hibernate.isInitialized(there.country)).isFalse();
            assertThat(Hibernate.isInitialized(there.plan)).isTrue();
            assertThat(required(there.country).name()).isEqualTo("Switzerland");
            assertThat(required(here.country).name()).isEqualTo("Switzerland");
            assertThat(here.plan).isSameAs(there.plan);
            return session.createSelectionQuery("from Member m where m.country.code = 'CH' order by m.id", Member.class)
                    .getResultList();
        });
        for (int shard : new int[] {2, 6}) {
            assertThat((List<?>) ShardContext.<Object>call(shard, work)).hasSizeGreaterThan(0);
        }
        assertThat((List<?>) ShardContext.<Object>call(ShardSet.all(), work)).hasSizeGreaterThan(1);
    }

    @Test
    void aGlobalRowMayReferToAShardedOne() {
        sessions.inTransaction(session -> {
            Coupon coupon = new Coupon();
            coupon.member = session.getReference(Member.class, memberOf6);
            session.persist(coupon);
            Coupon other = new Coupon();
            other.member = session.find(Member.class, memberOf2);
            session.persist(other);
        });
        everywhere(() -> sessions.inTransaction(
                session -> assertThat(session.createSelectionQuery("from Coupon c order by c.id", Coupon.class)
                                .getResultList())
                        .extracting(coupon -> required(coupon.member).name)
                        .containsExactly("member of 6", "member of 2")));
    }

    @Test
    void aTransactionWritesToAShardOrToTheGlobalDatabase() {
        // Shard 2 lives on the other server, shard 6 on that of the global entities.
        for (long member : new long[] {memberOf2, memberOf6}) {
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        session.find(Member.class, member).name = "changed";
                        session.find(Country.class, "CH").rename("changed");
                    }))
                    .hasStackTraceContaining(SecondWriteShardException.class.getName())
                    .hasStackTraceContaining("Country#CH (the global entities)");
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        session.find(Member.class, member).name = "changed";
                        session.flush();
                        session.createMutationQuery("update Country set name = 'changed'")
                                .executeUpdate();
                    }))
                    .isInstanceOf(SecondWriteShardException.class);
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        session.find(Country.class, "CH").languages.add("en");
                        session.flush();
                        session.remove(session.find(Member.class, member));
                    }))
                    .isInstanceOf(SecondWriteShardException.class);
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        session.find(Member.class, member).name = "changed";
                        session.flush();
                        session.persist(new Coupon());
                    }))
                    .isInstanceOf(SecondWriteShardException.class);
        }
        assertThat(databases.databases().get(1).query("SELECT name FROM sharded_global.country"))
                .containsExactly("Switzerland");
        assertThat(databases.databases().get(1).query("SELECT * FROM sharded_global.coupon"))
                .isEmpty();
        assertThat(databases.home(6).query("SELECT name FROM shard_0006.member WHERE name = 'changed'"))
                .isEmpty();
        sessions.inTransaction(session -> {
            session.find(Member.class, memberOf6).name =
                    required(session.find(Member.class, memberOf6).country).name();
        });
        assertThat(databases.home(6).query("SELECT name FROM shard_0006.member WHERE id = " + memberOf6))
                .containsExactly("Switzerland");
    }

    @Test
    void aJoinBetweenTheTwoIsRefusedAndTaught() {
        ShardContext.run(6, () -> {
            assertRefused("from Member m join fetch m.country");
            assertRefused("from Member m where m.country.name = 'Switzerland'");
            assertRefused("from Coupon c where c.member.name = 'member of 6'");
        });
        assertThatThrownBy(() -> ShardContext.runGlobal(
                        () -> sessions.inSession(session -> session.createSelectionQuery("from Member", Member.class)
                                .getResultList())))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("in the scope of the global database");
    }

    private static void assertRefused(String hql) {
        assertThatThrownBy(() -> sessions.inSession(session ->
                        session.createSelectionQuery(hql, Object.class).getResultList()))
                .isInstanceOf(UnsupportedStatementException.class)
                .hasMessageContaining("leave out join fetch");
    }

    @Test
    void nativeSqlFindsGlobalTablesInTheirScope() {
        String sql = "SELECT name FROM country";
        assertThat(ShardContext.<Object>callGlobal(() -> sessions.fromSession(
                        session -> session.createNativeQuery(sql, String.class).getSingleResult())))
                .isEqualTo("Switzerland");
        assertThatThrownBy(() -> sessions.inSession(
                        session -> session.createNativeQuery(sql, String.class).getSingleResult()))
                .isInstanceOf(NoShardException.class);
        String found = sessions.fromSession(
                session -> session.createNativeQuery("SELECT name FROM sharded_id_global.country", String.class)
                        .getSingleResult());
        assertThat(found).isEqualTo("Switzerland");
    }

    /** As on one database, where the rows are those of all shards, and the schema is empty. */
    @Test
    void theRowsOfSubselectsAreThoseOfTheirShardOrGlobal() {
        try (SessionFactory factory = configuration(databases)
                .addAnnotatedClasses(Membership.ENTITIES)
                .addAnnotatedClasses(
                        Subselects.MemberLine.class, Subselects.UnqualifiedLine.class, Subselects.CountryLine.class)
                .buildSessionFactory()) {
            String lines = "select m.name from MemberLine m where m.id = :id";
            for (Target scope : List.of(Target.shard(2), Target.shard(6), Target.global(), ShardSet.all())) {
                ShardContext.run(
                        scope,
                        () -> factory.inTransaction(session -> {
                            assertThat(session.find(Subselects.MemberLine.class, memberOf2).name)
                                    .isEqualTo("MEMBER OF 2");
                            assertThat(session.createSelectionQuery(lines, String.class)
                                            .setParameter("id", memberOf6)
                                            .getResultList())
                                    .containsExactly("MEMBER OF 6");
                            assertThat(session.find(Subselects.UnqualifiedLine.class, memberOf6).members)
                                    .isPositive();
                            assertThat(session.find(Subselects.CountryLine.class, "CH").name)
                                    .endsWith("Switzerland");
                            assertThat(session.createSelectionQuery(
                                                    "select count(c) from CountryLine c where c.name like '%land'",
                                                    Long.class)
                                            .getSingleResult())
                                    .isOne();
                        }));
            }
            List<String> all = ShardContext.call(
                    ShardSet.all(),
                    () -> factory.fromTransaction(session -> session.createSelectionQuery(
                                    "select m.name from MemberLine m order by m.id", String.class)
                            .getResultList()));
            assertThat(all).contains("MEMBER OF 2", "MEMBER OF 6");
            theyShowWhatTheSessionHasChanged(factory);
        }
    }

    /** The names of tables in {@code @Synchronize} and in the spaces of native queries have no schema. */
    private void theyShowWhatTheSessionHasChanged(SessionFactory factory) {
        factory.inTransaction(session -> {
            session.find(Country.class, "CH").name = "Greenland";
            assertThat(session.createSelectionQuery("select c.name from CountryLine c", String.class)
                            .getSingleResult())
                    .endsWith("Greenland");
            session.getTransaction().markRollbackOnly();
        });
        factory.inTransaction(session -> {
            Member member = session.find(Member.class, memberOf6);
            member.name = "changed";
            assertThat(session.createSelectionQuery("select m.name from MemberLine m where m.id = :id", String.class)
                            .setParameter("id", memberOf6)
                            .getSingleResult())
                    .isEqualTo("CHANGED");
            member.name = "changed again";
            assertThat(session.createNativeQuery("select name from {h-schema}member where id = :id", String.class)
                            .addSynchronizedQuerySpace("member")
                            .setParameter("id", memberOf6)
                            .getSingleResult())
                    .isEqualTo("changed again");
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Subselects.Unannotated.class,
                Subselects.GlobalWithoutSchema.class,
                Subselects.OfCatalog.class,
                Subselects.OfSchema.class
            })
    void anEntityOfWhichNothingSaysWhereItsRowsAreIsRefused(Class<?> entity) {
        assertThatThrownBy(() -> configuration(databases)
                        .addAnnotatedClasses(entity)
                        .buildSessionFactory()
                        .close())
                .isInstanceOf(ShardedIdMappingException.class)
                .hasMessageContaining(entity.getName())
                .hasMessageContaining(entity.getSimpleName().startsWith("Of") ? " elsewhere, but" : "{h-schema}");
    }
}
