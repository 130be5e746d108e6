/** Reads changes of rows from the messages of PostgreSQL's logical decoding. */
@NullMarked
package io.github.shardedid.move.internal.changes;

import org.jspecify.annotations.NullMarked;
