/**
 * The checks of a session factory's mappings as a whole: associations, colocation, references to rows of other databases, and global
 * entities.
 */
@NullMarked
package io.github.shardedid.hibernate.internal.checks;

import org.jspecify.annotations.NullMarked;
