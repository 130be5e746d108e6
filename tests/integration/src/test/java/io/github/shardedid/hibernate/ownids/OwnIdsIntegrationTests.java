package io.github.shardedid.hibernate.ownids;

import static io.github.shardedid.hibernate.ownids.ShopCluster.customerOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.hibernate.ownids.Shop.Line;
import io.github.shardedid.hibernate.ownids.Shop.Order;
import io.github.shardedid.hibernate.ownids.Shop.Setting;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.ObjectNotFoundException;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows with UUIDs, which a session may have of several shards. */
@Tag("quick")
class OwnIdsIntegrationTests {
    private static ShopCluster shop;

    @BeforeAll
    static void start() {
        shop = new ShopCluster();
        ShopCluster.insertCustomers(shop.sessions);
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            int at = shard;
            shop.sessions.inTransaction(session -> {
                Customer customer = shop.customer(session, at);
                Order order = new Order(idOf(at), customer, "of " + at);
                order.tags.add("tag of " + at);
                order.lines.add(new Line(new UUID(at, 2), order, at));
                customer.orders.add(order);
                customer.favourite = order;
            });
        }
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static UUID idOf(int shard) {
        return new UUID(shard, 1);
    }

    private static Order find(Session session, int shard) {
        return Objects.requireNonNull(ShardContext.call(shard, () -> session.find(Order.class, idOf(shard))));
    }

    /** The collection contains the reference that the session has made before. */
    private static Order orderOf(Customer customer) {
        return Hibernate.unproxy(customer.orders.get(0), Order.class);
    }

    @Test
    void anIdIsFoundInAScopeOnly() {
        shop.sessions.inTransaction(session -> {
            for (Consumer<Session> each : List.<Consumer<Session>>of(
                    at -> at.find(Order.class, idOf(1)),
                    at -> at.getReference(Order.class, idOf(1)),
                    at -> at.findMultiple(Order.class, List.of(idOf(1))))) {
                assertThatThrownBy(() -> each.accept(session))
                        .isInstanceOf(NoShardException.class)
                        .hasMessageContaining("Order#" + idOf(1) + " cannot be found by its id alone")
                        .hasMessageContaining("Order.customer")
                        .hasMessageContaining("ShardContext.run(shard");
            }
            assertThat(ShardContext.call(2, () -> session.find(Order.class, idOf(1))))
                    .isNull();
            assertThat(find(session, 1).words).isEqualTo("of 1");
            assertThat(session.find(Order.class, idOf(1)).words).isEqualTo("of 1");
            assertThat(ShardContext.call(ShardSet.all(), () -> session.find(Order.class, idOf(5))).words)
                    .isEqualTo("of 5");
            assertThat(ShardContext.call(
                            ShardSet.all(),
                            () -> session.findMultiple(Order.class, List.of(idOf(6), idOf(1), idOf(9)))))
                    .extracting(order -> order == null ? "none" : order.words)
                    .containsExactly("of 6", "of 1", "none");
        });
    }

    @Test
    void aSessionReadsRowsOfSeveralShardsWithTheirAssociations() {
        shop.sessions.inTransaction(session -> {
            List<Customer> customers = Stream.of(1, 2, 3, 4)
                    .map(shard -> session.find(Customer.class, customerOf(shard)))
                    .toList();
            // Batches of 8.
            ShardContext.run(7, () -> assertThat(customers)
                    .extracting(customer ->
                            Objects.requireNonNull(customer.favourite).getWords())
                    .containsExactly("of 1", "of 2", "of 3", "of 4"));
            ShardContext.run(7, () -> assertThat(customers)
                    .extracting(customer -> orderOf(customer).tags.iterator().next())
                    .containsExactly("tag of 1", "tag of 2", "tag of 3", "tag of 4"));
            assertThat(customers)
                    .extracting(customer -> orderOf(customer).lines.get(0).amount)
                    .containsExactly(1, 2, 3, 4);
        });
    }

