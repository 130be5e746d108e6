/** Writes: the plan of a flush, and coordinators, batches and cascades in the shard that they belong to. */
@NullMarked
package io.github.shardedid.hibernate.internal.writing;

import org.jspecify.annotations.NullMarked;
