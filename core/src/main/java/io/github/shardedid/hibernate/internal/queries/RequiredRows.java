package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import java.lang.reflect.Array;
import java.util.ArrayList;
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
 * @param inserts whether the rows are new, so that the values are theirs
 * @param references the rows that a statement makes its rows refer to, of which nothing that is sent says where they are
 */
record RequiredRows(
        List<List<Condition>> groups,
        @Nullable String loose,
        @Nullable String computed,
        boolean inserts,
        List<Condition> references) {
    /**
     * A condition that a row fulfils only if its id, or its shard key, is one of some values. Immutable.
     *
     * @param alternatives of which one applies: several if the condition is a disjunction
     * @param byList whether there may be several values: the elements of an IN or of an array, or those of a disjunction
     * @param optional whether it requires nothing if a value is null, or of a type that the rule does not accept
     */
    record Condition(List<Values> alternatives, boolean byList, boolean optional) {
        static Condition of(
                String attribute,
                ShardRule rule,
                List<? extends SqmExpression<?>> values,
                boolean byList,
                boolean optional) {
            return new Condition(
                    List.of(new Values(attribute, rule, List.copyOf(values), List.of())), byList, optional);
        }

        /** Returns whether the database computes none of the values. */
        boolean isKnown() {
            return alternatives.stream().flatMap(each -> each.values.stream()).noneMatch(Constants::isComputed);
        }

        /** Returns whether the values require nothing. */
        boolean requiresNothing(QueryParameterBindings given) {
            return optional && alternatives.stream().anyMatch(values -> values.requireNothing(given));
        }

        private Condition bind(DomainParameterXref all) {
            return new Condition(
                    alternatives.stream().map(values -> values.bind(all)).toList(), byList, optional);
        }
    }

    /**
     * Values of an attribute.
     *
     * @param attribute for messages
     * @param rule how a value determines the shard
     * @param values constants, and parameters that are not bound; expressions that the database computes, if the condition is not known
     * @param bound parameters as Hibernate knows them when a statement is executed
     */
    record Values(
            String attribute, ShardRule rule, List<SqmExpression<?>> values, List<QueryParameterImplementor<?>> bound) {
        /** Passes on each value that is not null, and each element of an array or a list. */
        void forEach(QueryParameterBindings given, Consumer<Object> action) {
            for (QueryParameterImplementor<?> parameter : bound) {
                forEach(given.getBinding(parameter), action);
            }
            for (SqmExpression<?> constant : values) {
                forEachElement(Constants.value(constant), action);
            }
        }

        static void forEach(QueryParameterBinding<?> bound, Consumer<Object> action) {
            if (bound.isMultiValued()) {
                bound.getBindValues().forEach(value -> forEachElement(value, action));
            } else {
                forEachElement(bound.getBindValue(), action);
            }
        }

        private boolean requireNothing(QueryParameterBindings given) {
            boolean[] found = new boolean[1];
            forEach(given, value -> found[0] |= !rule.accepts(value.getClass()));
            return found[0]
                    || bound.stream()
                            .map(given::getBinding)
                            .anyMatch(binding -> !binding.isMultiValued() && binding.getBindValue() == null);
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

        private Values bind(DomainParameterXref all) {
            List<QueryParameterImplementor<?>> parameters = new ArrayList<>();
            List<SqmExpression<?>> constants = new ArrayList<>();
            for (SqmExpression<?> value : values) {
                if (value instanceof SqmParameter<?> parameter) {
                    parameters.add(RequiredRows.bound(parameter, all));
                } else {
                    constants.add(value);
                }
            }
            return new Values(attribute, rule, List.copyOf(constants), List.copyOf(parameters));
        }
    }

    /** Returns the conditions that decide, with the parameters by which their values are given. */
    RequiredRows bind(DomainParameterXref parameters) {
        return new RequiredRows(
                groups.stream()
                        .map(group -> deciding(group).stream()
                                .map(condition -> condition.bind(parameters))
                                .toList())
                        .toList(),
                loose,
                computed,
                inserts,
                references.stream().map(condition -> condition.bind(parameters)).toList());
    }

    /** An equality decides alone; otherwise each of the conditions is needed. */
    private static List<Condition> deciding(List<Condition> group) {
        return group.stream()
                .filter(condition -> !condition.byList && !condition.optional)
                .findFirst()
                .map(List::of)
                .orElse(group);
    }

    /** Returns the parameter by which a value is given when a statement is executed. */
    static QueryParameterImplementor<?> bound(SqmParameter<?> parameter, DomainParameterXref parameters) {
        SqmParameter<?> ofCriteria = parameter instanceof JpaCriteriaParameter<?>
                ? parameters
                        .getParameterResolutions()
                        .getJpaCriteriaParamResolutions()
                        .get(parameter)
                : null;
        return parameters.getQueryParameter(ofCriteria == null ? parameter : ofCriteria);
    }

    private Stream<Values> values() {
        return groups.stream().flatMap(List::stream).flatMap(condition -> condition.alternatives.stream());
    }

    /** Returns the attributes of the conditions, for messages. */
    String attributes() {
        return values().map(Values::attribute).distinct().collect(Collectors.joining(" and "));
    }

    /** Returns the constants of the statement that are among the values. */
    List<SqmExpression<?>> constants() {
        return values().<SqmExpression<?>>flatMap(values -> values.values.stream())
                .toList();
    }

    /** Returns whether there may be several values, of several shards. */
    boolean areByList() {
        return groups.stream().flatMap(List::stream).allMatch(Condition::byList);
    }

    /** Returns whether the rows of a group may be in several shards. */
    boolean haveSeveralValues(QueryParameterBindings given) {
        int[] values = new int[1];
        for (List<Condition> group : groups) {
            values[0] = 0;
            group.get(0).alternatives.forEach(each -> each.forEach(given, value -> values[0]++));
            if (values[0] > 1) {
                return true;
            }
        }
        return false;
    }
}
