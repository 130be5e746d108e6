/** Entities whose id is an association to a sharded entity. */
@NullMarked
package io.github.shardedid.hibernate.derived;

import org.jspecify.annotations.NullMarked;
