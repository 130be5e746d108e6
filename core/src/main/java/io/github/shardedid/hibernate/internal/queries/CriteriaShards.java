package io.github.shardedid.hibernate.internal.queries;

import java.util.Optional;
import java.util.Set;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.ValueBindJpaCriteriaParameter;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.jspecify.annotations.Nullable;

/** The shards of the rows of a criteria query, by the values that its condition compares the id or the shard key with. */
record CriteriaShards(AttributeRules shards) {
    /** Empty if the condition does not fix them. */
    Optional<Set<Integer>> of(SqmSelectStatement<?> query) {
        return RequiredValues.of(query, shards, (value, rule) -> isKnown(value)).map(CriteriaShards::shards);
    }

    private static Set<Integer> shards(RequiredValues required) {
        ShardsOfValues found = new ShardsOfValues(required.rule());
        required.values().forEach(expression -> ShardsOfValues.forEachElement(value(expression), found));
        return found.shards();
    }

    private static boolean isKnown(SqmExpression<?> expression) {
        return expression instanceof SqmLiteral<?> || expression instanceof ValueBindJpaCriteriaParameter<?>;
    }

    private static @Nullable Object value(SqmExpression<?> expression) {
        return expression instanceof SqmLiteral<?> literal
                ? literal.getLiteralValue()
                : ((ValueBindJpaCriteriaParameter<?>) expression).getValue();
    }
}
