package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.UnsupportedStatementException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.metamodel.model.domain.ManagedDomainType;
import org.hibernate.metamodel.model.domain.PersistentAttribute;
import org.hibernate.metamodel.model.domain.SingularPersistentAttribute;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmCorrelation;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmAny;
import org.hibernate.query.sqm.tree.expression.SqmEvery;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmTuple;
import org.hibernate.query.sqm.tree.from.SqmAttributeJoin;
import org.hibernate.query.sqm.tree.from.SqmCrossJoin;
import org.hibernate.query.sqm.tree.from.SqmEntityJoin;
import org.hibernate.query.sqm.tree.from.SqmFrom;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInSubQueryPredicate;
import org.hibernate.query.sqm.tree.select.SqmQueryGroup;
import org.hibernate.query.sqm.tree.select.SqmQueryPart;
import org.hibernate.query.sqm.tree.select.SqmSelection;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * Refuses queries that join rows of other shards through {@code @ForeignShard}: no shard has both rows, so results
 * would be missing.
 *
 * <p>An inner join of a row of another shard would return no row at all, and an outer join null, without an error.
 * So the query is refused before it is translated. Only the id of the other row may be used, as it is a column of
 * the referring row. As a number in a column, it may be compared with values and other references, but not with rows
 * of the query, which are all in its shard. {@link #check} reads the statement as it is written; joins that Hibernate adds on its own, for
 * entity graphs and eager associations, are found in its translation, by {@code ForeignJoins}.
 */
public final class ForeignPaths extends QueryWalker {
    /**
     * The number of subselects around the visited part: the select list of a subselect is compared, and joins
     * nothing.
     */
    private int subqueries;

    private ForeignPaths() {}

    /** Checks a query in HQL or criteria. Does nothing if no attribute has {@code @ForeignShard}. */
    public static void check(SqmStatement<?> statement, SessionFactoryImplementor factory) {
        Sharding sharding = Sharding.of(factory.getServiceRegistry());
        // Where the data source does not route, each attribute is checked.
        if (sharding == null || sharding.mappings().hasForeign()) {
            statement.accept(new ForeignPaths());
        }
    }

    /** Refuses a path over an attribute of an entity to anything but the id of the other row. */
    static void refuseBeyondId(
            String entity, Map.Entry<String, String> foreign, String path, SessionFactoryImplementor factory) {
        String id = factory.getMappingMetamodel()
                .getEntityDescriptor(foreign.getValue())
                .getIdentifierPropertyName();
        if (!path.equals(foreign.getKey() + "." + id)) {
            throw refused(entity + "." + foreign.getKey(), entity + "." + path);
        }
    }

    @Override
    public Object visitSubQueryExpression(SqmSubQuery<?> expression) {
        subqueries++;
        try {
            return super.visitSubQueryExpression(expression);
        } finally {
            subqueries--;
        }
    }

    @Override
    protected void consumeAttributeJoin(SqmAttributeJoin<?, ?> join, boolean transitive) {
        if (isForeign(join.getAttribute())) {
            throw refused(join);
        }
        super.consumeAttributeJoin(join, transitive);
    }

    /**
     * Hibernate joins the row of a selected association.
     *
     * <p>A FROM is selected without a join, since it is one of the rows of the query itself.
     */
    @Override
    public Object visitSelection(SqmSelection<?> selection) {
        if (subqueries == 0
                && selection.getSelectableNode() instanceof SqmPath<?> path
                && !(path instanceof SqmFrom)
                && isForeign(path)) {
            throw refused(path);
        }
        return super.visitSelection(selection);
    }

    @Override
    public Object visitComparisonPredicate(SqmComparisonPredicate predicate) {
        check(predicate.getLeftHandExpression(), predicate.getRightHandExpression());
        return super.visitComparisonPredicate(predicate);
    }

    @Override
    public Object visitInListPredicate(SqmInListPredicate<?> predicate) {
        predicate.getListExpressions().forEach(element -> check(predicate.getTestExpression(), element));
        return super.visitInListPredicate(predicate);
    }

    @Override
    public Object visitInSubQueryPredicate(SqmInSubQueryPredicate<?> predicate) {
        check(predicate.getTestExpression(), predicate.getSubQueryExpression());
        return super.visitInSubQueryPredicate(predicate);
    }

    /** Refuses a path that leads over a reference to another attribute than the id. */
    @Override
    protected Object visitPath(SqmPath<?> path) {
        SqmPath<?> at = path;
        for (SqmPath<?> parent = at.getLhs(); parent != null; parent = at.getLhs()) {
            if (isForeign(parent) && !isId(parent, at)) {
                throw refused(path);
            }
            at = parent;
        }
        return path;
    }

    /** Returns the failure for a path, with the reference at which it leaves the shard. */
    private static UnsupportedStatementException refused(SqmPath<?> path) {
        SqmPath<?> at = path;
        while (at.getLhs() != null && !isForeign(at)) {
            at = at.getLhs();
        }
        return refused(
                at.getNavigablePath().getFullPath(), path.getNavigablePath().getFullPath());
    }

    /** The failure of a query or graph that joins an association. */
    public static UnsupportedStatementException refused(String association, String path) {
        return new UnsupportedStatementException(
                association + " has @ForeignShard: its rows are in other shards, so " + path
                        + " cannot be joined, fetched or selected. Compare or select the id (" + association
                        + ".id), and read the row through the association after the query, or by findById. Nothing was sent.");
    }

    /** Returns whether a path is an association with {@code @ForeignShard}. */
    static boolean isForeign(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return parent != null
                && parent.getReferencedPathSource().getPathType() instanceof ManagedDomainType<?> type
                && isForeign(type.findAttribute(path.getReferencedPathSource().getPathName()));
    }

    /** The same of an attribute. The elements of collections are values. */
    private static boolean isForeign(@Nullable PersistentAttribute<?, ?> attribute) {
        return attribute != null
                && !attribute.isCollection()
                && ForeignShardBinder.isForeign(attribute.getJavaMember());
    }

    /** Returns whether a part of a path is the id of what is before it. Hibernate names the id {@code {id}} in {@code id(c.author)}. */
    private static boolean isId(SqmPath<?> parent, SqmPath<?> part) {
        String name = part.getReferencedPathSource().getPathName();
        if (!(parent.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type)) {
            return false;
        }
        SingularPersistentAttribute<?, ?> id = type.findIdAttribute();
        return (id != null && name.equals(id.getName()))
                || (type.getIdentifierDescriptor() != null
                        && name.equals(type.getIdentifierDescriptor().getPathName()));
    }

    /** Returns whether a path is such an association, or the id of one. */
    private static boolean isReference(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return isForeign(path) || (parent != null && isForeign(parent) && isId(parent, path));
    }

    /**
     * Refuses a comparison of a reference with rows that the query looks for on its own, as in {@code join User u on u = c.author}: only
     * those of the same shard would be found. Rows that are reached over other associations are in the shard for certain.
     */
    private static void check(SqmExpression<?> one, SqmExpression<?> other) {
        List<SqmExpression<?>> others = values(other);
        for (SqmExpression<?> left : values(one)) {
            for (SqmExpression<?> right : others) {
                refuseRow(left, right);
                refuseRow(right, left);
            }
        }
    }

    /** Refuses a comparison of such a reference with a row that does not begin at the same root. */
    private static void refuseRow(SqmExpression<?> from, SqmExpression<?> compared) {
        if (from instanceof SqmPath<?> path && isReference(path) && isRow(compared, rootOf(path))) {
            String reference = path.getNavigablePath().getFullPath();
            throw new UnsupportedStatementException(
                    reference + " refers to rows of other shards (@ForeignShard), so it cannot be compared"
                            + " with rows that are looked for in the same shard: others would be missing. Select its id, and read"
                            + " the rows by their ids after the query; or compare it with :value, or with a reference of another row."
                            + " Nothing was sent.");
        }
    }

    /** The parts of a tuple, the items that a subselect selects, or the expression itself. */
    private static List<SqmExpression<?>> values(SqmExpression<?> expression) {
        if (expression instanceof SqmAny<?> any) {
            return values(any.getSubquery());
        } else if (expression instanceof SqmEvery<?> every) {
            return values(every.getSubquery());
        } else if (expression instanceof SqmTuple<?> tuple) {
            return tuple.getGroupedExpressions();
        }
        return expression instanceof SqmSubQuery<?> select
                ? selected(select.getQueryPart()).toList()
                : List.of(expression);
    }

    /** Returns the selected items of a subselect, in each of the parts of a UNION. */
    private static Stream<SqmExpression<?>> selected(SqmQueryPart<?> part) {
        if (part instanceof SqmQueryGroup<?> group) {
            return group.getQueryParts().stream().flatMap(ForeignPaths::selected);
        }
        return part.getFirstQuerySpec().getSelectClause().getSelectionItems().stream()
                .filter(SqmExpression.class::isInstance)
                .map(item -> (SqmExpression<?>) item);
    }

    /** Returns whether an expression is a row, or the id of a row, that is not reached from a root. */
    private static boolean isRow(SqmExpression<?> compared, SqmPath<?> root) {
        if (!(compared instanceof SqmPath<?> path)) {
            return false;
        }
        SqmPath<?> row = path instanceof SqmFrom ? path : path.getLhs();
        return row instanceof SqmFrom
                && row.getReferencedPathSource().getPathType() instanceof EntityDomainType<?>
                && (row == path || isId(row, path))
                && !rootOf(row).equals(root);
    }

    /** The root, or the entity that is joined by a condition, from which a path begins. */
    private static SqmPath<?> rootOf(SqmPath<?> path) {
        if (path instanceof SqmCorrelation<?, ?> correlated) {
            return rootOf(correlated.getCorrelationParent());
        }
        boolean begins = path instanceof SqmRoot || path instanceof SqmEntityJoin || path instanceof SqmCrossJoin;
        return begins || path.getLhs() == null ? path : rootOf(path.getLhs());
    }
}
