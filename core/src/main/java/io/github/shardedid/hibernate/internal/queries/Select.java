package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.queries.Relations.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.sqm.tree.SqmJoinType;
import org.hibernate.query.sqm.tree.domain.SqmCorrelation;
import org.hibernate.query.sqm.tree.domain.SqmDerivedRoot;
import org.hibernate.query.sqm.tree.domain.SqmFunctionPath;
import org.hibernate.query.sqm.tree.domain.SqmFunctionRoot;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.domain.SqmPluralPartJoin;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.from.SqmAttributeJoin;
import org.hibernate.query.sqm.tree.from.SqmDerivedJoin;
import org.hibernate.query.sqm.tree.from.SqmFrom;
import org.hibernate.query.sqm.tree.from.SqmFromClause;
import org.hibernate.query.sqm.tree.from.SqmFunctionJoin;
import org.hibernate.query.sqm.tree.from.SqmJoin;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.select.SqmQueryGroup;
import org.hibernate.query.sqm.tree.select.SqmQueryPart;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelectableNode;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * The relations of a select and of what is read as a part of it, and the conditions on their rows. For one thread.
 */
final class Select implements ConditionReader.Found {
    private final StatementReader statement;
    private final Relations relations;
    private final AttributeRules shards;

    private final List<SqmPredicate> conditions = new ArrayList<>();
    private final List<SqmJoin<?, ?>> outerJoins = new ArrayList<>();
    /** The relations of which rows are required, so that an outer join is none for them. */
    private final Set<Relation> required = new HashSet<>();

    Select(StatementReader statement, Relations relations, AttributeRules shards) {
        this.statement = statement;
        this.relations = relations;
        this.shards = shards;
    }

    void declare(SqmQuerySpec<?> spec) {
        SqmFromClause from = spec.getFromClause();
        if (from != null) {
            from.getRoots().forEach(this::declare);
        }
        require(spec.getWhereClause() == null ? null : spec.getWhereClause().getPredicate());
        require(spec.getHavingClausePredicate());
    }

    void require(@Nullable SqmPredicate condition) {
        if (condition != null) {
            conditions.add(condition);
        }
    }

    void declare(SqmRoot<?> root) {
        if (root instanceof SqmDerivedRoot<?> derived) {
            declareSelect(root, derived.getQueryPart(), true);
        } else if (!(root instanceof SqmCorrelation<?, ?>)) {
            add(root);
        }
        List<SqmJoin<?, ?>> ordered = root.getOrderedJoins();
        if (ordered == null) {
            declareJoins(root);
        } else {
            ordered.forEach(this::declare);
        }
    }

    private void declareJoins(SqmFrom<?, ?> from) {
        from.visitSqmJoins(join -> {
            declare(join);
            declareJoins(join);
        });
        from.getSqmTreats().forEach(this::declareJoins);
    }

    private void declare(SqmJoin<?, ?> join) {
        boolean inner =
                switch (join.getSqmJoinType()) {
                    case INNER, CROSS -> true;
                    default -> false;
                };
        boolean ofRow = join instanceof SqmAttributeJoin<?, ?> || join instanceof SqmPluralPartJoin<?, ?>;
        if (join instanceof SqmDerivedJoin<?> derived) {
            declareSelect(join, derived.getQueryPart(), inner);
        } else if (!ofRow && !(join instanceof SqmCorrelation<?, ?>)) {
            add(join);
        }
        if (inner) {
            require(join.getJoinPredicate());
        } else if (!ofRow) {
            outerJoins.add(join);
        }
    }

    private void declareSelect(SqmFrom<?, ?> from, SqmSubQuery<?> subselect, boolean inner) {
        if (inner && Select.isPlain(subselect)) {
            statement.inline(subselect);
            relations.put(from, null);
            declare(subselect.getQuerySpec());
        } else {
            add(from);
            statement.visit(subselect); // conditions around it may name its columns
        }
    }

    private void add(SqmFrom<?, ?> from) {
        if (from instanceof SqmFunctionRoot<?> || from instanceof SqmFunctionJoin<?>) {
            return;
        }
        Relation relation = new Relation(name(from), this);
        if (Relations.selectOf(from) != null) {
            relation.isOfSelect();
        } else if (!(from.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type)
                || !shards.isSharded(type.getJavaType())) {
            return;
        }
        relations.put(from, relation);
        statement.add(relation);
    }

