package io.github.shardedid.boot.ownids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Repositories of entities whose ids name no shard. */
class OwnIdsIntegrationTests {
    private static final List<TestDatabase> DATABASES = new ArrayList<>();

    private static ConfigurableApplicationContext context;
    private static OrderRepository orders;
    private static CouponRepository coupons;

    @BeforeAll
    static void start() {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.shards=4",
                "sharded-id.migrations=classpath:db/ownids"));
        for (int i = 1; i <= 2; i++) {
            TestDatabase database = PostgresServers.shared(i).newDatabase();
            DATABASES.add(database);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
            properties.add("sharded-id.databases.pg" + i + ".shards=" + (i == 1 ? "0-1" : "2-3"));
        }
        context = new SpringApplicationBuilder(OwnIdsApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
        orders = context.getBean(OrderRepository.class);
        coupons = context.getBean(CouponRepository.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        DATABASES.forEach(TestDatabase::drop);
    }

    private static Customer customerIn(int shard) {
        Customer customer = ShardContext.call(
                shard, () -> context.getBean(CustomerRepository.class).save(new Customer("of " + shard)));
        assertThat(IdLayout.DEFAULT.shardOf(customer.id())).isEqualTo(shard);
        return customer;
    }

    private static void inTransaction(Runnable work) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.run());
    }

    private static List<String> rows(int shard, String select) {
        return DATABASES.get(shard / 2).query(select.replace("$", "shard_000" + shard));
    }

    private static List<String> words(int shard, UUID id) {
        return rows(shard, "SELECT words FROM $.orders WHERE id = '" + id + "'");
    }

    @Test
    void aRowIsSavedWithItsParent() {
        for (int shard = 0; shard < 4; shard++) {
            Order order = orders.save(new Order(customerIn(shard), "new"));
            assertThat(words(shard, order.id())).containsExactly("new");
            order.setWords("changed");
            orders.save(order);
            assertThat(words(shard, order.id())).containsExactly("changed");
            orders.delete(order);
            assertThat(words(shard, order.id())).isEmpty();
        }
    }

    @Test
    void callsByIdNeedTheScopeOfTheParent() {
        Order order = orders.save(new Order(customerIn(3), "by id"));
        UUID id = order.id();
        for (Consumer<UUID> each : List.<Consumer<UUID>>of(
                orders::findById,
                orders::existsById,
                orders::getReferenceById,
                orders::deleteById,
                missing -> orders.findAllById(List.of(missing)),
                missing -> orders.deleteAllById(List.of(missing)),
                missing -> orders.deleteAllByIdInBatch(List.of(missing)))) {
            for (Runnable call : List.<Runnable>of(() -> each.accept(id), () -> inTransaction(() -> each.accept(id)))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(NoShardException.class)
                        .hasFieldOrPropertyWithValue("ofValue", true)
                        .hasMessageContaining("the id names no shard, only the shard key does")
                        .hasMessageContaining("ShardContext.run(shard");
            }
        }
        ShardContext.run(2, () -> {
            assertThat(orders.findById(id)).isEmpty();
            assertThat(orders.existsById(id)).isFalse();
            orders.deleteById(id);
            orders.deleteAllByIdInBatch(List.of(id));
        });
        ShardContext.run(3, () -> {
            assertThat(orders.findById(id).orElseThrow().getWords()).isEqualTo("by id");
            assertThat(orders.findAllById(List.of(id, UUID.randomUUID()))).hasSize(1);
            assertThat(orders.existsById(id)).isTrue();
            inTransaction(() -> orders.getReferenceById(id).setWords("changed"));
        });
        assertThat(words(3, id)).containsExactly("changed");
        ShardContext.run(3, () -> orders.deleteById(id));
        assertThat(words(3, id)).isEmpty();
    }

    @Test
    void aUuidIsFoundInAllShards() {
        Order one = orders.save(new Order(customerIn(0), "all 0"));
        Order other = orders.save(new Order(customerIn(3), "all 3"));
        ShardContext.run(ShardSet.all(), () -> {
            assertThat(orders.findById(other.id()).orElseThrow().getWords()).isEqualTo("all 3");
            assertThat(orders.findAllById(List.of(one.id(), other.id())))
                    .extracting(Order::getWords)
                    .containsExactlyInAnyOrder("all 0", "all 3");
        });
        assertThat(orders.findByWordsStartingWithOrderByWords("all "))
                .extracting(Order::getWords)
                .containsExactly("all 0", "all 3");
        inTransaction(() -> assertThat(orders.findByWordsStartingWithOrderByWords("all "))
                .extracting(order -> Objects.requireNonNull(order.getCustomer()).name())
                .containsExactly("of 0", "of 3"));
    }

    @Test
    void queriesByTheKeyNeedNoScope() {
        Customer customer = customerIn(2);
        Order order = orders.save(new Order(customer, "b"));
        orders.save(new Order(customer, "a"));
        assertThat(orders.findByCustomerIdOrderByWords(customer.id()))
                .extracting(Order::getWords)
                .containsExactly("a", "b");
        assertThat(orders.findByIdAndCustomerId(order.id(), customer.id())).isPresent();
        assertThat(orders.findByIdAndCustomerId(order.id(), customerIn(1).id())).isEmpty();
        inTransaction(() -> assertThat(orders.deleteByCustomer(customer)).isEqualTo(2));
        assertThat(words(2, order.id())).isEmpty();
    }

    @Test
    void severalRowsAreGroupedByShard() {
        List<Order> all = List.of(new Order(customerIn(0), "0"), new Order(customerIn(3), "3"));
        assertThatThrownBy(() -> inTransaction(() -> orders.saveAll(all)))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        List<Order> again = List.of(new Order(customerIn(0), "0"), new Order(customerIn(3), "3"));
        List<Order> saved = orders.saveAll(again);
        assertThat(words(0, saved.get(0).id())).containsExactly("0");
        assertThat(words(3, saved.get(1).id())).containsExactly("3");
        assertThatThrownBy(() -> inTransaction(() -> orders.deleteAll(saved)))
                .isInstanceOf(SecondWriteShardException.class);
        orders.deleteAll(saved);
        assertThat(words(0, saved.get(0).id())).isEmpty();
        assertThat(words(3, saved.get(1).id())).isEmpty();
    }

    @Test
    void theSameCodeIsAnotherRowInEachShard() {
        Customer one = customerIn(1);
        Customer other = customerIn(2);
        coupons.saveAll(List.of(new Coupon("same", one, "of 1"), new Coupon("same", other, "of 2")));
        coupons.save(new Coupon("same", other, "merged"));
        assertThat(rows(1, "SELECT words FROM $.coupon WHERE code = 'same'")).containsExactly("of 1");
        assertThat(rows(2, "SELECT words FROM $.coupon WHERE code = 'same'")).containsExactly("merged");
        assertThat(coupons.find("same", one.id()).orElseThrow().getWords()).isEqualTo("of 1");
        assertThat(coupons.wordsOfAll("same")).containsExactly("merged", "of 1");
        assertThatThrownBy(() -> coupons.findByWords("of 1"))
                .hasStackTraceContaining(UnsupportedStatementException.class.getName())
                .hasStackTraceContaining("Select its attributes");
        inTransaction(() -> {
            assertThat(coupons.find("same", one.id())).isPresent();
            assertThatThrownBy(() -> coupons.find("same", other.id()))
                    .hasStackTraceContaining(WrongShardException.class.getName())
                    .hasStackTraceContaining("The session has rows of");
        });
        ShardContext.run(1, () -> coupons.deleteById("same"));
        assertThat(rows(1, "SELECT words FROM $.coupon WHERE code = 'same'")).isEmpty();
        assertThat(rows(2, "SELECT words FROM $.coupon WHERE code = 'same'")).containsExactly("merged");
        coupons.delete(new Coupon("same", other, ""));
        assertThat(rows(2, "SELECT words FROM $.coupon WHERE code = 'same'")).isEmpty();
    }
}
