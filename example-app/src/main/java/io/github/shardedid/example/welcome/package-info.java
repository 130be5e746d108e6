/** The welcome message in the log, the shell commands, and the addresses of the pages. */
@NullMarked
package io.github.shardedid.example.welcome;

import org.jspecify.annotations.NullMarked;
