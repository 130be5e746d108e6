/** The grammar of queries: reads a text into a tree of selects, from items and expressions. */
@NullMarked
package io.github.shardedid.routing.internal.sql.grammar;

import org.jspecify.annotations.NullMarked;
