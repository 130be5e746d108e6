package io.github.shardedid.boot.commands;

import java.util.function.Consumer;

/**
 * A command on the command line.
 *
 * @param name the name of its property below {@code sharded-id}
 * @param action runs the command. It logs its progress
 */
record Command(String name, Consumer<CommandContext> action) {
    String property() {
        return "sharded-id." + name;
    }
}
