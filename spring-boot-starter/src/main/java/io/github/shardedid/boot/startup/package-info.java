/**
 * What runs before or instead of the application: commands on the command line, such as {@code --sharded-id.move=17:pg2}, the check of
 * the versions of libraries, and the analysis of a failed start, which says what to correct. {@code CommandListener} runs the commands;
 * {@code Commands} lists them.
 */
@NullMarked
package io.github.shardedid.boot.startup;

import org.jspecify.annotations.NullMarked;
