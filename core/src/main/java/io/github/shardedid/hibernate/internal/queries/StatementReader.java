package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.queries.RequiredRows.Condition;
import jakarta.persistence.criteria.Predicate.BooleanOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.criteria.JpaDerivedFrom;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.SqmDeleteOrUpdateStatement;
import org.hibernate.query.sqm.tree.SqmJoinType;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.cte.SqmCteStatement;
import org.hibernate.query.sqm.tree.delete.SqmDeleteStatement;
import org.hibernate.query.sqm.tree.domain.SqmCorrelation;
import org.hibernate.query.sqm.tree.domain.SqmCteRoot;
import org.hibernate.query.sqm.tree.domain.SqmFunctionPath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.domain.SqmPathWrapper;
import org.hibernate.query.sqm.tree.domain.SqmPluralPartJoin;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFunction;
import org.hibernate.query.sqm.tree.expression.SqmTuple;
import org.hibernate.query.sqm.tree.from.SqmAttributeJoin;
import org.hibernate.query.sqm.tree.from.SqmCteJoin;
import org.hibernate.query.sqm.tree.from.SqmFrom;
import org.hibernate.query.sqm.tree.from.SqmJoin;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.predicate.SqmBooleanExpressionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmGroupedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInSubQueryPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmJunctionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmMemberOfPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmNegatablePredicate;
import org.hibernate.query.sqm.tree.predicate.SqmNegatedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmWhereClause;
import org.hibernate.query.sqm.tree.select.SqmQueryPart;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.query.sqm.tree.select.SqmSelection;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.hibernate.query.sqm.tree.update.SqmUpdateStatement;
import org.jspecify.annotations.Nullable;

/**
 * Reads the conditions of a statement, select by select:
 *
 * <ol>
 *   <li>Each entity or audit table in a FROM is a relation, with what it is joined to by associations.
 *   <li>A condition that each row of a select fulfils, of the WHERE, the HAVING or an inner join, is one of its relation. If it equates two
 *       keys, it makes one group of two relations.
 *   <li>A relation that is equated with one of a select around it, or joined to one by an outer join, is bound to that: only those of its
 *       rows matter that are in the same shard. So is one whose key a subselect returns, to be compared with a key.
 *   <li>Any other equality of a key with values, as in an alternative, decides nothing. Yet a statement that goes to the open scope is
 *       refused there if it asks for ids of other shards.
 * </ol>
 *
 * <p>A subselect in the FROM and a WITH have relations of their own, so their results are no relations. For one thread.
 *
 * <p>What is read has to hold for each row of the result: a condition that is taken for a required one and is none
 * would send the statement to a shard that does not have all rows, and nobody would notice. What is not understood
 * is therefore left out, and makes the statement need a scope.
 */
final class StatementReader extends QueryWalker {
    private final AttributeRules shards;
    /** Whether unique values count: a statement that changes rows is not routed by them. */
    private final boolean byUnique;
    /**
     * The relations by their FROM or join; null for one that is no entity, or no sharded one. By identity, since
     * each FROM of a statement is an object of its own.
     */
    private final IdentityHashMap<SqmPath<?>, @Nullable Relation> byFrom = new IdentityHashMap<>();

    private final List<Relation> relations = new ArrayList<>();
    /**
     * All comparisons of keys with known values, also those that not each row fulfils. A statement in the open
     * scope is refused if they name other shards than the scope.
     */
    private final List<Condition> compared = new ArrayList<>();
    /** Those that are fulfilled only by an item of a subselect which equals the other side: no {@code <}, and no negation. */
    private final Set<SqmPredicate> equalities = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The select, or the statement, that is being read. */
    private @Nullable Object level;

    private StatementReader(AttributeRules shards, boolean byUnique) {
        this.shards = shards;
        this.byUnique = byUnique;
    }

    /** Reads what a statement requires; empty if that is nothing. */
    static Optional<RequiredRows> read(SqmStatement<?> statement, AttributeRules shards) {
        StatementReader reader = new StatementReader(shards, statement instanceof SqmSelectStatement);
        statement.accept(reader);
        return reader.required();
    }

