/** An application that finds rows by values that are unique over all shards. */
@NullMarked
package io.github.shardedid.boot.finders;

import org.jspecify.annotations.NullMarked;
