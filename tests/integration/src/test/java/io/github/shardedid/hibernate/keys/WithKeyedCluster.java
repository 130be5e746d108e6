package io.github.shardedid.hibernate.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Tests of shard keys, each class with a cluster of its own; no test leaves a connection behind. */
abstract class WithKeyedCluster {
    static KeyedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new KeyedCluster();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }
}
