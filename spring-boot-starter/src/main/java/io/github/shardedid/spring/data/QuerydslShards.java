package io.github.shardedid.spring.data;

import com.querydsl.core.types.Constant;
import com.querydsl.core.types.Expression;
import com.querydsl.core.types.ExpressionUtils;
import com.querydsl.core.types.Operation;
import com.querydsl.core.types.Ops;
import com.querydsl.core.types.Path;
import com.querydsl.core.types.PathType;
import com.querydsl.core.types.Predicate;
import com.querydsl.core.types.SubQueryExpression;
import com.querydsl.core.types.TemplateExpression;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardRule;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The shards of the rows that fulfil a condition of Querydsl. Not to be loaded without Querydsl. */
record QuerydslShards(Class<?> entity, EntityShards shards) {
    /** Empty if the condition does not determine them. */
    Optional<Set<Integer>> of(Object condition) {
        Expression<?> extracted = condition instanceof Predicate predicate ? ExpressionUtils.extract(predicate) : null;
        return extracted == null || hasSubquery(extracted) ? Optional.empty() : ofPart(extracted);
    }

    private static boolean hasSubquery(@Nullable Object part) {
        if (part instanceof Operation<?> operation) {
            return operation.getArgs().stream().anyMatch(QuerydslShards::hasSubquery);
        } else if (part instanceof TemplateExpression<?> template) {
            return template.getArgs().stream().anyMatch(QuerydslShards::hasSubquery);
        }
        return part instanceof SubQueryExpression<?>;
    }

    private Optional<Set<Integer>> ofPart(Expression<?> part) {
        if (!(part instanceof Operation<?> operation) || operation.getArgs().size() != 2) {
            return Optional.empty();
        }
        Expression<?> left = operation.getArg(0);
        Expression<?> right = operation.getArg(1);
        if (operation.getOperator() == Ops.AND) {
            return ofPart(left).or(() -> ofPart(right));
        } else if (operation.getOperator() == Ops.EQ) {
            return ofValue(left, right).or(() -> ofValue(right, left));
        }
        return operation.getOperator() == Ops.IN ? ofValue(left, right) : Optional.empty();
    }

    private Optional<Set<Integer>> ofValue(Expression<?> attribute, Expression<?> value) {
        ShardRule rule = attribute instanceof Path<?> path ? rule(path) : null;
        if (rule == null || !(value instanceof Constant<?> constant)) {
            return Optional.empty();
        }
        Collection<?> values =
                constant.getConstant() instanceof Collection<?> list ? list : List.of(constant.getConstant());
        Set<Integer> found = new TreeSet<>();
        for (Object each : values) {
            if (MethodRoute.byValue(rule, each, false) instanceof CallTarget.ToShard to) {
                found.add(to.shard());
            }
        }
        return Optional.of(found);
    }

    private @Nullable ShardRule rule(Path<?> path) {
        StringBuilder attributes = new StringBuilder();
        Path<?> at = path;
        while (at != null && at.getMetadata().getPathType() == PathType.PROPERTY) {
            attributes.insert(0, at.getMetadata().getName() + (attributes.isEmpty() ? "" : "."));
            at = at.getMetadata().getParent();
        }
        boolean ofEntity = at != null && at.getMetadata().isRoot() && at.getType() == entity;
        return ofEntity ? shards.byPath(entity, attributes.toString()).orElse(null) : null;
    }
}
