package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.queries.StatementReader.ComparedPath;
import io.github.shardedid.hibernate.internal.queries.UniqueValues.ByClaim;
import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.RoutingDataSource;
import jakarta.persistence.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.HibernateException;
import org.hibernate.query.sql.internal.ParameterParser;
import org.hibernate.query.sql.internal.ParameterRecognizerImpl;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;

/**
 * Reads the comparisons of a query's parameters from Hibernate's model of the query.
 *
 * <p>The result serves repositories: a method's parameter with an annotation is checked against it, and one without
 * is routed by it. Conditions that decide come first, as only the first use of a parameter with a path counts. Uses
 * without a rule are collected, too, for messages.
 */
final class QueryParameters extends QueryWalker {
    private final AttributeRules shards;
    private final List<ParameterUse> uses = new ArrayList<>();

    private QueryParameters(AttributeRules shards) {
        this.shards = shards;
    }

    static List<ParameterUse> of(SqmStatement<?> statement, AttributeRules shards) {
        QueryParameters reader = new QueryParameters(shards);
        StatementReader.read(statement, shards)
                .filter(conditions -> conditions.loose() == null)
                .ifPresent(conditions ->
                        conditions.groups().stream().flatMap(List::stream).forEach(reader::addDeciding));
        statement.accept(reader);
        return List.copyOf(reader.uses);
    }

    /**
     * Adds a condition by which the rows are fixed. One with several values, such as {@code id in (:a, :b)}, has
     * no parameter that decides alone; unique values decide together, and none of them tells a shard without a query.
     */
    private void addDeciding(RequiredRows.Condition condition) {
        ShardRule rule = condition.rule() instanceof ByClaim ? null : condition.rule();
        condition.values().stream()
                .filter(value -> value instanceof SqmParameter<?>
                        && (rule == null || condition.values().size() == 1))
                .map(value -> new ParameterUse(
                        name((SqmParameter<?>) value),
                        condition.attribute(),
                        rule,
                        !condition.byList(),
                        condition.byList()))
                .forEach(uses::add);
    }

    @Override
    public Object visitComparisonPredicate(SqmComparisonPredicate predicate) {
        boolean equal = predicate.getSqmOperator() == ComparisonOperator.EQUAL && !predicate.isNegated();
        add(predicate.getLeftHandExpression(), predicate.getRightHandExpression(), equal);
        add(predicate.getRightHandExpression(), predicate.getLeftHandExpression(), equal);
        return super.visitComparisonPredicate(predicate);
    }

    @Override
    public Object visitInListPredicate(SqmInListPredicate<?> predicate) {
        boolean equal = predicate.getListExpressions().size() == 1 && !predicate.isNegated();
        predicate.getListExpressions().forEach(value -> add(predicate.getTestExpression(), value, equal));
        return super.visitInListPredicate(predicate);
    }

    private void add(SqmExpression<?> attribute, SqmExpression<?> value, boolean equal) {
        if (attribute instanceof SqmPath<?> path && value instanceof SqmParameter<?> parameter) {
            ComparedPath compared = ComparedPath.of(path, shards);
            String name = name(parameter);
            boolean known = uses.stream()
                    .anyMatch(use -> use.parameter().equals(name) && use.path().equals(compared.text()));
            if (!known) {
                uses.add(new ParameterUse(name, compared.text(), equal ? compared.rule() : null, false, false));
            }
        }
    }

    static String name(Parameter<?> parameter) {
        return parameter.getName() == null ? String.valueOf(parameter.getPosition()) : parameter.getName();
    }

    /**
     * Finds the parameter of native SQL that is an id of which each row has one.
     *
     * <p>The statement is analysed as the connection will see it: a parameter that is required there names the shard of
     * all rows. Columns of shard keys are not looked for, since a parameter with {@code @ShardKey} is taken as annotated; if it
     * is an id of another shard, the statement is refused when it is executed.
     */
    static List<ParameterUse> ofNative(String sql, RoutingDataSource source, ShardRule byId) {
        ParameterRecognizerImpl text = new ParameterRecognizerImpl();
        try {
            ParameterParser.parse(sql.replace("{h-schema}", RoutingDataSource.SCHEMA_PLACEHOLDER + "."), text, false);
        } catch (HibernateException | UnsupportedOperationException unreadable) {
            return List.of(); // Hibernate refuses the query, too, when it is created.
        }
        if (text.getParameterList() == null) {
            return List.of(); // there is no parameter
        }
        ComparedIds ids = source.comparedIds(text.getAdjustedSqlString());
        return ids.required()
                .filter(required -> required.numbers().isEmpty() && !required.isComputed())
                .filter(required -> ids.count() == text.getParameterList().size())
                .map(required -> required.parameters().stream()
                        .map(number ->
                                name(text.getParameterList().get(number - 1).parameter()))
                        .map(name -> new ParameterUse(name, "an id", byId, !required.isList(), required.isList()))
                        .toList())
                // With several ids, the method's parameters would each name a shard, and only the statement
                // knows how they combine. It is routed when it is executed.
                .filter(uses -> uses.size() == 1)
                .orElse(List.of());
    }
}
