/** The HTTP API of the operations page, except for moves: figures of each shard, health checks, and stopping servers. */
@NullMarked
package io.github.shardedid.example.operations;

import org.jspecify.annotations.NullMarked;
