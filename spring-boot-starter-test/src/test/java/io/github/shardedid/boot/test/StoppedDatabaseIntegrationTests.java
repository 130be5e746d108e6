package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardContext;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;

/** What a test stops does not stay so. */
@OnTestCluster
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("quick")
class StoppedDatabaseIntegrationTests {
    @Autowired
    private ShardedCluster cluster;

    @Autowired
    private Customers customers;

    @Test
    @Order(1)
    void aTestMayLeaveADatabaseStopped() {
        cluster.stop("pg1");
        cluster.stop("pg1");

        assertThat(cluster.isRunning("pg1")).isFalse();
        assertThat(cluster.isRunning("pg2")).isTrue();
    }

    @Test
    @Order(2)
    void theNextTestFindsItRunning() {
        assertThat(cluster.isRunning("pg1")).isTrue();
        assertThat(ShardContext.call(1, () -> customers.save(new Customer("Bob"))))
                .isNotNull();
    }
}
