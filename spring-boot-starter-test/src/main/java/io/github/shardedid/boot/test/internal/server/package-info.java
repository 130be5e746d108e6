/** The servers of tests: embedded processes, or containers. */
@NullMarked
package io.github.shardedid.boot.test.internal.server;

import org.jspecify.annotations.NullMarked;
