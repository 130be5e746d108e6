package io.github.shardedid.hibernate.late;

import static io.github.shardedid.hibernate.late.BillsCluster.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.late.Bills.Bill;
import io.github.shardedid.hibernate.late.Bills.ByText;
import io.github.shardedid.hibernate.late.Bills.Coin;
import io.github.shardedid.hibernate.late.Bills.Leaf;
import io.github.shardedid.hibernate.late.Bills.Own;
import io.github.shardedid.hibernate.late.Bills.Reminder;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.GlobalDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.JoinFormula;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What has no scope of its own goes to the shard of the session's tenant, and is what a plain connection finds in that schema. */
class TenantSessionsIntegrationTests {
    private static final int HERE = 1;
    private static final int THERE = 6;
    private static final String ROOT = tenant(4);

    private static BillsCluster bills;
    private static SessionFactory sessions;

    /** It refers to the bill with the same words, which are unique in a shard. */
    @Entity(name = "Matching")
    @Table(name = "own")
    static class Matching {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @TenantId
        @Nullable
        String tenant;

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinFormula("(select b.id from bill b where b.words = words)")
        @Nullable
        Bill bill;
    }

    private static final class Tenants implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            return ROOT;
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return false;
        }

        @Override
        public boolean isRoot(String tenant) {
            return ROOT.equals(tenant);
        }
    }

    @BeforeAll
    static void start() {
        bills = new BillsCluster(new TestCluster(
                IdLayout.DEFAULT, BillsCluster.SHARDS, 2, GlobalDatabase.on("pg2"), "classpath:db/coins"));
        sessions = configuration()
                .addAnnotatedClasses(Coin.class, Reminder.class, ByText.class, Leaf.class, Matching.class)
                .buildSessionFactory();
    }

    private static Configuration configuration() {
        Configuration configuration = bills.configuration(Bills.OF_TENANTS);
        configuration.setCurrentTenantIdentifierResolver(new Tenants());
        return configuration;
    }

    @AfterAll
    static void stop() {
        sessions.close();
        bills.close();
    }

    @BeforeEach
    void twoTenants() {
        for (int shard : new int[] {HERE, THERE}) {
            bills.databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; TRUNCATE bill, own; INSERT INTO bill VALUES ("
                            + bills.newId(shard) + ", '" + tenant(shard) + "', 'of " + shard
                            + "'); INSERT INTO own VALUES ('00000000-0000-0000-0000-00000000000" + shard + "', '"
                            + tenant(shard) + "', 'of " + shard + "'); RESET search_path");
        }
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(bills.databases.activeConnections()).isZero();
    }

    private static Object as(@Nullable String tenant, boolean transaction, Function<Session, ?> work) {
        return as(sessions, tenant, transaction, work);
    }

    private static Object as(
            SessionFactory factory, @Nullable String tenant, boolean transaction, Function<Session, ?> work) {
        try (Session session =
                factory.withOptions().tenantIdentifier((Object) tenant).openSession()) {
            if (!transaction) {
                return work.apply(session);
            }
            session.beginTransaction();
            Object result = work.apply(session);
            session.getTransaction().commit();
            return result;
        }
    }

    private static final List<Function<Session, Object>> READS = List.of(
            session -> session.createQuery("select b.words from Bill b", String.class)
                    .getSingleResult(),
            session -> session.createQuery("select b.words from Bill b where b.words like :w", String.class)
                    .setParameter("w", "of%")
                    .getSingleResult(),
            session -> session.createQuery("select b.words from Bill b, Own o where o.words = b.words", String.class)
                    .getSingleResult(),
            session -> session.createNativeQuery("SELECT words FROM bill", String.class)
                    .getSingleResult(),
            session -> session.createNativeQuery("SELECT words FROM {h-schema}bill", String.class)
                    .getSingleResult(),
            session -> {
                var criteria = session.getCriteriaBuilder().createQuery(String.class);
                return session.createQuery(
                                criteria.select(criteria.from(Bill.class).get("words")))
                        .getSingleResult();
            },
            session -> session.createQuery("from Own", Own.class).getSingleResult().words,
            TenantSessionsIntegrationTests::byJdbc);

    private static String byJdbc(Session session) {
        return session.doReturningWork(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT words FROM bill")) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    @Test
    @Tag("quick")
    void readsGoToTheShardOfTheTenant() {
        for (boolean transaction : new boolean[] {true, false}) {
            for (int shard : new int[] {HERE, THERE}) {
                for (int i = 0; i < READS.size(); i++) {
                    assertThat(as(tenant(shard), transaction, READS.get(i)))
                            .as("read " + i)
                            .isEqualTo("of " + shard);
                }
            }
        }
    }

    @Test
    @Tag("quick")
    void aTenantCostsNoRoundTrip() {
        TestDatabase database = bills.databases.databases().get(0);
        try (WireTap tap = new WireTap(database.server().port());
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(tap.url(database.name()));
            pool.setUsername(database.server().username());
            pool.setPassword(database.server().password());
            pool.setMaximumPoolSize(2);
            Configuration configuration = configuration();
            configuration
                    .getProperties()
                    .put(
                            "hibernate.connection.datasource",
                            new RoutingDataSource(bills.databases.cluster(), Map.of("pg1", pool, "pg2", pool)));
            try (SessionFactory tapped = configuration.buildSessionFactory()) {
                for (boolean transaction : new boolean[] {true, false}) {
                    for (int i = 0; i < READS.size(); i++) {
                        Function<Session, Object> read = READS.get(i);
                        assertThat(turns(tap, () -> as(tapped, tenant(HERE), transaction, read)))
                                .as("read " + i)
                                .isEqualTo(turns(
                                        tap,
                                        () -> as(
                                                tapped,
                                                ROOT,
                                                transaction,
                                                s -> ShardContext.call(HERE, () -> read.apply(s)))))
                                .isLessThanOrEqualTo(1);
                    }
                }
            }
        }
    }

    /** After some calls that open connections and prepare statements on the server. */
    private static long turns(WireTap tap, Runnable call) {
        for (int i = 0; i < 8; i++) {
            call.run();
        }
        tap.reset();
        call.run();
        return tap.turns();
    }

    @Test
    void anAssociationByAFormulaIsReadInTheShardOfTheTenant() {
        for (int shard : new int[] {HERE, THERE}) {
            for (String hql : List.of(
                    "select m.bill from Matching m",
                    "select b from Matching m join m.bill b",
                    "select m.bill from Matching m where m.bill.words like 'of%'")) {
                assertThat(as(tenant(shard), true, s -> s.createQuery(hql, Bill.class)
                                .getSingleResult()
                                .words))
                        .as(hql)
                        .isEqualTo("of " + shard);
            }
            assertThat(as(tenant(shard), true, s -> Hibernate.unproxy(
                                    s.createQuery("from Matching", Matching.class)
                                            .getSingleResult()
                                            .bill,
                                    Bill.class)
                            .words))
                    .isEqualTo("of " + shard);
        }
    }

    @Test
    void anOpenScopeOfAnotherShardIsRefused() {
        for (boolean transaction : new boolean[] {true, false}) {
            for (Function<Session, Object> read : READS) {
                assertThatThrownBy(
                                () -> as(tenant(HERE), transaction, s -> ShardContext.call(THERE, () -> read.apply(s))))
                        .isInstanceOf(NoShardException.class)
                        .hasMessageContaining("shard " + HERE)
                        .hasMessageContaining("shard " + THERE);
                assertThat(as(tenant(HERE), transaction, s -> ShardContext.call(HERE, () -> read.apply(s))))
                        .isEqualTo("of " + HERE);
            }
        }
    }

    @Test
    void theRootTenantNeedsAScope() {
        for (Function<Session, Object> read : READS) {
            assertThatThrownBy(() -> as(ROOT, true, read)).isInstanceOf(NoShardException.class);
            assertThat(as(ROOT, true, s -> ShardContext.call(THERE, () -> read.apply(s))))
                    .isEqualTo("of " + THERE);
        }
        assertThat((List<?>) as(
                        ROOT,
                        true,
                        s -> ShardContext.call(ShardSet.all(), () -> s.createQuery(
                                        "select b.words from Bill b order by b.words", String.class)
                                .getResultList())))
                .isEqualTo(List.of("of " + HERE, "of " + THERE));
    }

    /** Their shard key is not the tenant, so those that are meant may be in any shard. */
    @Test
    void rowsThatHaveAnotherShardKeyAreNotLookedForInTheShardOfTheTenant() {
        String key = tenant(THERE);
        as(tenant(HERE), true, s -> {
            ByText row = new ByText();
            row.tenant = key;
            Leaf leaf = new Leaf();
            leaf.parent = row;
            s.persist(row);
            s.persist(leaf);
            return row;
        });
        for (String hql : List.of(
                "select count(*) from ByText",
                "select count(*) from Leaf",
                "select count(*) from Bill b, ByText t",
                "select count(*) from Bill b where exists (select 1 from Leaf)")) {
            assertThatThrownBy(() -> as(tenant(HERE), true, s -> s.createQuery(hql, Long.class)
                            .getSingleResult()))
                    .as(hql)
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("not the tenant");
        }
        for (String hql : List.of("update ByText set words = 'lost'", "delete Leaf")) {
            assertThatThrownBy(() -> as(
                            tenant(HERE), true, s -> s.createMutationQuery(hql).executeUpdate()))
                    .as(hql)
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("not the tenant");
        }
        assertThat(as(tenant(HERE), true, s -> s.createQuery(
                                "select count(*) from Leaf l where l.parent.tenant = :t", Long.class)
                        .setParameter("t", key)
                        .getSingleResult()))
                .isEqualTo(1L);
        assertThat(as(
                        tenant(HERE),
                        true,
                        s -> ShardContext.call(HERE, () -> s.createQuery("select count(*) from ByText", Long.class)
                                .getSingleResult())))
                .isEqualTo(0L);
    }

    @Test
    void globalRowsAreReadAndWrittenAsBefore() {
        for (boolean inScope : new boolean[] {false, true}) {
            Function<Session, Object> work = s -> {
                s.find(Coin.class, "EUR");
                s.createNativeQuery("SELECT words FROM sharded_id_global.coin", String.class)
                        .getSingleResult();
                Coin coin = s.createQuery("from Coin", Coin.class).getSingleResult();
                coin.words = "in scope " + inScope;
                return coin.words;
            };
            as(tenant(HERE), true, inScope ? s -> ShardContext.call(THERE, () -> work.apply(s)) : work);
            assertThat(bills.databases.home(THERE).query("SELECT words FROM sharded_global.coin"))
                    .containsExactly("in scope " + inScope);
        }
    }

    @Test
    void aStatementRefersToNoRowOfAnotherShard() {
        Own foreign = new Own();
        foreign.id = UUID.randomUUID();
        foreign.tenant = tenant(THERE);
        for (boolean inScope : new boolean[] {false, true}) {
            Function<Session, Object> work = s -> s.createMutationQuery("update Reminder set own = :o")
                    .setParameter("o", foreign)
                    .executeUpdate();
            assertThatThrownBy(() ->
                            as(tenant(HERE), true, inScope ? s -> ShardContext.call(HERE, () -> work.apply(s)) : work))
                    .as("in a scope: " + inScope)
                    .isInstanceOf(WrongShardException.class)
                    .hasMessageContaining("An update statement sets");
        }
    }

    @Test
    void aSessionWithoutATenantIsRefused() {
        assertThatThrownBy(() -> as(null, true, READS.get(0))).isInstanceOf(HibernateException.class);
    }

    @Test
    void bulkStatementsChangeTheRowsOfTheTenantOnly() {
        as(tenant(HERE), true, s -> s.createMutationQuery("update Bill set words = 'a'")
                .executeUpdate());
        as(tenant(THERE), true, s -> s.createNativeMutationQuery("UPDATE bill SET words = words || ' b'")
                .executeUpdate());
        as(tenant(HERE), true, s -> s.createMutationQuery("delete Own").executeUpdate());
        assertThat(bills.rows("bill"))
                .satisfiesExactlyInAnyOrder(
                        row -> assertThat(row).startsWith(HERE + ":").endsWith(",a)"),
                        row -> assertThat(row).startsWith(THERE + ":").endsWith("b\")"));
        assertThat(bills.rows("own")).singleElement().asString().startsWith(THERE + ":");
    }

    @Test
    void aRowWhoseIdNamesNoShardIsFoundByItsIdAndWritten() {
        UUID id = UUID.fromString("00000000-0000-0000-0000-00000000000" + HERE);
        as(tenant(HERE), true, s -> {
            Objects.requireNonNull(s.find(Own.class, id)).words = "changed";
            return id;
        });
        assertThat(bills.rows("own")).contains(HERE + ": (" + id + ",\"" + tenant(HERE) + "\",changed)");
        assertThat(as(tenant(HERE), true, s -> s.find(Own.class, UUID.randomUUID()) == null))
                .isEqualTo(true);
    }

    @Test
    void statelessSessionsGoTooAndRowsOfOthersAreNotFoundByTheirIds() {
        try (StatelessSession session = sessions.withStatelessOptions()
                .tenantIdentifier((Object) tenant(THERE))
                .openStatelessSession()) {
            Bill bill = session.createQuery("from Bill", Bill.class).getSingleResult();
            assertThat(bill.words).isEqualTo("of " + THERE);
            session.beginTransaction();
            bill.words = "changed";
            session.update(bill);
            session.getTransaction().commit();
            assertThat(bills.rows("bill"))
                    .filteredOn(each -> each.contains("changed"))
                    .hasSize(1);
            long other = Long.parseLong(bills.databases
                    .home(HERE)
                    .query("SELECT id FROM shard_000" + HERE + ".bill")
                    .get(0));
            assertThat(as(tenant(THERE), true, s -> s.find(Bill.class, other) == null))
                    .isEqualTo(true);
        }
    }
}
