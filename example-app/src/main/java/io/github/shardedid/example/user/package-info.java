/** Users. The hash of a user's name chooses the shard, and the name is claimed, so that no two users' names differ in case only. */
@NullMarked
package io.github.shardedid.example.user;

import org.jspecify.annotations.NullMarked;
