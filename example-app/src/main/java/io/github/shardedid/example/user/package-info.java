/** Users. The hash of a user's name chooses the shard, so a name that is unique in its shard is unique in the cluster. */
@NullMarked
package io.github.shardedid.example.user;

import org.jspecify.annotations.NullMarked;