    /** Returns what has been read. A key with a computed value counts only if its rows are not fixed otherwise. */
    private Optional<RequiredRows> required() {
        List<Relation> loose = relations.stream().filter(Relation::isLoose).toList();
        String computed = relations.stream()
                .filter(each -> !loose.isEmpty() && each.conditions().isEmpty())
                .map(each -> each.computed)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        List<List<Condition>> groups = relations.stream()
                .filter(relation -> relation.isFirst() && !relation.isBound())
                .map(Relation::conditions)
                .filter(conditions -> !conditions.isEmpty())
                .toList();
        return groups.isEmpty() && computed == null && (compared.isEmpty() || loose.isEmpty())
                ? Optional.empty()
                : Optional.of(new RequiredRows(
                        groups, loose.isEmpty() ? null : loose.get(0).name, computed, List.copyOf(compared)));
    }

    @Override
    public Object visitUpdateStatement(SqmUpdateStatement<?> statement) {
        readChange(statement);
        return super.visitUpdateStatement(statement);
    }

    @Override
    public Object visitDeleteStatement(SqmDeleteStatement<?> statement) {
        readChange(statement);
        return super.visitDeleteStatement(statement);
    }

    private void readChange(SqmDeleteOrUpdateStatement<?> statement) {
        level = statement;
        // All relations first: a condition may compare them with each other.
        List<SqmJoin<?, ?>> joins = declare(statement.getTarget());
        read(statement.getWhereClause());
        joins.forEach(this::read);
    }

    /**
     * Reads a select and then, by the visitor, the selects within it, whose level is restored afterwards: a
     * condition counts only for relations of the select that it stands in.
     */
    @Override
    public Object visitQuerySpec(SqmQuerySpec<?> spec) {
        Object outer = level;
        level = spec;
        try {
            if (spec.getFromClause() != null) {
                List<SqmJoin<?, ?>> joins = spec.getFromClause().getRoots().stream()
                        .flatMap(root -> declare(root).stream())
                        .toList();
                joins.forEach(this::read);
            }
            read(spec.getWhereClause());
            read(spec.getHavingClausePredicate(), false, true, null);
            return super.visitQuerySpec(spec);
        } finally {
            level = outer;
        }
    }

    private void read(@Nullable SqmWhereClause where) {
        read(where == null ? null : where.getPredicate(), false, true, null);
    }

    /** Returns the joins, of which the conditions are to be read when all relations are known. */
    private List<SqmJoin<?, ?>> declare(SqmRoot<?> root) {
        if (!(root instanceof SqmCorrelation<?, ?>)) {
            add(root);
        }
        List<SqmJoin<?, ?>> joins = new ArrayList<>();
        if (root.getOrderedJoins() == null) {
            collectJoins(root, joins);
        } else {
            joins.addAll(root.getOrderedJoins());
        }
        joins.stream()
                .filter(join -> !isOfRow(join) && !(join instanceof SqmCorrelation<?, ?>))
                .forEach(this::add);
        return joins;
    }

    /** Adds the joins of a FROM and, in turn, those of its joins and of the subtypes that it is treated as. */
    private static void collectJoins(SqmFrom<?, ?> from, List<SqmJoin<?, ?>> joins) {
        from.visitSqmJoins(join -> {
            joins.add(join);
            collectJoins(join, joins);
        });
        from.getSqmTreats().forEach(treated -> collectJoins(treated, joins));
    }

    /** Returns whether a join is by an association, whose rows are in the shard of the row that it is joined to. */
    private static boolean isOfRow(SqmJoin<?, ?> join) {
        return join instanceof SqmAttributeJoin<?, ?> || join instanceof SqmPluralPartJoin<?, ?>;
    }

    /** Declares a FROM as a relation, if its rows are in the shards. */
    private void add(SqmFrom<?, ?> from) {
        Relation relation = null;
        if (from.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type
                && shards.isInShards(type)) {
            relation = new Relation(
                    type.getName() + (from.getExplicitAlias() == null ? "" : " " + from.getExplicitAlias()), level);
            relations.add(relation);
        }
        byFrom.put(from, relation);
    }