    private static String name(SqmFrom<?, ?> from) {
        return Objects.toString(from.getReferencedPathSource().getPathName(), "")
                + (from.getExplicitAlias() == null ? "" : " " + from.getExplicitAlias());
    }

    /** Outer joins come last: what the conditions require decides what they are. */
    void read() {
        ConditionReader reader = new ConditionReader(relations, shards, this);
        for (int i = 0; i < conditions.size(); i++) {
            reader.read(conditions.get(i)); // may add those of subselects
        }
        outerJoins.forEach(this::read);
    }

    private void read(SqmJoin<?, ?> join) {
        Relation joined = relations.of(join);
        boolean left = join.getSqmJoinType() == SqmJoinType.LEFT;
        if (left && joined != null && join.getJoinPredicate() != null) {
            new ConditionReader(relations, shards, new OfOuterJoin(joined)).read(join.getJoinPredicate());
        }
    }

    @Override
    public void equal(Relation one, Relation other) {
        if (one.isOf(this)) {
            required.add(one);
        }
        if (other.isOf(this)) {
            required.add(other);
        }
        if (one.isOf(this) && other.isOf(this)) {
            one.join(other);
        } else if (one.isOf(this)) {
            one.bind();
        } else if (other.isOf(this)) {
            other.bind();
        }
    }

    @Override
    public void requires(Relation relation, RequiredRows.Condition condition) {
        if (relation.isOf(this)) {
            required.add(relation);
            relation.add(condition);
        }
    }

    @Override
    public boolean hasRow(SqmSubQuery<?> subselect) {
        boolean plain = Select.isPlain(subselect);
        if (plain && statement.inline(subselect)) {
            declare(subselect.getQuerySpec());
        }
        return plain;
    }

    /** The condition of a LEFT JOIN says something of the rows that it joins, not of those that it keeps. */
    private final class OfOuterJoin implements ConditionReader.Found {
        private final Relation joined;

        OfOuterJoin(Relation joined) {
            this.joined = joined;
        }

        @Override
        public void equal(Relation one, Relation other) {
            if (one.equals(joined) || other.equals(joined)) {
                Relation kept = one.equals(joined) ? other : one;
                if (kept.isOf(Select.this) && required.contains(joined)) {
                    joined.join(kept);
                } else {
                    joined.bind();
                }
            }
        }

        @Override
        public void requires(Relation relation, RequiredRows.Condition condition) {
            if (relation.equals(joined) && !required.contains(joined)) {
                joined.add(condition);
            }
        }

        @Override
        public boolean hasRow(SqmSubQuery<?> subselect) {
            return false;
        }
    }

    /** Returns whether a condition on the result of a subselect could as well stand in its WHERE: each of its rows comes of one row of each table. */
    static boolean isPlain(SqmSubQuery<?> subselect) {
        return subselect.getCteStatements().isEmpty()
                && subselect.getQueryPart() instanceof SqmQuerySpec<?> spec
                && spec.getFetchExpression() == null
                && spec.getOffsetExpression() == null
                && spec.getGroupByClauseExpressions().isEmpty()
                && spec.getHavingClausePredicate() == null
                && spec.getOrderByClause() == null
                && spec.getSelectClause().getSelections().stream().allMatch(item -> isPlain(item.getSelectableNode()));
    }

    /** Any call may be one of an aggregate. */
    private static boolean isPlain(SqmSelectableNode<?> item) {
        return (item instanceof SqmPath<?> && !(item instanceof SqmFunctionPath<?>))
                || item instanceof SqmLiteral<?>
                || item instanceof SqmHqlNumericLiteral<?>
                || item instanceof SqmParameter<?>;
    }

    /** The selects of a UNION and the like, or the only one. */
    static List<SqmQuerySpec<?>> specs(SqmQueryPart<?> select) {
        return select instanceof SqmQuerySpec<?> spec
                ? List.of(spec)
                : ((SqmQueryGroup<?>) select)
                        .getQueryParts().stream()
                                .flatMap(part -> specs(part).stream())
                                .toList();
    }
}
