/** The ids that a statement writes, and the columns for which it writes them. No database is asked. */
@NullMarked
package io.github.shardedid.routing.internal.sql.ids;

import org.jspecify.annotations.NullMarked;
