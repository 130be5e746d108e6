package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardRule;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of an argument of a method with a path, by its query.
 *
 * @param index the parameter of the method, from 0
 * @param path what it is compared with, for messages
 * @param rule determines the shard from the argument; null if it does not determine one
 * @param decides whether all rows of the query are in that shard
 * @param decidesByList whether each row of the query is in the shard of one of the argument's values
 */
record ArgumentUse(int index, String path, @Nullable ShardRule rule, boolean decides, boolean decidesByList) {}
