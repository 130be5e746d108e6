/** Reads and compares the structures of schemas: the same comparison for moves, backups and the report of drift. */
@NullMarked
package io.github.shardedid.operations.internal.structure;

import org.jspecify.annotations.NullMarked;
