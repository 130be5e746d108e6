package io.github.shardedid.ecosystem;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import java.util.HashMap;
import java.util.Map;
import org.springframework.batch.core.ExitStatus;
import org.springframework.batch.core.listener.StepExecutionListener;
import org.springframework.batch.core.partition.Partitioner;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.infrastructure.item.ExecutionContext;

/** One partition of Spring Batch for each shard; a step with this listener works on it in the scope of the shard. */
class ShardPartitions implements Partitioner, StepExecutionListener {
    private static final ThreadLocal<ShardContext.Scope> SCOPE = new ThreadLocal<>();

    private final Cluster cluster;

    ShardPartitions(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Map<String, ExecutionContext> partition(int gridSize) {
        Map<String, ExecutionContext> partitions = new HashMap<>();
        for (int shard = 0; shard < cluster.shardCount(); shard++) {
            partitions.put("shard" + shard, new ExecutionContext(Map.of("shard", shard)));
        }
        return partitions;
    }

    @Override
    public void beforeStep(StepExecution step) {
        SCOPE.set(ShardContext.open(step.getExecutionContext().getInt("shard")));
    }

    @Override
    public ExitStatus afterStep(StepExecution step) {
        SCOPE.get().close();
        SCOPE.remove();
        return step.getExitStatus();
    }
}
