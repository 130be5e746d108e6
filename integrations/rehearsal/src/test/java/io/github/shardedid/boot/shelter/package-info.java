/** An application that knows no shards: lookup tables, collections without a reference back, eager associations. */
@NullMarked
package io.github.shardedid.boot.shelter;

import org.jspecify.annotations.NullMarked;
