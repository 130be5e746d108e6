package io.github.shardedid.hibernate.ownids;

import static io.github.shardedid.hibernate.ownids.ShopCluster.customerOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ownids.Shop.Coupon;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.hibernate.ownids.Shop.Setting;
import io.github.shardedid.hibernate.ownids.Shop.Ticket;
import io.github.shardedid.hibernate.ownids.Shop.Visit;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.WrongShardException;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.Hibernate;
import org.hibernate.ReplicationMode;
import org.hibernate.ScrollableResults;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of two shards with the same text or number as id: no session takes them for one. */
@Tag("quick")
class SessionShardsIntegrationTests {
    private static ShopCluster shop;

    @BeforeAll
    static void start() {
        shop = new ShopCluster();
        ShopCluster.insertCustomers(shop.sessions);
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            insert(shard, "same");
        }
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static void insert(int shard, String code) {
        shop.sessions.inTransaction(
                session -> session.persist(new Coupon(code, customer(session, shard), "of " + shard)));
    }

    private static Customer customer(Session session, int shard) {
        return session.getReference(Customer.class, customerOf(shard));
    }

    private static Coupon find(Session session, int shard) {
        return ShardContext.call(shard, () -> session.find(Coupon.class, "same"));
    }

    private static void assertRefused(Consumer<Session> second) {
        shop.sessions.inTransaction(session -> {
            assertThat(find(session, 1).words).isEqualTo("of 1");
            assertThatThrownBy(() -> second.accept(session))
                    .hasStackTraceContaining(WrongShardException.class.getName())
                    .hasStackTraceContaining("shard 1")
                    .hasStackTraceContaining("shard 2");
            session.clear();
            assertThat(find(session, 2).words).isEqualTo("of 2");
        });
    }

    @Test
    void anIdIsFoundInAScopeOnly() {
        shop.sessions.inTransaction(session -> {
            for (Consumer<Session> each : List.<Consumer<Session>>of(
                    at -> at.find(Coupon.class, "same"),
                    at -> at.getReference(Coupon.class, "same"),
                    at -> at.findMultiple(Coupon.class, List.of("same")),
                    at -> at.createSelectionQuery("from Coupon c where c.code = 'same'", Coupon.class)
                            .getResultList(),
                    at -> ShardContext.run(ShardSet.all(), () -> at.find(Coupon.class, "same")),
                    at -> ShardContext.runGlobal(() -> at.find(Coupon.class, "same")))) {
                assertThatThrownBy(() -> each.accept(session)).isInstanceOf(NoShardException.class);
            }
            assertThat(find(session, 3).words).isEqualTo("of 3");
        });
    }

    @Test
    void aSessionReadsRowsOfOneShard() {
        assertRefused(session -> find(session, 2));
        assertRefused(session -> ShardContext.run(2, () -> session.getReference(Coupon.class, "same")));
        assertRefused(session -> ShardContext.run(2, () -> session.getReference(Coupon.class, "another")));
        assertRefused(session -> ShardContext.run(2, () -> session.findMultiple(Coupon.class, List.of("same"))));
        assertRefused(session -> Hibernate.initialize(session.find(Customer.class, customerOf(2)).coupons));
        assertRefused(session -> session.createSelectionQuery(
                        "from Customer c left join fetch c.coupons where c.id = :id", Customer.class)
                .setParameter("id", customerOf(2))
                .getResultList());
        assertRefused(session -> session.createSelectionQuery("from Coupon c where c.customer.id = :id", Coupon.class)
                .setParameter("id", customerOf(2))
                .getResultList());
        assertRefused(session -> ShardContext.run(
                2, () -> session.createSelectionQuery("select c.words, c from Coupon c", Object[].class)
                        .getResultList()));
        assertRefused(session -> ShardContext.run(2, () -> session.createSelectionQuery("from Coupon", Coupon.class)
                .getResultStream()
                .forEach(none -> {})));
        assertRefused(session ->
                ShardContext.run(2, () -> session.createNativeQuery("select * from {h-schema}coupon", Coupon.class)
                        .getResultList()));
        assertRefused(session -> ShardContext.run(2, () -> session.createSelectionQuery(
                        "select c from Customer k join Coupon c on c.customer = k", Coupon.class)
                .getResultList()));
    }

