package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ShardContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataAccessException;

/** Shown in {@code docs/testing.md}. */
@Tag("embedded-only")
@Tag("quick")
@ShopProperties
@SpringBootTest
@AutoConfigureShardedCluster
class DocumentedShopIntegrationTests {
    @Autowired
    ShardedCluster cluster;

    @Autowired
    Customers customers;

    @Autowired
    Purchases purchases;

    @Test
    void aPurchaseLivesWithItsCustomer() {
        Customer ada = customers.save(new Customer("Ada"));
        Purchase purchase = purchases.save(new Purchase(ada, "DE"));

        assertThat(cluster.row(purchase))
                .isStoredInTheShardItsIdNames()
                .isInTheSameShardAs(ada)
                .isStoredOnce();
        assertThat(cluster.id(ada.id())).isGeneratedByDatabase();
    }

    @Test
    void aDatabaseThatIsDownTakesOnlyItsOwnCustomersWithIt() {
        Customer ada = ShardContext.call(6, () -> customers.save(new Customer("Ada")));
        Customer bob = ShardContext.call(1, () -> customers.save(new Customer("Bob")));

        cluster.stop("pg2");

        assertThat(customers.findById(bob.id())).isPresent();
        assertThatThrownBy(() -> customers.findById(ada.id()))
                .isInstanceOf(DataAccessException.class)
                .hasStackTraceContaining("pg2");

        cluster.start("pg2");

        assertThat(customers.findById(ada.id())).isPresent();
    }
}
