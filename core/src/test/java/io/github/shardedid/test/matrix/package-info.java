/**
 * The matrix of operations and situations: each operation of {@code docs/features.md} is performed in each situation, and
 * what came of it is compared with the page, with what the servers were sent, and with what is in all shards afterwards.
 */
@NullMarked
package io.github.shardedid.test.matrix;

import org.jspecify.annotations.NullMarked;
