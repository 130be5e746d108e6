package io.github.shardedid.hibernate;

import org.jspecify.annotations.Nullable;

/**
 * A comparison of a query's parameter with an attribute, as far as the query's text shows it.
 *
 * @param parameter the parameter's name, or its position in digits
 * @param path what it is compared with, for messages: {@code Photo.id}
 * @param rule how the value tells the shard of the rows; null if the comparison is no equality, or is one with an attribute that
 *     tells none
 * @param decides whether all rows of the statement are in the shard that the rule tells, so that the statement can be routed by the
 *     value: the comparison holds for every row, and all other rows of the statement are associated with these
 */
public record ParameterUse(String parameter, String path, @Nullable ShardRule rule, boolean decides) {}
