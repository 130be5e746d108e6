package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What an application's test sees of its cluster while all is well. */
@OnTestCluster
class ShardedClusterIntegrationTests {
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

    @Test
    void rowsAreWhereTheScopeSays() {
        Customer ada = ShardContext.call(6, () -> customers.save(new Customer("Ada")));

        assertThat(cluster.id(ada.id())).isInShard(6).isOnDatabase("pg2").isGeneratedByDatabase();
        assertThat(cluster.row(ada)).isStoredInShard(6).isOnDatabase("pg2");
        assertThat(cluster.shard(6)
                        .sql("SELECT name FROM customer WHERE id = ?")
                        .param(ada.id())
                        .query(String.class)
                        .single())
                .isEqualTo("Ada");

        customers.delete(ada);

        assertThat(cluster.row(Customer.class, ada.id())).isNotStored();
    }

    @Test
    void namesThatNeedQuotesAndGlobalEntitiesAreFound() {
        Customer ada = ShardContext.call(1, () -> customers.save(new Customer("Ada")));
        Receipt receipt = receipts.save(new Receipt(ada.id()));
        Voucher voucher = vouchers.save(new Voucher("SPRING"));

        assertThat(cluster.row(receipt)).isStoredInTheShardItsIdNames().isStoredOnce();
        assertThat(cluster.id(receipt.number()).decoded().node()).isEmpty();
        assertThat(cluster.row(voucher)).isOnDatabase("pg1").isStoredOnce();
        assertThat(cluster.row(voucher).locations()).containsExactly(new RowLocation("pg1", "sharded_global"));
        assertThat(cluster.global()
                        .sql("SELECT code FROM voucher")
                        .query(String.class)
                        .list())
                .containsExactly("SPRING");
        assertThat(purchases.getReferenceById(
                        purchases.save(new Purchase(ada, "FR")).id()))
                .satisfies(reference -> assertThat(cluster.row(reference)).isStoredInShard(1));
    }

    @Test
    void theClusterTakesThePlaceOfTheConfiguredOne(
            @Autowired ShardedIdProperties properties, @Autowired Cluster topology) {
        assertThat(cluster.databases()).containsExactly("pg1", "pg2");
        assertThat(cluster.shardCount()).isEqualTo(8);
        assertThat(cluster.databaseOf(3)).isEqualTo("pg1");
        assertThat(cluster.databaseOf(4)).isEqualTo("pg2");
        assertThat(properties.databases()).containsOnlyKeys("pg1", "pg2");
        assertThat(properties.global().database()).isEqualTo("pg1");
        assertThat(topology.layout().epoch()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
    }

    @Test
    void eachDatabaseIsOnAServerOfItsOwn() {
        assertThat(cluster.database("pg1").sql("SHOW port").query(String.class).single())
                .isNotEqualTo(cluster.database("pg2")
                        .sql("SHOW port")
                        .query(String.class)
                        .single());
        assertThatThrownBy(() -> cluster.database("pg3"))
                .hasMessage("The cluster of this test has no database pg3, only [pg1, pg2].");
    }
}
