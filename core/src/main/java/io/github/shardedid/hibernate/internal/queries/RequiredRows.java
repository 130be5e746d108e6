package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.spi.QueryParameterBinding;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.spi.QueryParameterImplementor;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.expression.JpaCriteriaParameter;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFieldLiteral;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an HQL or criteria statement: those whose ids or shard keys are the values of its parameters, or constants of its text.
 * The values are those of the application, since the columns of an entity or of a composite id do not say where it is. Safe for use by
 * several threads.
 *
 * @param rule how a value determines the shard
 * @param parameters as Hibernate knows them when values are bound
 * @param constants the expressions with values that the statement contains
 */
record RequiredRows(
        ShardRule rule, List<QueryParameterImplementor<?>> parameters, List<? extends SqmExpression<?>> constants) {
    /** Empty if the condition of the statement does not fix them. */
    static Optional<RequiredRows> of(SqmStatement<?> statement, DomainParameterXref parameters, AttributeRules shards) {
        return RequiredValues.of(statement, shards, RequiredRows::isKnown).flatMap(values -> of(values, parameters));
    }

    private static boolean isKnown(SqmExpression<?> value, ShardRule rule) {
        return value instanceof SqmParameter<?> || isConstant(value, rule);
    }

    /** Whether an expression is a constant of a type that the rule knows. Null is: it equals nothing. */
    private static boolean isConstant(SqmExpression<?> value, ShardRule rule) {
        Object constant = constant(value);
        return constant == null ? value instanceof SqmLiteralNull<?> : rule.accepts(constant.getClass());
    }

    private static @Nullable Object constant(SqmExpression<?> value) {
        if (value instanceof SqmHqlNumericLiteral<?> number) {
            return wholeNumber(number.getUnparsedLiteralValue());
        }
        return value instanceof SqmLiteral<?> literal
                ? literal.getLiteralValue()
                : value instanceof SqmFieldLiteral<?> field ? field.getValue() : null;
    }

    /** Hibernate parses a number without a suffix as an {@code Integer}, which ids do not fit into. Null for other numbers. */
    static @Nullable Long wholeNumber(String literal) {
        try {
            return Long.valueOf(literal);
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }

    private static Optional<RequiredRows> of(RequiredValues values, DomainParameterXref all) {
        List<QueryParameterImplementor<?>> parameters = new ArrayList<>();
        List<SqmExpression<?>> constants = new ArrayList<>();
        for (SqmExpression<?> value : values.values()) {
            if (value instanceof SqmParameter<?> parameter) {
                QueryParameterImplementor<?> found = all.getQueryParameter(asTranslated(parameter, all));
                if (found == null) {
                    return Optional.empty();
                }
                parameters.add(found);
            } else {
                constants.add(value);
            }
        }
        return Optional.of(new RequiredRows(values.rule(), List.copyOf(parameters), List.copyOf(constants)));
    }

    private static SqmParameter<?> asTranslated(SqmParameter<?> parameter, DomainParameterXref parameters) {
        SqmParameter<?> ofCriteria = parameter instanceof JpaCriteriaParameter<?>
                ? parameters
                        .getParameterResolutions()
                        .getJpaCriteriaParamResolutions()
                        .get(parameter)
                : null;
        return ofCriteria == null ? parameter : ofCriteria;
    }

    /** How a value determines the shard, with what a session knows of rows whose ids name none. */
    ShardRule rule(SharedSessionContractImplementor session) {
        return EntityShardRules.in(session, rule);
    }

    /** Whether constants of the statement are among the values; null equals nothing. */
    boolean hasConstants() {
        return constants.stream().anyMatch(each -> constant(each) != null);
    }

    /** Passes on each value that is not null, and each element of an array or a list. */
    void forEachValue(QueryParameterBindings given, Consumer<Object> action) {
        for (QueryParameterImplementor<?> parameter : parameters) {
            QueryParameterBinding<?> bound = given.getBinding(parameter);
            if (bound.isMultiValued()) {
                bound.getBindValues().forEach(value -> ShardsOfValues.forEachElement(value, action));
            } else {
                ShardsOfValues.forEachElement(bound.getBindValue(), action);
            }
        }
        for (SqmExpression<?> constant : constants) {
            ShardsOfValues.forEachElement(constant(constant), action);
        }
    }
}
