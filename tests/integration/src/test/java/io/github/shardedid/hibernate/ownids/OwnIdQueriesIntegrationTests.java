package io.github.shardedid.hibernate.ownids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.hibernate.ownids.Shop.Line;
import io.github.shardedid.hibernate.ownids.Shop.Order;
import io.github.shardedid.hibernate.ownids.Shop.Parcel;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries by an association to a row whose id names no shard go where that row is, whatever scope is open. */
class OwnIdQueriesIntegrationTests {
    private static final int SHARD = 3;
    private static final int OTHER = 5;

    private static ShopCluster shop;

    @BeforeAll
    static void start() {
        shop = new ShopCluster();
        ShopCluster.insertCustomers(shop.sessions);
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            int at = shard;
            shop.sessions.inTransaction(session -> {
                Order order = new Order(idOf(at), shop.customer(session, at), "of " + at);
                session.persist(order);
                session.persist(new Line(new UUID(at, 2), order, at));
                session.persist(new Parcel(order, "parcel of " + at));
            });
        }
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(shop.databases.activeConnections()).isZero();
    }

    private static UUID idOf(int shard) {
        return new UUID(shard, 1);
    }

    private static Order detached(int shard) {
        return Objects.requireNonNull(ShardContext.call(
                shard, () -> shop.sessions.fromTransaction(session -> session.find(Order.class, idOf(shard)))));
    }

    private static Order reference(int shard) {
        Order reference = ShardContext.call(
                shard, () -> shop.sessions.fromTransaction(session -> session.getReference(Order.class, idOf(shard))));
        assertThat(Hibernate.isInitialized(reference)).isFalse();
        return reference;
    }

    private static void inEachScope(Function<Session, Object> query, Object expected) {
        assertThat(shop.sessions.<Object>fromTransaction(query)).as("no scope").isEqualTo(expected);
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD), Target.global())) {
            assertThat(shop.sessions.<Object>fromTransaction(
                            session -> ShardContext.call(scope, () -> query.apply(session))))
                    .as(String.valueOf(scope))
                    .isEqualTo(expected);
        }
    }

    private static List<Integer> amounts(Session session, Order order) {
        return session.createSelectionQuery("select l.amount from Line l where l.order = :order", Integer.class)
                .setParameter("order", order)
                .getResultList();
    }

    @Test
    void byARowThatIsManagedDetachedOrAReference() {
        inEachScope(session -> amounts(session, detached(SHARD)), List.of(SHARD));
        inEachScope(session -> amounts(session, reference(SHARD)), List.of(SHARD));
        inEachScope(
                session -> {
                    Order managed = ShardContext.call(SHARD, () -> session.find(Order.class, idOf(SHARD)));
                    return amounts(session, Objects.requireNonNull(managed));
                },
                List.of(SHARD));
        inEachScope(
                session -> amounts(
                        session, ShardContext.call(SHARD, () -> session.getReference(Order.class, idOf(SHARD)))),
                List.of(SHARD));
    }

    @Test
    void entitiesDerivedIdsCountsAndLists() {
        inEachScope(
                session -> session.createSelectionQuery("from Line l where l.order = :order", Line.class)
                        .setParameter("order", detached(SHARD))
                        .getResultStream()
                        .map(line -> line.amount)
                        .toList(),
                List.of(SHARD));
        inEachScope(
                session -> session.createSelectionQuery(
                                "select p.words from Parcel p where p.order = :order", String.class)
                        .setParameter("order", detached(SHARD))
                        .getResultList(),
                List.of("parcel of 3"));
        inEachScope(
                session -> session.createSelectionQuery(
                                "select o.words from CustomerOrder o where o = :order", String.class)
                        .setParameter("order", detached(SHARD))
                        .getResultList(),
                List.of("of 3"));
        inEachScope(
                session -> session.createSelectionQuery(
                                "select count(*) from Line l where l.order = :order", Long.class)
                        .setParameter("order", detached(SHARD))
                        .getSingleResult(),
                1L);
        inEachScope(
                session -> session.createSelectionQuery(
                                "select l.amount from Line l where l.order in :orders", Integer.class)
                        .setParameterList("orders", List.of(detached(SHARD), reference(6), detached(1)))
                        .getResultStream()
                        .sorted()
                        .toList(),
                List.of(1, 3, 6));
        inEachScope(
                session -> session.createSelectionQuery(
                                "select l.amount from Line l where l.order in :orders", Integer.class)
                        .setParameterList("orders", List.of())
                        .getResultList(),
                List.of());
        inEachScope(
                session -> session.createSelectionQuery(
                                "select l.amount from Line l where l.order = :order", Integer.class)
                        .setParameter("order", null)
                        .getResultList(),
                List.of());
    }

    @Test
    void aStatelessSessionKnowsADetachedRow() {
        try (StatelessSession session = shop.sessions.openStatelessSession()) {
            List<Integer> found = ShardContext.call(OTHER, () -> session.createSelectionQuery(
                            "select l.amount from Line l where l.order = :order", Integer.class)
                    .setParameter("order", detached(SHARD))
                    .getResultList());
            assertThat(found).containsExactly(SHARD);
        }
    }

    @Test
    void anEqualityLeavesTheScopeOfOtherShards() {
        shop.sessions.inTransaction(session -> {
            assertThat(ShardContext.<List<Integer>>call(
                            ShardSet.of(Set.of(OTHER, 1)), () -> amounts(session, detached(SHARD))))
                    .containsExactly(SHARD);
            assertThat(ShardContext.<List<Integer>>call(ShardSet.all(), () -> amounts(session, detached(SHARD))))
                    .containsExactly(SHARD);
        });
    }

    /** Nor is it in the scope: another shard may have a row with its id. */
    @Test
    void aReferenceOfUnknownShardIsRefused() {
        Order unknown = shop.sessions.fromTransaction(session -> {
            List<Line> lines = ShardContext.call(
                    ShardSet.all(), () -> session.createSelectionQuery("from Line l order by l.amount", Line.class)
                            .getResultList());
            return Objects.requireNonNull(lines.get(SHARD).order);
        });
        assertThat(Hibernate.isInitialized(unknown)).isFalse();
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD))) {
            assertThatThrownBy(() -> shop.sessions.inTransaction(
                            session -> ShardContext.run(scope, () -> amounts(session, unknown))))
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("No shard is known for")
                    .hasMessageContaining("Order#" + idOf(SHARD))
                    .hasMessageContaining("ShardContext.run(shard");
        }
    }

    /** It has not been inserted, but its customer names its shard. */
    @Test
    void byARowThatIsNew() {
        shop.sessions.inTransaction(session -> {
            Customer customer = shop.customer(session, SHARD);
            Order order = new Order(new UUID(SHARD, 9), customer, "new");
            session.persist(order);
            session.persist(new Line(new UUID(SHARD, 10), order, 33));
            ShardContext.run(OTHER, () -> assertThat(amounts(session, order)).containsExactly(33));
            session.getTransaction().markRollbackOnly();
        });
    }

    @Test
    void changesGoWhereQueriesGo() {
        inEachScope(
                session -> session.createMutationQuery("update Line l set l.amount = l.amount where l.order = :order")
                        .setParameter("order", reference(SHARD))
                        .executeUpdate(),
                1);
    }
}
