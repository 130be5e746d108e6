package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestContextManager;

/** Each test begins with empty tables, and with ids that nobody has had. */
@OnTestCluster
class CleaningIntegrationTests {
    private static final Set<Long> EVER_MADE = new HashSet<>();

    @Autowired
    private ShardedCluster cluster;

    @Autowired
    private Customers customers;

    @Autowired
    private Purchases purchases;

    @Autowired
    private Receipts receipts;

    @Autowired
    private Vouchers vouchers;

    @Autowired
    private Countries countries;

    private List<Long> fill() {
        List<Long> ids = new ArrayList<>();
        for (int shard : new int[] {0, 3, 4, 7}) {
            Customer customer = ShardContext.call(shard, () -> customers.save(new Customer("of a test")));
            ids.add(customer.id());
            ids.add(purchases.save(new Purchase(customer, "DE")).id());
            ids.add(receipts.save(new Receipt(customer.id())).number());
        }
        vouchers.save(new Voucher("SPRING"));
        return ids;
    }

    @RepeatedTest(3)
    void everyTestBeginsWithEmptyTablesAndNoIdComesBack() {
        for (int shard = 0; shard < cluster.shardCount(); shard++) {
            for (String table : List.of("customer", "purchase", "\"Receipt\"")) {
                assertThat(count(shard, table)).as(table + " of shard " + shard).isZero();
            }
        }
        assertThat(vouchers.count()).isZero();
        assertThat(countries.count()).isZero();

        List<Long> ids = fill();

        assertThat(EVER_MADE).doesNotContainAnyElementsOf(ids);
        EVER_MADE.addAll(ids);
    }

    @Test
    void whatIsNotTheUsersStays() {
        fill();
        int leases = count(0, "sharded_id_lease");
        cluster.clean();

        assertThat(count(0, "flyway_schema_history")).isPositive();
        assertThat(count(0, "sharded_id_lease")).isEqualTo(leases).isPositive();
        assertThat(cluster.global()
                        .sql("SELECT count(*) FROM flyway_schema_history")
                        .query(Integer.class)
                        .single())
                .isPositive();
        assertThat(cluster.database("pg1")
                        .sql("SELECT count(*) FROM sharded_id.shard")
                        .query(Integer.class)
                        .single())
                .isPositive();
    }

    /** Another class of tests, which leaves tables alone. */
    @AutoConfigureShardedCluster(keep = {"customer", "voucher", "country"})
    @Nested
    class Keeping {
        @Test
        void namedTablesAreLeftAlone() throws Exception {
            cluster.clean();
            fill();
            beginTest(this, "namedTablesAreLeftAlone");

            assertThat(vouchers.count()).isOne();
            assertThat(count(0, "customer")).isOne();
            assertThat(count(0, "purchase")).isZero();
            assertThat(count(7, "\"Receipt\"")).isZero();
        }
    }

    @AutoConfigureShardedCluster(clean = false)
    @Nested
    class NotCleaned {
        @Test
        void cleaningCanBeSwitchedOff() throws Exception {
            cluster.clean();
            fill();
            beginTest(this, "cleaningCanBeSwitchedOff");

            assertThat(vouchers.count()).isOne();
            assertThat(count(0, "customer")).isOne();
            assertThat(count(7, "purchase")).isOne();
        }
    }

    /** As the next test of the same class would. */
    private static void beginTest(Object test, String method) throws Exception {
        TestContextManager manager = new TestContextManager(test.getClass());
        manager.beforeTestMethod(test, test.getClass().getDeclaredMethod(method));
    }

    private int count(int shard, String table) {
        return cluster.shard(shard)
                .sql("SELECT count(*) FROM " + table)
                .query(Integer.class)
                .single();
    }
}
