package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.queries.Relations.KeyPath;
import io.github.shardedid.hibernate.internal.queries.Relations.Relation;
import jakarta.persistence.criteria.Predicate.BooleanOperator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.expression.SqmAny;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFunction;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.expression.SqmTuple;
import org.hibernate.query.sqm.tree.predicate.SqmBooleanExpressionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmExistsPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmGroupedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInSubQueryPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmJunctionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmMemberOfPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmNegatablePredicate;
import org.hibernate.query.sqm.tree.predicate.SqmNegatedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.jspecify.annotations.Nullable;

/** Reads what a condition requires of keys: that they equal values, or each other. */
record ConditionReader(Relations relations, AttributeRules shards, Found found) {
    /** Receives what holds for each row that fulfils the condition. */
    interface Found {
        void equal(Relation one, Relation other);

        void requires(Relation relation, RequiredRows.Condition condition);

        /** A subselect that has a row; each of its conditions holds for it. Returns whether it is of a form that is read so. */
        boolean hasRow(SqmSubQuery<?> select);
    }

    void read(SqmPredicate predicate) {
        read(predicate, false);
    }

    private void read(SqmPredicate predicate, boolean not) {
        if (predicate instanceof SqmNegatedPredicate negated) {
            read(negated.getWrappedPredicate(), !not);
            return;
        }
        boolean negated = not ^ (predicate instanceof SqmNegatablePredicate negatable && negatable.isNegated());
        if (predicate instanceof SqmGroupedPredicate grouped) {
            read(grouped.getSubPredicate(), negated);
        } else if (predicate instanceof SqmJunctionPredicate junction) {
            boolean all = (junction.getOperator() == BooleanOperator.AND) ^ negated;
            if (all) {
                junction.getPredicates().forEach(part -> read(part, negated));
            } else {
                any(junction.getPredicates(), negated);
            }
        } else if (predicate instanceof SqmComparisonPredicate comparison) {
            comparison(comparison, negated ? comparison.getSqmOperator().negated() : comparison.getSqmOperator());
        } else if (!negated) {
            readPositive(predicate);
        }
    }

    private void comparison(SqmComparisonPredicate predicate, ComparisonOperator operator) {
        SqmExpression<?> left = predicate.getLeftHandExpression();
        SqmExpression<?> right = predicate.getRightHandExpression();
        if (operator == ComparisonOperator.EQUAL) {
            equality(left, right);
        } else if (operator == ComparisonOperator.NOT_DISTINCT_FROM) {
            KeyPath key = relations.key(left);
            SqmExpression<?> value = key == null ? left : right;
            key = key == null ? relations.key(right) : key;
            value = Constants.uncast(value);
            if (key != null && (value instanceof SqmParameter<?> || Constants.isComputed(value))) {
                found.requires(
                        key.relation(),
                        RequiredRows.Condition.of(key.attribute(), key.rule(), List.of(value), false, true));
            }
        }
    }

    private void readPositive(SqmPredicate predicate) {
        if (predicate instanceof SqmInListPredicate<?> in) {
            list(in.getTestExpression(), in.getListExpressions());
        } else if (predicate instanceof SqmInSubQueryPredicate<?> in) {
            oneOf(in.getTestExpression(), in.getSubQueryExpression());
        } else if (predicate instanceof SqmExistsPredicate exists) {
            if (exists.getExpression() instanceof SqmSubQuery<?> select) {
                found.hasRow(select);
            }
        } else if (predicate instanceof SqmMemberOfPredicate member) {
            equality(member.getLeftHandExpression(), member.getPluralPath());
        } else if (predicate instanceof SqmBooleanExpressionPredicate expression) {
            if (expression.getBooleanExpression() instanceof SqmPredicate condition) {
                read(condition, false);
            } else if (expression.getBooleanExpression() instanceof SqmFunction<?> function) {
                array(function);
            }
        }
    }

    /** A row is required to have one of the values of all alternatives if each of them requires one. */
    private void any(List<SqmPredicate> alternatives, boolean negated) {
        Map<Relation, List<RequiredRows.Condition>> all = new LinkedHashMap<>();
        for (SqmPredicate alternative : alternatives) {
            Map<Relation, RequiredRows.Condition> required = new LinkedHashMap<>();
            Found first = new Found() {
                @Override
                public void equal(Relation one, Relation other) {}

                @Override
                public void requires(Relation relation, RequiredRows.Condition condition) {
                    required.merge(
                            relation,
                            condition,
                            (one, other) -> one.isKnown() && (!one.byList() || !other.isKnown()) ? one : other);
                }

                @Override
                public boolean hasRow(SqmSubQuery<?> select) {
                    return false;
                }
            };
            new ConditionReader(relations, shards, first).read(alternative, negated);
            required.forEach((relation, condition) ->
                    all.computeIfAbsent(relation, each -> new ArrayList<>()).add(condition));
        }
        all.forEach((relation, conditions) -> {
            if (conditions.size() == alternatives.size()) {
                found.requires(
                        relation,
                        new RequiredRows.Condition(
                                conditions.stream()
                                        .flatMap(each -> each.alternatives().stream())
                                        .toList(),
                                true,
                                conditions.stream().anyMatch(RequiredRows.Condition::optional)));
            }
        });
    }

