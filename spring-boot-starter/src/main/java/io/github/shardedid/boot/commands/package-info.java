/**
 * Commands on the command line, such as {@code --sharded-id.move=17:pg2}: the application runs the command and exits instead of
 * starting. {@code CommandListener} runs them; {@code ClusterCommands} and {@code MoveCommands} list them.
 */
@NullMarked
package io.github.shardedid.boot.commands;

import org.jspecify.annotations.NullMarked;
