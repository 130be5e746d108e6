/**
 * Sources of ids, also without Hibernate: the database, which reserves blocks of ids, and this JVM under the lease of a node, which
 * falls back to the database.
 */
@NullMarked
package io.github.shardedid.generator;

import org.jspecify.annotations.NullMarked;
