package io.github.shardedid.hibernate.ownids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Random work on rows whose ids name no shard, with shards and with plain Hibernate on one database: the outcomes are the same. */
class RandomOwnIdsIntegrationTests {
    private static final int STEPS = 500;

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final RandomWork work = new RandomWork(new Random(seed));

    @Test
    void outcomesAndRowsAreThoseOfPlainHibernate() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (ShopCluster sharded = new ShopCluster()) {
            database.execute(Shop.TABLES);
            try (SessionFactory plain =
                    PlainHibernate.on(database, ShopCluster.settings(), Shop.ENTITIES, List.of(Customer.class))) {
                ShopCluster.insertCustomers(sharded.sessions);
                ShopCluster.insertCustomers(plain);
                for (int step = 0; step < STEPS; step++) {
                    Function<SessionFactory, Object> transaction = work.next(step);
                    assertThat(PlainHibernate.outcome(() -> transaction.apply(sharded.sessions)))
                            .as("step " + step + " of -Dsharded-id.test.seed=" + seed)
                            .isEqualTo(PlainHibernate.outcome(() -> transaction.apply(plain)));
                }
            }
            compare(sharded, database);
        } finally {
            database.drop();
        }
    }

    /** Each row is in the shard of its customer, and there are no others. */
    private void compare(ShopCluster sharded, TestDatabase plain) {
        compare(sharded, plain, "SELECT id, customer_id, words, version FROM orders");
        compare(sharded, plain, "SELECT order_id, tag, customer_id FROM order_tags JOIN orders o ON o.id = order_id");
        compare(sharded, plain, "SELECT l.id, customer_id, amount FROM line l JOIN orders o ON o.id = order_id");
        compare(
                sharded,
                plain,
                "SELECT p.order_id, customer_id, p.words FROM parcel p JOIN orders o ON o.id = order_id");
        compare(sharded, plain, "SELECT code, customer_id, words FROM coupon");
        compare(sharded, plain, "SELECT customer_id, words FROM ticket");
        compare(sharded, plain, "SELECT customer_id, words FROM visit");
        compare(sharded, plain, "SELECT id AS customer_id, favourite_id FROM customer");
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            int tenants = shard;
            List<String> expected = plain.query("SELECT tenant || ' ' || id || words FROM setting ORDER BY 1").stream()
                    .filter(row -> ShardKeys.shardOf(row.substring(0, 8), ShopCluster.SHARDS) == tenants)
                    .toList();
            assertThat(sharded.rows(shard, "SELECT tenant || ' ' || id || words FROM $.setting ORDER BY 1"))
                    .isEqualTo(expected);
        }
    }

    private void compare(ShopCluster sharded, TestDatabase plain, String select) {
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            String rows = "SELECT r::text FROM (" + select + ") r";
            assertThat(sharded.rows(shard, rows.replaceAll("(FROM|JOIN) (\\w)", "$1 \\$.$2") + " ORDER BY 1"))
                    .as(select + " in shard " + shard + ", -Dsharded-id.test.seed=" + seed)
                    .isEqualTo(plain.query(
                            rows + " WHERE customer_id = " + ShopCluster.customerOf(shard) + " ORDER BY 1"));
        }
    }
}
