package io.github.shardedid.hibernate.internal.conditions;

import io.github.shardedid.hibernate.ShardRule;

/**
 * An attribute in a statement that determines the shard of the rows it belongs to.
 *
 * @param relation the rows
 * @param attribute the attribute, for messages
 * @param rule how a value determines the shard
 */
record Key(Relation relation, String attribute, ShardRule rule) {}
