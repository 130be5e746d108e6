/** The names in a SQL text: of schemas, for which placeholders may stand, of functions, and what depends on the search path. */
@NullMarked
package io.github.shardedid.routing.internal.sql.names;

import org.jspecify.annotations.NullMarked;
