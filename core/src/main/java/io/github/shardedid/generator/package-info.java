/**
 * Makers of ids outside Hibernate: a database that is asked for blocks of ids ahead of the rows that will bear them, and
 * this JVM under the lease of a node, with that database to fall back on.
 */
@NullMarked
package io.github.shardedid.generator;

import org.jspecify.annotations.NullMarked;
