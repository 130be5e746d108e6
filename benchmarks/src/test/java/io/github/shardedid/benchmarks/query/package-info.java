/** Proves what queries over several shards cost that does not depend on the machine. */
@NullMarked
package io.github.shardedid.benchmarks.query;

import org.jspecify.annotations.NullMarked;
