package io.github.shardedid.boot.commands;

import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.provisioning.nodes.JvmNodesChange;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.NumberUtils;

/** Commands that work on all shards. */
final class ClusterCommands {
    static final List<Command> ALL = List.of(
            new Command("change-jvm-nodes-to", ClusterCommands::changeJvmNodes),
            new Command("report-drift", ClusterCommands::reportDrift),
            new Command("repair-migrations", context -> context.provisioner().repair()));

    private static final Logger LOG = LoggerFactory.getLogger(ClusterCommands.class);

    private ClusterCommands() {}

    private static void changeJvmNodes(CommandContext context) {
        int nodes = NumberUtils.parseNumber(context.value(), Integer.class);
        try {
            context.cluster().definition().layout().withJvmNodes(nodes);
        } catch (IllegalArgumentException e) {
            throw new ShardedIdPropertiesException(
                    context.property() + " cannot be " + nodes + ". " + e.getMessage(), e);
        }
        new JvmNodesChange(context.cluster().definition(), context.pools().direct())
                .run(nodes, JvmNodesChange.DEFAULT_WAIT);
    }

    private static void reportDrift(CommandContext context) {
        context.provisioner().drift().lines().forEach(line -> LOG.info("{}", line));
    }
}