    private void equality(SqmExpression<?> one, SqmExpression<?> other) {
        if (one instanceof SqmTuple<?> left && other instanceof SqmTuple<?> right) {
            List<? extends SqmExpression<?>> values = right.getGroupedExpressions();
            for (int i = 0; i < left.getGroupedExpressions().size() && i < values.size(); i++) {
                equality(left.getGroupedExpressions().get(i), values.get(i));
            }
            return;
        }
        SqmExpression<?> selected = other instanceof SqmAny<?> any ? any.getSubquery() : other;
        KeyPath left = relations.key(one);
        KeyPath right = relations.key(other);
        if (selected instanceof SqmSubQuery<?> select) {
            oneOf(one, select);
        } else if (one instanceof SqmSubQuery<?> select) {
            oneOf(other, select);
        } else if (left != null && right != null) {
            if (shards.areAlike(left.rule(), right.rule())) {
                found.equal(left.relation(), right.relation());
            }
        } else if (left != null) {
            require(left, List.of(other), false);
        } else if (right != null) {
            require(right, List.of(one), false);
        }
    }

    private void require(@Nullable KeyPath key, List<? extends SqmExpression<?>> compared, boolean byList) {
        List<? extends SqmExpression<?>> values =
                compared.stream().map(Constants::uncast).toList();
        AttributeRules.Part part = key != null && values.get(0) instanceof SqmTuple<?> tuple
                ? shards.partOf(key.rule(), tuple.getGroupedExpressions().size())
                : null;
        if (key != null && part != null && !parts(values, part.position()).isEmpty()) {
            require(
                    new KeyPath(key.relation(), key.attribute(), part.rule(), false),
                    parts(values, part.position()),
                    byList);
        } else if (key != null
                && values.stream()
                        .allMatch(value -> Constants.isKnown(value, key.rule()) || Constants.isComputed(value))) {
            found.requires(
                    key.relation(),
                    RequiredRows.Condition.of(key.attribute(), key.rule(), values, byList, key.ofAny()));
        }
    }

    private void list(SqmExpression<?> attribute, List<? extends SqmExpression<?>> values) {
        if (attribute instanceof SqmTuple<?> tuple) {
            tuples(tuple, values);
            return;
        }
        KeyPath key = relations.key(attribute);
        if (key == null && values.size() == 1) {
            equality(attribute, values.get(0)); // as in :id in (p.id)
        } else {
            require(key, values, true);
        }
    }

    /** The values of the parts of a tuple, such as {@code (l.photo.id, l.user.id) in ((:photo, :user), …)}. */
    private void tuples(SqmTuple<?> attributes, List<? extends SqmExpression<?>> tuples) {
        List<? extends SqmExpression<?>> parts = attributes.getGroupedExpressions();
        for (int i = 0; i < parts.size(); i++) {
            List<SqmExpression<?>> values = parts(tuples, i);
            if (!values.isEmpty()) {
                list(parts.get(i), values);
            }
        }
    }

    /** The values at a position of tuples; none if some are no tuples. */
    private static List<SqmExpression<?>> parts(List<? extends SqmExpression<?>> tuples, int position) {
        List<SqmExpression<?>> values = new ArrayList<>();
        for (SqmExpression<?> each : tuples) {
            if (!(each instanceof SqmTuple<?> tuple)
                    || tuple.getGroupedExpressions().size() <= position) {
                return List.of();
            }
            values.add(tuple.getGroupedExpressions().get(position));
        }
        return values;
    }

    /** The condition {@code array_contains(:array, element)}, in HQL also written {@code :array contains element}. */
    private void array(SqmFunction<?> function) {
        if (function.getFunctionName().equals("array_contains")
                && function.getArguments().get(0) instanceof SqmExpression<?> array
                && function.getArguments().get(1) instanceof SqmExpression<?> element) {
            require(relations.key(element), List.of(array), true);
        }
    }

    private void oneOf(SqmExpression<?> value, SqmSubQuery<?> select) {
        if (!found.hasRow(select)) {
            return;
        }
        List<SqmExpression<?>> items = Relations.items(select.getQuerySpec());
        List<? extends SqmExpression<?>> values =
                value instanceof SqmTuple<?> tuple ? tuple.getGroupedExpressions() : List.of(value);
        for (int i = 0; i < items.size() && i < values.size(); i++) {
            equality(values.get(i), items.get(i));
        }
    }
}
