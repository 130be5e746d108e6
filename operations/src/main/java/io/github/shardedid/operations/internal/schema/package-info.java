/**
 * What is in a database: schema {@code sharded_id} with its functions and rows, and the schemas of the shards. Not
 * for use by applications.
 */
@NullMarked
package io.github.shardedid.operations.internal.schema;

import org.jspecify.annotations.NullMarked;
