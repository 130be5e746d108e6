package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardRule;
import org.jspecify.annotations.Nullable;

/**
 * What a query compares an argument of its method with.
 *
 * @param index the parameter of the method, from 0
 * @param path what it is compared with, for messages
 * @param rule how the argument tells the shard by that; null if it does not
 * @param decides whether the rows of the query are in no other shard
 */
record ArgumentUse(int index, String path, @Nullable ShardRule rule, boolean decides) {}
