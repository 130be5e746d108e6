package io.github.shardedid.boot.commands;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commands that work on all shards. */
final class ClusterCommands {
    static final List<Command> ALL = List.of(
            new Command("report-drift", ClusterCommands::reportDrift),
            new Command("repair-migrations", context -> context.provisioner().repair()));

    private static final Logger LOG = LoggerFactory.getLogger(ClusterCommands.class);

    private ClusterCommands() {}

    private static void reportDrift(CommandContext context) {
        context.provisioner().drift().lines().forEach(line -> LOG.info("{}", line));
    }
}