    /**
     * Reads the condition of a join. That of an inner join is as good as one of the WHERE. That of a left join
     * of an entity says which rows of that entity matter, but nothing of the other rows. Right and full joins
     * also keep rows that do not fulfil it.
     */
    private void read(SqmJoin<?, ?> join) {
        boolean inner = join.getSqmJoinType() == SqmJoinType.INNER || join.getSqmJoinType() == SqmJoinType.CROSS;
        Relation joined = inner || isOfRow(join) || join.getSqmJoinType() != SqmJoinType.LEFT ? null : byFrom.get(join);
        read(join.getJoinPredicate(), false, inner || joined != null, joined);
    }

    /**
     * Reads a condition.
     *
     * @param not whether it is negated
     * @param required whether each row fulfils it
     * @param outer the relation that it joins by an outer join, which it says something of; null if it is no such condition
     */
    private void read(@Nullable SqmPredicate predicate, boolean not, boolean required, @Nullable Relation outer) {
        if (predicate instanceof SqmNegatedPredicate negated) {
            read(negated.getWrappedPredicate(), !not, required, outer);
            return;
        }
        boolean negated = not ^ (predicate instanceof SqmNegatablePredicate negatable && negatable.isNegated());
        if (predicate instanceof SqmGroupedPredicate grouped) {
            read(grouped.getSubPredicate(), negated, required, outer);
        } else if (predicate instanceof SqmJunctionPredicate junction) {
            // NOT (a OR b) is NOT a AND NOT b, so that each part is required.
            boolean all = required && (junction.getOperator() == BooleanOperator.AND ^ negated);
            junction.getPredicates().forEach(part -> read(part, negated, all, outer));
        } else if (predicate instanceof SqmComparisonPredicate comparison) {
            ComparisonOperator given = comparison.getSqmOperator();
            ComparisonOperator operator = negated ? given.negated() : given;
            if (operator == ComparisonOperator.EQUAL || operator == ComparisonOperator.NOT_DISTINCT_FROM) {
                Use use = new Use(required, operator == ComparisonOperator.EQUAL, outer);
                if (use.strict()) {
                    equalities.add(comparison);
                }
                equal(comparison.getLeftHandExpression(), comparison.getRightHandExpression(), use);
            }
        } else if (!negated) {
            readPositive(predicate, new Use(required, true, outer));
        }
    }

    /** Reads a condition that is not negated: the negation of a list says where rows are not. */
    private void readPositive(@Nullable SqmPredicate predicate, Use use) {
        if (predicate instanceof SqmInListPredicate<?> in) {
            in(in.getTestExpression(), in.getListExpressions(), use);
        } else if (predicate instanceof SqmInSubQueryPredicate<?>) {
            equalities.add(predicate);
        } else if (predicate instanceof SqmMemberOfPredicate member) {
            equal(member.getLeftHandExpression(), member.getPluralPath(), use);
        } else if (predicate instanceof SqmBooleanExpressionPredicate expression) {
            if (expression.getBooleanExpression() instanceof SqmPredicate condition) {
                read(condition, false, use.required(), use.outer());
            } else if (expression.getBooleanExpression() instanceof SqmFunction<?> function
                    && function.getFunctionName().equals("array_contains")
                    && function.getArguments().get(0) instanceof SqmExpression<?> array
                    && function.getArguments().get(1) instanceof SqmExpression<?> element) {
                compare(key(element), List.of(array), true, use);
            }
        }
    }

    /**
     * What a comparison says.
     *
     * @param required whether each row fulfils it
     * @param strict whether null equals nothing
     * @param outer the relation that it joins by an outer join; null if it is no condition of one
     */
    private record Use(boolean required, boolean strict, @Nullable Relation outer) {}