    @Test
    void aQueryOverAllShardsReturnsRowsThatCanBeUsed() {
        shop.sessions.inTransaction(session -> {
            List<Line> lines = ShardContext.call(
                    ShardSet.all(), () -> session.createSelectionQuery("from Line l order by l.amount", Line.class)
                            .getResultList());
            List<Customer> customers = ShardContext.call(
                    ShardSet.all(), () -> session.createSelectionQuery("from Customer c order by c.id", Customer.class)
                            .getResultList());
            assertThat(customers)
                    .extracting(customer ->
                            Objects.requireNonNull(customer.favourite).getWords())
                    .containsExactly("of 0", "of 1", "of 2", "of 3", "of 4", "of 5", "of 6", "of 7");
            // The references to the orders were read before anything named their shard; now the orders are known.
            assertThat(Objects.requireNonNull(lines.get(3).order).getWords()).isEqualTo("of 3");
            Hibernate.initialize(Objects.requireNonNull(customers.get(3).favourite).tags);
            customers.get(3).name = "changed";
            lines.get(3).amount = 33;
        });
        assertThat(shop.rows(3, "SELECT amount FROM $.line")).containsExactly("33");
        assertThat(shop.rows(3, "SELECT name FROM $.customer")).containsExactly("changed");
        shop.sessions.inTransaction(session -> find(session, 3).lines.get(0).amount = 3);
    }

    @Test
    void aReferenceOfUnknownShardIsNotGuessed() {
        shop.sessions.inTransaction(session -> {
            List<Line> lines = ShardContext.call(
                    ShardSet.all(), () -> session.createSelectionQuery("from Line l order by l.amount", Line.class)
                            .getResultList());
            Order reference = Objects.requireNonNull(lines.get(4).order);
            assertThat(Hibernate.isInitialized(reference)).isFalse();
            assertThatThrownBy(() -> ShardContext.run(5, reference::getWords))
                    .hasStackTraceContaining(NoShardException.class.getName())
                    .hasStackTraceContaining("was read over several shards");
            lines.get(4).amount = 44;
            assertThatThrownBy(session::flush).hasStackTraceContaining(NoShardException.class.getName());
            session.clear();
        });
        assertThat(shop.rows(4, "SELECT amount FROM $.line")).containsExactly("4");
    }

    @Test
    void aStreamMayBeReadOutsideOfItsScope() {
        shop.sessions.inTransaction(session -> {
            Stream<Line> stream = ShardContext.call(5, () -> session.createSelectionQuery("from Line", Line.class)
                    .getResultStream());
            ShardContext.run(6, () -> {
                List<Line> lines = stream.toList();
                assertThat(Objects.requireNonNull(lines.get(0).order).getWords())
                        .isEqualTo("of 5");
            });
        });
    }

    @Test
    void entitiesTellTheirShard() {
        EntityShards shards = EntityShards.of(shop.sessions).orElseThrow();
        assertThat(shards.isSharded(Order.class)).isTrue();
        assertThat(shards.idNamesShard(Order.class)).isFalse();
        assertThat(shards.idNamesShard(Customer.class)).isTrue();
        assertThat(shards.byPath(Order.class, "id")).isEmpty();
        assertThat(shards.byPath(Line.class, "order.id")).isEmpty();
        assertThat(shards.byPath(Line.class, "order.customer.id")).isPresent();
        Customer customer = new Customer();
        customer.id = customerOf(4);
        Line line = new Line(new UUID(4, 5), new Order(null, customer, ""), 1);
        assertThat(shards.shardOf(line)).isEqualTo(4);
        assertThat(shards.shardOf(new Setting(1, "tenant 0", "")))
                .isEqualTo(shards.byPath(Setting.class, "tenant").orElseThrow().shardOf("tenant 0"));
        Order reference = shop.sessions.fromTransaction(
                session -> ShardContext.call(4, () -> session.getReference(Order.class, idOf(4))));
        assertThat(shards.shardOf(reference)).isEqualTo(4);
        assertThatThrownBy(() -> shards.byId(Order.class).shardOf(idOf(4))).isInstanceOf(NoShardException.class);
    }

    @Test
    void aReferenceToAMissingRowIsNotFound() {
        shop.sessions.inTransaction(session -> {
            Order reference = ShardContext.call(1, () -> session.getReference(Order.class, idOf(2)));
            assertThatThrownBy(reference::getWords).isInstanceOf(ObjectNotFoundException.class);
        });
    }
}
