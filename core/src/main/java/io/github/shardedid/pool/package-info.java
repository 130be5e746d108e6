/** Connection pools whose connections keep to some of the shards. */
@NullMarked
package io.github.shardedid.pool;

import org.jspecify.annotations.NullMarked;
