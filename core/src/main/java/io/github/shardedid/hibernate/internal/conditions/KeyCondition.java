package io.github.shardedid.hibernate.internal.conditions;

import io.github.shardedid.hibernate.ShardRule;
import java.util.List;
import org.hibernate.query.sqm.tree.expression.SqmExpression;

/**
 * A condition that a row fulfils only if its id, or its shard key, is one of some values. Immutable.
 *
 * @param alternatives of which one applies: several if the condition is a disjunction
 * @param byList whether there may be several values: the elements of an IN or of an array, or those of a disjunction
 * @param optional whether it requires nothing if a value is null, or of a type that the rule does not accept
 */
public record KeyCondition(List<Values> alternatives, boolean byList, boolean optional) {
    /**
     * Values of one attribute.
     *
     * @param attribute the attribute, for messages
     * @param rule how a value determines the shard
     * @param values parameters and constants; expressions that the database computes, if the condition is not known
     */
    public record Values(String attribute, ShardRule rule, List<? extends SqmExpression<?>> values) {}

    /** Whether the values are, when the statement is executed: the database computes none of them. */
    boolean isKnown() {
        return alternatives.stream().flatMap(each -> each.values().stream()).noneMatch(Constants::isComputed);
    }

    static KeyCondition of(
            String attribute,
            ShardRule rule,
            List<? extends SqmExpression<?>> values,
            boolean byList,
            boolean optional) {
        return new KeyCondition(List.of(new Values(attribute, rule, List.copyOf(values))), byList, optional);
    }
}
