package io.github.shardedid.hibernate.internal.conditions;

import io.github.shardedid.hibernate.ShardRule;
import java.util.List;
import org.hibernate.query.sqm.tree.expression.SqmExpression;

/**
 * An attribute in a statement that determines the shard of the rows it belongs to.
 *
 * @param relation the rows
 * @param attribute the attribute, for messages
 * @param rule how a value determines the shard
 * @param ofAny as in {@link ComparedPath}
 */
record Key(Relation relation, String attribute, ShardRule rule, boolean ofAny) {
    KeyCondition equal(List<? extends SqmExpression<?>> values, boolean byList) {
        return KeyCondition.of(attribute, rule, values, byList, ofAny);
    }
}
