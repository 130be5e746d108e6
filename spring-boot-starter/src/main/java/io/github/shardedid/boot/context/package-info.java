/**
 * The shard of the current thread, in tasks of executors and in log lines.
 */
@NullMarked
package io.github.shardedid.boot.context;

import org.jspecify.annotations.NullMarked;
