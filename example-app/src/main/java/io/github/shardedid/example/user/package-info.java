/** Users. The hash of a user's name chooses the shard, so that a name that is unique in its shard is unique everywhere. */
@NullMarked
package io.github.shardedid.example.user;

import org.jspecify.annotations.NullMarked;