    /** Reads an equality, of which either side may be the key. Tuples are compared part by part. */
    private void equal(SqmExpression<?> one, SqmExpression<?> other, Use use) {
        if (one instanceof SqmTuple<?> left && other instanceof SqmTuple<?> right) {
            List<? extends SqmExpression<?>> parts = right.getGroupedExpressions();
            for (int i = 0; i < left.getGroupedExpressions().size() && i < parts.size(); i++) {
                equal(left.getGroupedExpressions().get(i), parts.get(i), use);
            }
            return;
        }
        KeyPath left = key(one);
        KeyPath right = key(other);
        if (left == null && right == null) {
            compareUnique(one, other, use);
            compareUnique(other, one, use);
        } else if (left == null || right == null) {
            compare(left == null ? right : left, List.of(left == null ? one : other), false, use);
        } else if (use.required() && use.strict() && shards.areAlike(left.rule(), right.rule())) {
            tie(left.relation(), right.relation(), use.outer());
        }
    }

    /**
     * Ties two relations whose keys are equal: to one group within a select; across two selects, the inner one
     * is bound to the outer one, because a subselect is executed in the shard of the statement around it. The
     * outer one is not bound, as it has rows whatever the subselect returns. An outer join binds the relation
     * that it joins.
     */
    private void tie(@Nullable Relation one, @Nullable Relation other, @Nullable Relation outer) {
        if (one == null || other == null) {
            return;
        } else if (outer != null) {
            outer.bound |= one == outer || other == outer;
        } else if (one.level == level && other.level == level) {
            one.join(other);
        } else if (one.level == level) {
            one.bound = true;
        } else if (other.level == level) {
            other.bound = true;
        }
    }

    /**
     * Reads a list. A single value may itself be the key, if what is tested is no path; a list of tuples is
     * split into a list for each of their parts.
     */
    private void in(SqmExpression<?> attribute, List<? extends SqmExpression<?>> values, Use use) {
        if (!(attribute instanceof SqmPath<?>) && !(attribute instanceof SqmTuple<?>)) {
            // As in :id in (p.id, p.author.id): one of several is an alternative.
            Use each = new Use(use.required() && values.size() == 1, use.strict(), use.outer());
            values.forEach(value -> equal(attribute, value, each));
        } else if (attribute instanceof SqmTuple<?> tuple && values.stream().allMatch(SqmTuple.class::isInstance)) {
            for (int i = 0; i < tuple.getGroupedExpressions().size(); i++) {
                int at = i;
                List<SqmExpression<?>> parts = values.stream()
                        .<SqmExpression<?>>map(each ->
                                ((SqmTuple<?>) each).getGroupedExpressions().get(at))
                        .toList();
                in(tuple.getGroupedExpressions().get(i), parts, use);
            }
        } else {
            compare(key(attribute), values, true, use);
        }
    }

    /**
     * Notes that a key has one of some values. It fixes the rows of the relation only in its own select, and
     * only if each row fulfils the condition.
     */
    private void compare(@Nullable KeyPath key, List<? extends SqmExpression<?>> values, boolean byList, Use use) {
        if (key == null) {
            return;
        }
        Relation own = key.relation();
        Relation relation = own != null && own.level == level && use.required() && use.outer() == null ? own : null;
        List<SqmExpression<?>> known = values.stream()
                .<SqmExpression<?>>map(value -> value)
                .filter(value -> Constants.isKnown(value, key.rule()))
                .toList();
        Condition condition = new Condition(key.attribute(), key.rule(), known, byList);
        if (!known.isEmpty()) {
            compared.add(condition);
        }
        if (known.size() == values.size()) {
            if (relation != null && use.strict()) {
                relation.conditions.add(condition);
            }
            // Not known, and not computed from rows either: the shard exists, but only the database can tell.
        } else if (relation != null && values.stream().anyMatch(Constants::isComputed)) {
            relation.computed = key.attribute();
        }
    }

