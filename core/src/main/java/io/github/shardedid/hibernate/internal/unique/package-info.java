/** Values that are unique over all shards: their claims, and the rows that have them. */
@NullMarked
package io.github.shardedid.hibernate.internal.unique;

import org.jspecify.annotations.NullMarked;
