package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.conditions.AttributeRules;
import io.github.shardedid.hibernate.internal.conditions.Constants;
import io.github.shardedid.hibernate.internal.conditions.KeyCondition;
import io.github.shardedid.hibernate.internal.conditions.KeyConditions;
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
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an HQL or criteria statement: those whose ids or shard keys are the values of its parameters, or constants of its text.
 * The values are those of the application, since the columns of an entity or of a composite id do not say where it is. Safe for use by
 * several threads.
 *
 * @param groups the conditions of rows that are joined by keys, of which each row fulfils all: those that decide
 * @param loose as in {@link KeyConditions}
 * @param computed as in {@link KeyConditions}
 * @param inserts as in {@link KeyConditions}
 * @param references as in {@link KeyConditions}
 */
record RequiredRows(
        List<List<Condition>> groups,
        @Nullable String loose,
        @Nullable String computed,
        boolean inserts,
        List<Condition> references) {
    /** A condition that a row fulfils only if it has one of the values. */
    record Condition(List<Values> alternatives, boolean byList, boolean optional) {
        /** Whether the values require nothing. */
        boolean requiresNothing(QueryParameterBindings given) {
            return optional && alternatives.stream().anyMatch(values -> values.requireNothing(given));
        }
    }

    /**
     * Values of an attribute.
     *
     * @param attribute for messages
     * @param rule how a value determines the shard
     * @param parameters as Hibernate knows them when values are bound
     * @param constants the expressions with values that the statement contains
     */
    record Values(
            String attribute,
            ShardRule rule,
            List<QueryParameterImplementor<?>> parameters,
            List<SqmExpression<?>> constants) {
        /** Passes on each value that is not null, and each element of an array or a list. */
        void forEach(QueryParameterBindings given, Consumer<Object> action) {
            for (QueryParameterImplementor<?> parameter : parameters) {
                QueryParameterBinding<?> bound = given.getBinding(parameter);
                if (bound.isMultiValued()) {
                    bound.getBindValues().forEach(value -> ShardsOfValues.forEachElement(value, action));
                } else {
                    ShardsOfValues.forEachElement(bound.getBindValue(), action);
                }
            }
            for (SqmExpression<?> constant : constants) {
                ShardsOfValues.forEachElement(Constants.value(constant), action);
            }
        }

        private boolean requireNothing(QueryParameterBindings given) {
            boolean[] found = new boolean[1];
            forEach(given, value -> found[0] |= !rule.accepts(value.getClass()));
            return found[0]
                    || parameters.stream()
                            .map(given::getBinding)
                            .anyMatch(bound -> !bound.isMultiValued() && bound.getBindValue() == null);
        }

        /** How a value determines the shard, with what a session knows of rows whose ids name none. */
        ShardRule rule(SharedSessionContractImplementor session) {
            return EntityRules.in(session, rule);
        }
    }

    /** Empty if the statement does not require any. */
    static Optional<RequiredRows> of(SqmStatement<?> statement, DomainParameterXref parameters, AttributeRules shards) {
        return KeyConditions.of(statement, shards).map(conditions -> of(conditions, parameters));
    }

    private static RequiredRows of(KeyConditions conditions, DomainParameterXref parameters) {
        return new RequiredRows(
                conditions.groups().stream()
                        .map(group -> KeyConditions.deciding(group).stream()
                                .map(condition -> of(condition, parameters))
                                .toList())
                        .toList(),
                conditions.loose(),
                conditions.computed(),
                conditions.inserts(),
                conditions.references().stream()
                        .map(condition -> of(condition, parameters))
                        .toList());
    }

    private static Condition of(KeyCondition condition, DomainParameterXref parameters) {
        return new Condition(
                condition.alternatives().stream()
                        .map(values -> of(values, parameters))
                        .toList(),
                condition.byList(),
                condition.optional());
    }

    private static Values of(KeyCondition.Values values, DomainParameterXref all) {
        List<QueryParameterImplementor<?>> parameters = new ArrayList<>();
        List<SqmExpression<?>> constants = new ArrayList<>();
        for (SqmExpression<?> value : values.values()) {
            if (value instanceof SqmParameter<?> parameter) {
                parameters.add(all.getQueryParameter(asTranslated(parameter, all)));
            } else {
                constants.add(value);
            }
        }
        return new Values(values.attribute(), values.rule(), List.copyOf(parameters), List.copyOf(constants));
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

    /** The constants of the statement that are among the values. */
    List<SqmExpression<?>> constants() {
        return groups.stream()
                .flatMap(List::stream)
                .flatMap(condition -> condition.alternatives().stream())
                .flatMap(values -> values.constants().stream())
                .toList();
    }

    /** Whether there may be several values, of several shards. */
    boolean areByList() {
        return groups.stream().flatMap(List::stream).allMatch(Condition::byList);
    }

    /** Whether the rows of a group may be in several shards. */
    boolean haveSeveralValues(QueryParameterBindings given) {
        int[] values = new int[1];
        for (List<Condition> group : groups) {
            values[0] = 0;
            group.get(0).alternatives().forEach(each -> each.forEach(given, value -> values[0]++));
            if (values[0] > 1) {
                return true;
            }
        }
        return false;
    }
}