    @Test
    @SuppressWarnings("deprecation") // replicate
    void aSessionWritesRowsOfOneShard() {
        assertRefused(session -> session.persist(new Coupon("new", customer(session, 2), "")));
        assertRefused(session -> session.persist(new Coupon("same", customer(session, 2), "")));
        assertRefused(session -> session.merge(new Coupon("same", customer(session, 2), "merged")));
        assertRefused(session -> session.remove(new Coupon("same", customer(session, 2), "")));
        assertRefused(
                session -> session.replicate(new Coupon("same", customer(session, 2), ""), ReplicationMode.OVERWRITE));
        assertRefused(session -> {
            Customer customer = session.find(Customer.class, customerOf(2));
            Customer detached = new Customer(customer.name);
            detached.id = customer.id;
            detached.coupons.add(new Coupon("same", detached, "merged"));
            session.merge(detached);
        });
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            assertThat(shop.rows(shard, "SELECT code || ' ' || words FROM $.coupon ORDER BY 1"))
                    .contains("same of " + shard);
        }
    }

    @Test
    void projectionsMayBeOfAllShards() {
        shop.sessions.inTransaction(session -> {
            find(session, 1);
            ShardContext.run(ShardSet.all(), () -> {
                assertThat(session.createSelectionQuery(
                                        "select c.words from Coupon c where c.code = 'same'", String.class)
                                .getResultList())
                        .hasSize(ShopCluster.SHARDS);
                assertThatThrownBy(() -> session.createSelectionQuery("from Coupon c", Coupon.class)
                                .getResultList())
                        .isInstanceOf(UnsupportedStatementException.class)
                        .hasMessageContaining("A query over several shards cannot return")
                        .hasMessageContaining("Coupon");
                assertThatThrownBy(() -> session.createSelectionQuery("from Coupon c", Coupon.class)
                                .getResultStream()
                                .toList())
                        .isInstanceOf(UnsupportedStatementException.class);
            });
        });
        shop.sessions.inStatelessTransaction(session -> assertThatThrownBy(() -> ShardContext.run(
                        ShardSet.all(), () -> session.createSelectionQuery("from Coupon c", Coupon.class)
                                .getResultList()))
                .isInstanceOf(UnsupportedStatementException.class));
    }

    @Test
    void aStatelessSessionOnlyQueriesForThem() {
        shop.sessions.inStatelessTransaction(session -> {
            ScrollableResults<Coupon> rows =
                    ShardContext.call(1, () -> session.createSelectionQuery("from Coupon", Coupon.class)
                            .scroll());
            assertThat(rows.next()).isTrue();
            Coupon one = rows.get();
            assertThat(one.words).isEqualTo("of 1");
            rows.close();
            for (Runnable each : List.<Runnable>of(
                    () -> session.get(Coupon.class, "same"),
                    () -> session.getMultiple(Coupon.class, List.of("same")),
                    () -> session.refresh(one),
                    () -> session.update(one),
                    () -> session.delete(one),
                    () -> session.upsert(one),
                    () -> session.insert(new Coupon("new", one.customer, "")))) {
                for (int shard : new int[] {1, 4}) {
                    assertThatThrownBy(() -> ShardContext.run(shard, each))
                            .isInstanceOf(NoShardException.class)
                            .hasMessageContaining("by a stateless session");
                }
            }
        });
    }

    @Test
    void aReferenceIsLoadedFromTheShardInWhichItWasMade() {
        shop.sessions.inTransaction(session -> {
            Coupon reference = ShardContext.call(4, () -> session.getReference(Coupon.class, "same"));
            ShardContext.run(5, () -> assertThat(reference.getWords()).isEqualTo("of 4"));
            ShardContext.run(5, () -> session.refresh(reference));
            assertThat(reference.getWords()).isEqualTo("of 4");
        });
    }

    @Test
    void rowsAreWrittenWhereTheirKeySaysWhateverTheScope() {
        ShardContext.run(7, () -> {
            shop.sessions.inTransaction(session -> {
                session.persist(new Coupon("scope", customer(session, 6), "new"));
                session.persist(new Visit(customerOf(6), "new"));
                session.persist(new Ticket(customer(session, 6), "new"));
            });
            shop.sessions.inTransaction(session -> session.merge(new Coupon("scope", customer(session, 6), "merged")));
        });
        for (String table : List.of("coupon", "visit", "ticket")) {
            assertThat(shop.rows(6, "SELECT words FROM $." + table + " WHERE words IN ('new', 'merged')"))
                    .hasSize(1);
            assertThat(shop.rows(7, "SELECT words FROM $." + table + " WHERE words IN ('new', 'merged')"))
                    .isEmpty();
        }
        ShardContext.run(
                7,
                () -> shop.sessions.inTransaction(
                        session -> session.remove(new Coupon("scope", customer(session, 6), ""))));
        assertThat(shop.rows(6, "SELECT code FROM $.coupon WHERE code = 'scope'"))
                .isEmpty();
    }

    @Test
    @SuppressWarnings("deprecation") // replicate
    void aDetachedEntityWithTheKeyOfAnotherShardIsRefused() {
        Coupon read = shop.sessions.fromTransaction(session -> find(session, 3));
        Coupon saved = new Coupon("saved", null, "");
        shop.sessions.inTransaction(session -> {
            saved.customer = customer(session, 3);
            session.persist(saved);
        });
        for (Coupon coupon : List.of(read, saved)) {
            for (Consumer<Session> each : List.<Consumer<Session>>of(
                    session -> session.merge(coupon),
                    session -> session.remove(coupon),
                    session -> session.persist(coupon),
                    session -> session.replicate(coupon, ReplicationMode.OVERWRITE))) {
                assertThatThrownBy(() -> shop.sessions.inTransaction(session -> {
                            coupon.customer = customer(session, 4);
                            each.accept(session);
                        }))
                        .isInstanceOf(WrongShardException.class)
                        .hasMessageContaining("Coupon was read or saved in shard 3, but its shard key ")
                        .hasMessageContaining("Coupon.customer now names shard 4");
            }
            for (Consumer<StatelessSession> each : List.<Consumer<StatelessSession>>of(
                    session -> session.update(coupon),
                    session -> session.delete(coupon),
                    session -> session.upsert(coupon))) {
                assertThatThrownBy(() -> shop.sessions.inStatelessTransaction(each))
                        .isInstanceOf(NoShardException.class)
                        .hasMessageContaining("by a stateless session");
            }
        }
        assertThat(shop.rows(4, "SELECT code || words FROM $.coupon")).containsExactly("sameof 4");
        shop.sessions.inTransaction(session -> {
            read.customer = customer(session, 3);
            session.remove(session.merge(read));
        });
        insert(3, "same");
    }

    @Test
    void aDetachedEntityWithAnIdOfTheDatabaseIsRefused() {
        Visit visit = new Visit(customerOf(3), "saved");
        shop.sessions.inTransaction(session -> session.persist(visit));
        visit.customerId = customerOf(4);
        assertThatThrownBy(() -> shop.sessions.inTransaction(session -> session.merge(visit)))
                .isInstanceOf(WrongShardException.class)
                .hasMessageContaining("Visit was read or saved in shard 3");
    }

    @Test
    void anEntityWhoseRowWasDeletedMayBeSavedInAnotherShard() {
        Coupon coupon = new Coupon("moved", null, "");
        for (int shard = 1; shard < 3; shard++) {
            int at = shard;
            shop.sessions.inTransaction(session -> {
                coupon.customer = customer(session, at);
                session.persist(coupon);
            });
            assertThat(shop.rows(at, "SELECT code FROM $.coupon WHERE code = 'moved'"))
                    .hasSize(1);
            shop.sessions.inTransaction(session -> session.remove(coupon));
            assertThat(shop.rows(at, "SELECT code FROM $.coupon WHERE code = 'moved'"))
                    .isEmpty();
        }
    }

    @Test
    void numbersOfTenantsAreDistinctRows() {
        Setting one = new Setting(1, "tenant 0", "zero");
        Setting other = new Setting(1, "tenant 1", "one");
        shop.sessions.inTransaction(session -> session.persist(one));
        shop.sessions.inTransaction(session -> session.persist(other));
        shop.sessions.inTransaction(session -> {
            Setting found = session.createSelectionQuery("from Setting s where s.tenant = :t", Setting.class)
                    .setParameter("t", "tenant 1")
                    .getSingleResult();
            assertThat(found.words).isEqualTo("one");
            assertThatThrownBy(() -> session.createSelectionQuery("from Setting s where s.tenant = :t", Setting.class)
                            .setParameter("t", "tenant 0")
                            .getResultList())
                    .isInstanceOf(WrongShardException.class)
                    .hasMessageContaining("The session has rows of");
        });
    }
}
