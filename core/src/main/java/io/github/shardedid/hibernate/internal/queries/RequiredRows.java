package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.queries.UniqueValues.ByClaim;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.query.spi.QueryParameterBinding;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.spi.QueryParameterImplementor;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.tree.expression.JpaCriteriaParameter;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an HQL or criteria statement: those whose ids or shard keys are the values of its parameters, or constants of its text. A
 * statement is read once, by {@link StatementReader}; Hibernate keeps the result with the translated statement. The values are those of the
 * application, since the columns of an entity or of a composite id do not say where it is.
 *
 * <p>Rows are grouped: those of a group are of one shard, since they are joined by keys. Immutable.
 *
 * @param groups the conditions of each group, of which each row fulfils all
 * @param loose rows of the statement for which there is no condition, for messages; null if the conditions fix all of its rows
 * @param computed the key of such rows that is compared with a value which the database computes, for messages; null if there is none
 * @param compared all comparisons of keys with values, also those that not each row fulfils
 */
record RequiredRows(
        List<List<Condition>> groups, @Nullable String loose, @Nullable String computed, List<Condition> compared) {
    /**
     * A condition that a row fulfils only if its id, or its shard key, is one of some values. Immutable.
     *
     * @param attribute for messages
     * @param rule how a value determines the shard
     * @param values constants and parameters, which are those of the text until {@link RequiredRows#bind}
     * @param byList whether there may be several values: the elements of an IN or of an array
     */
    record Condition(String attribute, ShardRule rule, List<?> values, boolean byList) {
        /** Passes on each value that is not null, and each element of an array or a list. */
        void forEach(QueryParameterBindings given, Consumer<Object> action) {
            for (Object value : values) {
                if (value instanceof QueryParameterImplementor<?> parameter) {
                    RequiredRows.forEach(given.getBinding(parameter), action);
                } else if (value instanceof SqmExpression<?> constant) {
                    forEachElement(Constants.value(constant), action);
                }
            }
        }

        /** Returns the values one by one, as many as there are parameters and constants; a missing one is null. */
        @Nullable
        Object[] each(QueryParameterBindings given) {
            return values.stream()
                    .<@Nullable Object>map(value -> value instanceof QueryParameterImplementor<?> parameter
                            ? given.getBinding(parameter).getBindValue()
                            : Constants.value((SqmExpression<?>) value))
                    .toArray();
        }

        private Condition bind(DomainParameterXref all) {
            List<?> known = values.stream()
                    .map(value -> value instanceof SqmParameter<?> parameter ? bound(parameter, all) : value)
                    .toList();
            return new Condition(attribute, rule, known, byList);
        }
    }

    /** Passes on the values of a parameter: a list has several, of which each may be an array. */
    static void forEach(QueryParameterBinding<?> bound, Consumer<Object> action) {
        if (bound.isMultiValued()) {
            bound.getBindValues().forEach(value -> forEachElement(value, action));
        } else {
            forEachElement(bound.getBindValue(), action);
        }
    }

    /** Passes on the elements of an array or a collection that are not null, or the value itself. */
    static void forEachElement(@Nullable Object value, Consumer<Object> action) {
        if (value instanceof Collection<?> elements) {
            elements.forEach(element -> forEachElement(element, action));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                forEachElement(Array.get(value, i), action);
            }
        } else if (value != null) {
            action.accept(value);
        }
    }

    /** Returns the conditions that decide, with the parameters by which their values are given. */
    RequiredRows bind(DomainParameterXref parameters) {
        return new RequiredRows(
                groups.stream().map(group -> bind(deciding(group), parameters)).toList(),
                loose,
                computed,
                bind(compared, parameters));
    }

    private static List<Condition> bind(List<Condition> conditions, DomainParameterXref parameters) {
        return conditions.stream().map(condition -> condition.bind(parameters)).toList();
    }

    /**
     * An equality decides alone; otherwise each of the conditions is needed. If the rows are those with one id,
     * a further list can only remove some.
     */
    private static List<Condition> deciding(List<Condition> group) {
        return group.stream()
                .filter(condition -> !condition.byList)
                .findFirst()
                .map(List::of)
                .orElse(group);
    }

    /**
     * Returns the parameter by which a value is given when a statement is executed.
     *
     * <p>A criteria query has parameters of its own, which Hibernate replaces when it creates the model that it
     * translates.
     */
    static QueryParameterImplementor<?> bound(SqmParameter<?> parameter, DomainParameterXref parameters) {
        SqmParameter<?> ofCriteria = parameter instanceof JpaCriteriaParameter<?>
                ? parameters
                        .getParameterResolutions()
                        .getJpaCriteriaParamResolutions()
                        .get(parameter)
                : null;
        return parameters.getQueryParameter(ofCriteria == null ? parameter : ofCriteria);
    }

    /** Returns the attributes of the conditions, for messages. */
    String attributes() {
        return groups.stream()
                .flatMap(List::stream)
                .map(Condition::attribute)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /** Returns whether there may be several values, of several shards. */
    boolean areByList() {
        return groups.stream().flatMap(List::stream).allMatch(Condition::byList);
    }

    /** Returns whether nothing but claims says where the rows are. */
    boolean areByClaim() {
        return !groups.isEmpty()
                && groups.stream().flatMap(List::stream).allMatch(each -> each.rule() instanceof ByClaim);
    }

    /** Returns the keys whose claims say where rows are. */
    Stream<UniqueKey> claimed() {
        return groups.stream()
                .flatMap(List::stream)
                .flatMap(each -> each.rule() instanceof ByClaim unique ? Stream.of(unique.key()) : Stream.empty());
    }

    /**
     * Returns whether the rows of a group may be in several shards, where values have no shards: several values are taken for several
     * shards.
     */
    boolean haveSeveralValues(QueryParameterBindings given) {
        return groups.stream().anyMatch(group -> {
            int[] values = new int[1];
            group.get(0).forEach(given, value -> values[0]++);
            return values[0] > 1 && !(group.get(0).rule() instanceof ByClaim); // of one row, however many
        });
    }
}
