package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;

/** Classes of tests that need the same share an application, others the servers. */
@Tag("slow")
@OnTestCluster
class SharedServersIntegrationTests {
    @Autowired
    private ApplicationContext context;

    @Autowired
    private ShardedCluster cluster;

    /** Differs in what is cleaned only. */
    @SpringBootTest
    @AutoConfigureShardedCluster(clean = false)
    @ShopProperties
    static class SameCluster {}

    @SpringBootTest
    @AutoConfigureShardedCluster(databases = 1, shards = 3)
    @ShopProperties
    @Tag("embedded-only")
    static class OtherCluster {}

    private static TestContext testOf(Class<?> test) {
        return new TestContextManager(test).getTestContext();
    }

    @Test
    void oneApplicationServesAllTestsThatNeedTheSame() {
        assertThat(testOf(SameCluster.class).getApplicationContext()).isSameAs(context);
    }

    @Test
    void anotherApplicationHasOtherDatabasesOnTheSameServersWhichGoWithIt() {
        TestContext test = testOf(OtherCluster.class);
        ShardedCluster other = test.getApplicationContext().getBean(ShardedCluster.class);
        String name = setting(other, "SELECT current_database()");

        assertThat(other.databases()).containsExactly("pg1");
        assertThat(other.shardCount()).isEqualTo(3);
        assertThat(setting(other, "SHOW port")).isEqualTo(setting(cluster, "SHOW port"));
        assertThat(name).isNotEqualTo(setting(cluster, "SELECT current_database()"));
        assertThat(databases()).contains(name);

        test.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);

        assertThat(databases()).doesNotContain(name);
    }

    private static String setting(ShardedCluster cluster, String sql) {
        return cluster.database("pg1").sql(sql).query(String.class).single();
    }

    private List<String> databases() {
        return cluster.database("pg1")
                .sql("SELECT datname FROM pg_database")
                .query(String.class)
                .list();
    }
}
