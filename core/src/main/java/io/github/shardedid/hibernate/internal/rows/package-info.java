/** The rows of one key in its shard: what lives with it, and statements that count, read, delete and insert these rows. */
@NullMarked
package io.github.shardedid.hibernate.internal.rows;

import org.jspecify.annotations.NullMarked;
