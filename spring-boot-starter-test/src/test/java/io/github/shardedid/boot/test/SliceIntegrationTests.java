package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jpa.test.autoconfigure.TestEntityManager;
import org.springframework.test.context.transaction.TestTransaction;

/** Boot's own slice for repositories, in which every test is a transaction that is rolled back. */
@DataJpaTest
@AutoConfigureShardedCluster(keep = "country")
@ShopProperties
@Tag("embedded-only")
@Tag("quick")
class SliceIntegrationTests {
    @Autowired
    private ShardedCluster cluster;

    @Autowired
    private Customers customers;

    @Autowired
    private Countries countries;

    @Autowired
    private Vouchers vouchers;

    @Test
    void theShardsAreNotReplaced(@Autowired DataSource dataSource) {
        assertThat(dataSource).isInstanceOf(RoutingDataSource.class);
    }

    @Test
    void whatTheTestsTransactionHasWrittenIsSeen() {
        Customer ada = ShardContext.call(6, () -> customers.save(new Customer("Ada")));

        assertThat(cluster.row(ada)).isStoredInTheShardItsIdNames().isStoredOnce();
        assertThatThrownBy(() -> assertThat(cluster.row(ada)).isStoredInShard(5))
                .hasMessageContaining("was found in shard 6 on database pg2.");

        TestTransaction.end();

        assertThat(cluster.row(ada)).isNotStored();
    }

    @Test
    void aTestEntityManager(@Autowired TestEntityManager entities) {
        Customer ada = ShardContext.call(6, () -> entities.persistAndFlush(new Customer("Ada")));
        Purchase purchase = entities.persistFlushFind(new Purchase(ada, "DE"));

        assertThat(cluster.row(purchase)).isInTheSameShardAs(ada).isStoredOnce();
    }

    @Test
    void globalEntitiesAreSeenToo() {
        Voucher voucher = vouchers.save(new Voucher("SPRING"));
        assertThat(cluster.row(voucher)).isOnDatabase("pg1").isStoredOnce();
    }

    @Test
    void whatWasCommittedIsGoneInTheNextTestAndWhatMigrationsHaveMadeIsThere() {
        assertThat(countries.count()).isEqualTo(2);
        ShardContext.run(6, () -> assertThat(customers.findAll()).isEmpty());
        ShardContext.run(6, () -> customers.save(new Customer("committed")));
        TestTransaction.flagForCommit();
        TestTransaction.end();
    }

    @Test
    void theSameOnceMore() {
        whatWasCommittedIsGoneInTheNextTestAndWhatMigrationsHaveMadeIsThere();
    }
}
