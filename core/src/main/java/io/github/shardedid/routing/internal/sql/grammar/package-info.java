/**
 * The grammar of queries: reads a text into a tree of selects, from items and expressions.
 *
 * <p>It reads the part of PostgreSQL's grammar that is known to merge over several shards, and refuses
 * everything else with the token at which it stops. A parser of the whole grammar would accept more, but what
 * it accepts would have to be judged nevertheless.
 */
@NullMarked
package io.github.shardedid.routing.internal.sql.grammar;

import org.jspecify.annotations.NullMarked;
