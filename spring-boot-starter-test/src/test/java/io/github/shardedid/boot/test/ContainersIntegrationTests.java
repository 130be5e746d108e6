package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import io.github.shardedid.routing.ShardContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** The same on containers, in the build's run on containers; like all of that, skipped where there is no Docker. */
@SpringBootTest
@AutoConfigureShardedCluster(servers = Servers.TESTCONTAINERS, image = "postgres:17")
@ShopProperties
@EnabledIfSystemProperty(named = "sharded-id.test.postgres", matches = "testcontainers")
@Tag("containers")
class ContainersIntegrationTests {
    @Autowired
    private ShardedCluster cluster;

    @Autowired
    private Customers customers;

    @Test
    void rowsAreStoredWhereTheirIdsNameThemAndADatabaseIsStoppedAndStarted() {
        Customer ada = ShardContext.call(6, () -> customers.save(new Customer("Ada")));
        assertThat(cluster.row(ada)).isStoredInTheShardItsIdNames().isStoredOnce();

        cluster.stop("pg2");
        assertThat(cluster.isRunning("pg2")).isFalse();
        cluster.start("pg2");

        assertThat(customers.findById(ada.id())).isPresent();
        cluster.clean();
        assertThat(cluster.row(ada)).isNotStored();
    }
}