    /** Notes that an attribute which is no key has a value, in case that it is unique. As with a key, each row has to fulfil it. */
    private void compareUnique(SqmExpression<?> one, SqmExpression<?> value, Use use) {
        SqmPath<?> path = UniqueValues.path(one);
        Relation relation = path == null || !byUnique ? null : byFrom.get(from(path));
        if (path != null
                && relation != null
                && relation.level == level
                && use.required()
                && use.strict()
                && use.outer() == null) {
            relation.unique.add(ComparedPath.of(path, shards), one, value, shards);
        }
    }

    @Override
    public Object visitInSubQueryPredicate(SqmInSubQueryPredicate<?> predicate) {
        Object visited = super.visitInSubQueryPredicate(predicate);
        if (equalities.contains(predicate)) {
            bind(predicate.getTestExpression(), predicate.getSubQueryExpression());
        }
        return visited;
    }

    @Override
    public Object visitComparisonPredicate(SqmComparisonPredicate predicate) {
        Object visited = super.visitComparisonPredicate(predicate);
        if (equalities.contains(predicate) && predicate.getRightHandExpression() instanceof SqmSubQuery<?> select) {
            bind(predicate.getLeftHandExpression(), select);
        }
        return visited;
    }

    /**
     * Binds the rows of a subselect, which has been read, to those that they are compared with. A limit might
     * count others. So might a grouping, which returns one row for many.
     */
    private void bind(SqmExpression<?> value, SqmSubQuery<?> select) {
        if (!(select.getQueryPart() instanceof SqmQuerySpec<?> spec)
                || spec.getFetchExpression() != null
                || spec.getOffsetExpression() != null
                || !spec.getGroupByClauseExpressions().isEmpty()
                || spec.getSelectClause().getSelections().size() != 1
                || !(spec.getSelectClause().getSelections().get(0).getSelectableNode()
                        instanceof SqmExpression<?> item)) {
            return;
        }
        KeyPath outer = key(value);
        KeyPath selected = key(item);
        if (outer != null
                && outer.relation() != null
                && selected != null
                && selected.relation() != null
                && selected.relation().level == spec
                && shards.areAlike(outer.rule(), selected.rule())) {
            selected.relation().bound = true;
        }
    }

    /** The key that an expression is; null if it is none. */
    private @Nullable KeyPath key(SqmExpression<?> expression) {
        if (!(expression instanceof SqmPath<?> path) || expression instanceof SqmFunctionPath<?>) {
            return null;
        }
        SqmPath<?> from = from(path);
        if (from == null) {
            return null;
        }
        SqmPath<?> selected = from == path || next(path) == from ? selected(from, path) : null;
        ComparedPath attribute = ComparedPath.of(selected == null ? path : selected, shards);
        return attribute.rule() == null ? null : new KeyPath(byFrom.get(from), attribute.text(), attribute.rule());
    }

    /** Returns the FROM or join that a path begins with; null if it is not known. */
    private @Nullable SqmPath<?> from(SqmPath<?> path) {
        SqmPath<?> from = path;
        while (from != null && !byFrom.containsKey(from)) {
            from = next(from);
        }
        return from;
    }

    /** Returns what a path begins with: that which it is correlated with, or treated as. */
    private static @Nullable SqmPath<?> next(SqmPath<?> path) {
        SqmPath<?> wrapped = path instanceof SqmPathWrapper<?, ?> wrapper ? wrapper.getWrappedPath() : path;
        return wrapped == path ? path.getLhs() : wrapped;
    }

    /** The path that a subselect in the FROM, or a WITH, has as an item; null if it is none. */
    private static @Nullable SqmPath<?> selected(SqmPath<?> from, SqmPath<?> path) {
        SqmQueryPart<?> select = select(from);
        if (select != null) {
            for (SqmSelection<?> each :
                    select.getFirstQuerySpec().getSelectClause().getSelections()) {
                if (path.getReferencedPathSource().getPathName().equals(each.getAlias())
                        && each.getSelectableNode() instanceof SqmPath<?> item) {
                    return item;
                }
            }
        }
        return null;
    }

