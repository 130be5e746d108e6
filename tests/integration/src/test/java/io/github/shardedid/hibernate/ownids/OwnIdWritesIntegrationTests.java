package io.github.shardedid.hibernate.ownids;

import static io.github.shardedid.hibernate.ownids.ShopCluster.customerOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.hibernate.ownids.Shop.Line;
import io.github.shardedid.hibernate.ownids.Shop.Order;
import io.github.shardedid.hibernate.ownids.Shop.Visit;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.hibernate.LockMode;
import org.hibernate.ReplicationMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows whose ids name no shard are written where their shard keys say, or not at all. */
@Tag("quick")
class OwnIdWritesIntegrationTests {
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

    private static List<String> words(int shard) {
        return shop.rows(shard, "SELECT words FROM $.orders ORDER BY 1");
    }

    @Test
    void theShardOfTheKeyOfARowCannotChange() {
        assertThatThrownBy(() -> shop.sessions.inTransaction(session -> {
                    Order order = find(session, 1);
                    order.customer = shop.customer(session, 2);
                }))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("but refers to ");
        assertThatThrownBy(() -> shop.sessions.inTransaction(session -> find(session, 1).customer = null))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("is null, and its id names no shard");
        Visit visit = shop.sessions.fromTransaction(session -> {
            Visit made = new Visit(customerOf(1), "visit");
            session.persist(made);
            return made;
        });
        for (Long other : new Long[] {customerOf(2), null}) {
            assertThatThrownBy(() -> shop.sessions.inTransaction(session ->
                            ShardContext.call(1, () -> session.find(Visit.class, visit.id)).customerId = other))
                    .hasStackTraceContaining(WrongShardException.class.getName())
                    .hasStackTraceContaining("Nothing of the row was sent");
        }
        assertThatThrownBy(() -> shop.sessions.inTransaction(session -> {
                    Order detached = new Order(idOf(1), shop.customer(session, 2), "moved");
                    find(session, 1);
                    session.merge(detached);
                }))
                .hasMessageContaining("shard 1")
                .hasMessageContaining("shard 2");
        assertThat(words(1)).containsExactly("of 1");
        assertThat(words(2)).containsExactly("of 2");
    }

    @Test
    void aNewRowNeedsItsKey() {
        for (Consumer<Session> each : List.<Consumer<Session>>of(
                session -> session.persist(new Order(new UUID(1, 9), null, "")),
                session -> session.merge(new Order(new UUID(1, 9), null, "")),
                session -> session.persist(new Visit(null, "")))) {
            assertThatThrownBy(() -> ShardContext.run(1, () -> shop.sessions.inTransaction(each)))
                    .isInstanceOf(NoShardException.class);
        }
    }

    @Test
    void associationsAcrossShardsAreRefused() {
        assertThatThrownBy(() ->
                        shop.sessions.inTransaction(session -> shop.customer(session, 1).favourite = find(session, 2)))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("but refers to ");
        assertThatThrownBy(() -> shop.sessions.inTransaction(session -> {
                    Order reference = ShardContext.call(2, () -> session.getReference(Order.class, idOf(2)));
                    shop.customer(session, 1).favourite = reference;
                }))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("but refers to ");
        assertThatThrownBy(() -> shop.sessions.inTransaction(session -> {
                    session.persist(new Line(new UUID(1, 8), find(session, 1), 1));
                    session.persist(new Line(new UUID(2, 8), find(session, 2), 1));
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThat(shop.rows(1, "SELECT id FROM $.line")).hasSize(1);
    }

    @Test
    @SuppressWarnings("deprecation") // replicate
    void theOpenScopeDoesNotMatterForAKnownRow() {
        ShardContext.run(7, () -> {
            shop.sessions.inTransaction(session -> {
                Order order = session.find(Customer.class, customerOf(6)).orders.get(0);
                session.refresh(order);
                session.lock(order, LockMode.PESSIMISTIC_WRITE);
                session.lock(order, LockMode.OPTIMISTIC_FORCE_INCREMENT);
                order.words = "first";
                session.flush();
                session.refresh(order);
                order.tags.add("new");
            });
            shop.sessions.inTransaction(session -> {
                Order detached = new Order(idOf(6), shop.customer(session, 6), "second");
                detached.version = shop.rows(6, "SELECT version FROM $.orders").stream()
                        .mapToInt(Integer::parseInt)
                        .sum();
                session.merge(detached);
            });
            shop.sessions.inTransaction(session -> {
                Order replica = new Order(idOf(6), shop.customer(session, 6), "third");
                replica.version = 100;
                session.replicate(replica, ReplicationMode.OVERWRITE);
            });
        });
        assertThat(words(6)).containsExactly("third");
        assertThat(words(7)).containsExactly("of 7");
        shop.sessions.inTransaction(session -> find(session, 6).words = "of 6");
    }

    @Test
    void aStatelessSessionFetchesNoCollection() {
        shop.sessions.inStatelessTransaction(session -> {
            Order order = ShardContext.call(
                    1, () -> session.createSelectionQuery("from " + Order.class.getName(), Order.class)
                            .getSingleResult());
            for (int shard : new int[] {1, 3}) {
                assertThatThrownBy(() -> ShardContext.run(shard, () -> session.fetch(order.tags)))
                        .isInstanceOf(NoShardException.class)
                        .hasMessageContaining("by a stateless session");
            }
        });
    }

    @Test
    void bulkStatementsCannotWriteKeysThatNothingChecks() {
        assertThatThrownBy(() -> ShardContext.run(
                        1,
                        () -> shop.sessions.inTransaction(session -> session.createMutationQuery(
                                        "insert into Setting (id, tenant, words) values (7, 'tenant 5', '')")
                                .executeUpdate())))
                .isInstanceOf(WrongShardException.class)
                .hasMessageContaining("Shop$Setting");
        for (String set : List.of("tenant = null", "tenant = 'tenant 5'", "id = 5")) {
            assertThatThrownBy(() -> ShardContext.run(
                            1,
                            () -> shop.sessions.inTransaction(
                                    session -> session.createMutationQuery("update Setting set " + set)
                                            .executeUpdate())))
                    .isInstanceOf(WrongShardException.class);
        }
    }

    /** Hibernate inserts the child when its parent is saved, as without shards. */
    @Test
    void aChildIsSavedBeforeItsParent() {
        Customer customer = shop.sessions.fromTransaction(session -> session.find(Customer.class, customerOf(5)));
        for (boolean scope : new boolean[] {false, true}) {
            Order order = new Order(UUID.randomUUID(), customer, "before its parent");
            Line line = new Line();
            line.id = UUID.randomUUID();
            line.order = order;
            line.amount = 55;
            Runnable save = () -> shop.sessions.inTransaction(session -> {
                session.persist(line);
                session.persist(order);
            });
            if (scope) {
                ShardContext.run(5, save);
            } else {
                save.run();
            }
            assertThat(shop.rows(5, "SELECT amount FROM $.line WHERE id = '" + line.id + "'"))
                    .containsExactly("55");
        }
    }
}
