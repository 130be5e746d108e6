package io.github.shardedid.hibernate.late;

import static io.github.shardedid.hibernate.late.BillsCluster.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.late.Bills.Bill;
import io.github.shardedid.hibernate.late.Bills.Own;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
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
            return tenant.equals(ROOT);
        }
    }

    @BeforeAll
    static void start() {
        bills = new BillsCluster();
        var configuration = bills.configuration(Bills.OF_TENANTS);
        configuration.setCurrentTenantIdentifierResolver(new Tenants());
        sessions = configuration.buildSessionFactory();
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

    private static Object as(String tenant, boolean transaction, Function<Session, ?> work) {
        try (Session session =
                sessions.withOptions().tenantIdentifier((Object) tenant).openSession()) {
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