    /** Returns the select behind a FROM that is no entity: a subselect, or one that WITH names. Null for others. */
    private static @Nullable SqmQueryPart<?> select(SqmPath<?> from) {
        if (from instanceof JpaDerivedFrom<?> derived) {
            return ((SqmSubQuery<?>) derived.getQueryPart()).getQueryPart();
        }
        SqmCteStatement<?> named = from instanceof SqmCteRoot<?> root
                ? root.getCte()
                : from instanceof SqmCteJoin<?> join ? join.getCte() : null;
        return named == null ? null : named.getCteDefinition().getQueryPart();
    }

    /**
     * An attribute in a statement that determines the shard of the rows it belongs to.
     *
     * @param relation the rows; null for those of a subselect in the FROM
     * @param attribute the attribute, for messages
     * @param rule how a value determines the shard
     */
    private record KeyPath(@Nullable Relation relation, String attribute, ShardRule rule) {}

    /**
     * Rows that a statement reads or changes: of an entity and what is associated with it. A group of relations is joined by keys, so that each
     * row of the result is made of rows of one shard. For one thread.
     */
    private static final class Relation {
        /** For messages. */
        final String name;
        /** The select to which it belongs. */
        final @Nullable Object level;

        final List<Condition> conditions = new ArrayList<>();
        final UniqueValues unique = new UniqueValues();
        /** True if its rows are in the shard of other rows, which have conditions themselves. */
        boolean bound;
        /** The key that is compared with a value which the database computes; null if there is none. */
        @Nullable
        String computed;
        /** All relations of its group, which they share. */
        List<Relation> group = new ArrayList<>(List.of(this));

        Relation(String name, @Nullable Object level) {
            this.name = name;
            this.level = level;
        }

        void join(Relation other) {
            if (group != other.group) {
                List<Relation> added = other.group;
                group.addAll(added);
                added.forEach(each -> each.group = group);
            }
        }

        boolean isFirst() {
            return group.get(0) == this;
        }

        boolean isBound() {
            return group.stream().anyMatch(each -> each.bound);
        }

        /** Returns the conditions of a group: those of keys, of which each tells a shard by itself; if there is none, a unique one. */
        List<Condition> conditions() {
            List<Condition> byKey =
                    group.stream().flatMap(each -> each.conditions.stream()).toList();
            return byKey.isEmpty()
                    ? group.stream()
                            .flatMap(each -> each.unique.condition().stream())
                            .limit(1)
                            .toList()
                    : byKey;
        }

        /** Returns whether nothing says where the rows of a group are. Only one relation of a group answers. */
        boolean isLoose() {
            return isFirst() && !isBound() && conditions().isEmpty();
        }
    }

    /**
     * A path of a statement, as an attribute of an entity.
     *
     * @param text for messages: {@code Photo.id}
     * @param rule how the attribute determines the shard of the rows; null if it does not
     * @param row the path of the entity; null if there is none in the shards
     * @param name the path of the attribute from there
     */
    record ComparedPath(String text, @Nullable ShardRule rule, @Nullable SqmPath<?> row, String name) {
        /**
         * Returns a path by its closest entity that is in the shard of the rows: associated entities are, except
         * foreign ones. An attribute behind a foreign reference becomes a longer path of the entity that refers.
         */
        static ComparedPath of(SqmPath<?> path, AttributeRules shards) {
            StringBuilder attributes = new StringBuilder();
            for (SqmPath<?> at = path; at != null; at = at.getLhs()) {
                if (at.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type
                        && !ForeignPaths.isForeign(at)) {
                    String name = attributes.toString();
                    String text = name.isEmpty() ? type.getName() : type.getName() + "." + name;
                    if (!shards.isInShards(type)) {
                        return new ComparedPath(text, null, null, name);
                    } else if (name.isEmpty()) {
                        return new ComparedPath(text, shards.byId(type.getJavaType()), at, name);
                    }
                    return new ComparedPath(text, shards.byPath(type, name).orElse(null), at, name);
                }
                String own = at.getReferencedPathSource().getPathName();
                attributes.insert(0, attributes.length() == 0 ? own : own + ".");
            }
            return new ComparedPath(path.getNavigablePath().getFullPath(), null, null, "");
        }
    }
}
