/** What queries over several shards cost. */
@NullMarked
package io.github.shardedid.benchmarks.query;

import org.jspecify.annotations.NullMarked;
