package io.github.shardedid.boot.test;

import java.util.function.BiConsumer;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Deletes the rows before each test method, and starts the stopped servers after it. */
final class ShardedClusterTestExecutionListener implements TestExecutionListener, Ordered {
    /** Runs before the transaction of the test and before its {@code @Sql} scripts. */
    private static final int BEFORE_TRANSACTIONS = 3_500;

    @Override
    public int getOrder() {
        return BEFORE_TRANSACTIONS;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        withCluster(test, (cluster, annotation) -> {
            if (annotation.clean()) {
                cluster.clean(annotation.keep());
            }
        });
    }

    @Override
    public void afterTestMethod(TestContext test) {
        withCluster(test, (cluster, annotation) -> cluster.startStopped());
    }

    private static void withCluster(TestContext test, BiConsumer<ShardedCluster, AutoConfigureShardedCluster> work) {
        AutoConfigureShardedCluster annotation = ShardedClusterContextCustomizerFactory.of(test.getTestClass());
        if (annotation != null && test.hasApplicationContext()) {
            work.accept(test.getApplicationContext().getBean(ShardedCluster.class), annotation);
        }
    }
}
