package io.github.shardedid.hibernate;

import org.jspecify.annotations.Nullable;

/**
 * A comparison of a query's parameter with an attribute, as the query's text shows it. Immutable.
 *
 * @param parameter the parameter's name, or its position in digits
 * @param path the attribute, for messages: {@code Photo.id}
 * @param rule how the value determines the shard of the rows; null if the comparison is not an equality, or the attribute does not
 *     determine a shard; also null, although it decides, for a unique value, whose shard is read when the query is executed
 * @param decides whether the statement can be routed by the value, because all of its rows are in that shard: the comparison holds
 *     for every row of the entity, and the other rows of the statement are associated with these
 * @param decidesByList whether the same holds for {@code attribute in :parameter}: each row of the statement is in the shard of one
 *     of the parameter's values
 */
public record ParameterUse(
        String parameter, String path, @Nullable ShardRule rule, boolean decides, boolean decidesByList) {}
