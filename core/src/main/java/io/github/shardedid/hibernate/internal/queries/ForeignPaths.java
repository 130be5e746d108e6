package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.internal.mapping.ReferencePaths;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.NonAggregatedCompositeSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmAnyValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmBasicValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmEmbeddedValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmEntityValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.domain.SqmPluralValuedSimplePath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.from.SqmAttributeJoin;
import org.hibernate.query.sqm.tree.from.SqmFrom;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInSubQueryPredicate;
import org.hibernate.query.sqm.tree.select.SqmSelection;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;

/**
 * Refuses queries that join rows of other shards through {@code @ForeignShard}: no shard has both rows, so results
 * would be missing.
 *
 * <p>An inner join of a row of another shard would return no row at all, and an outer join null, without an error.
 * So the query is refused before it is translated. Only the id of the other row may be used, as it is a column of
 * the referring row. {@link #check} reads the statement as it is written; joins that Hibernate adds on its own, for
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
        // A rehearsal has no sharding.
        // A rehearsal has none, and each attribute is checked then.
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
        if (ReferencePaths.isForeign(join.getAttribute())) {
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
                && ReferencePaths.isForeign(path)) {
            throw refused(path);
        }
        return super.visitSelection(selection);
    }

    @Override
    public Object visitComparisonPredicate(SqmComparisonPredicate predicate) {
        SqmExpression<?> left = predicate.getLeftHandExpression();
        SqmExpression<?> right = predicate.getRightHandExpression();
        ReferencePaths.check(left, right);
        ReferencePaths.check(right, left);
        return super.visitComparisonPredicate(predicate);
    }

    @Override
    public Object visitInListPredicate(SqmInListPredicate<?> predicate) {
        for (SqmExpression<?> element : predicate.getListExpressions()) {
            ReferencePaths.check(predicate.getTestExpression(), element);
            ReferencePaths.check(element, predicate.getTestExpression());
        }
        return super.visitInListPredicate(predicate);
    }

    @Override
    public Object visitInSubQueryPredicate(SqmInSubQueryPredicate<?> predicate) {
        ReferencePaths.check(predicate.getTestExpression(), predicate.getSubQueryExpression());
        ReferencePaths.check(predicate.getSubQueryExpression(), predicate.getTestExpression());
        return super.visitInSubQueryPredicate(predicate);
    }

    @Override
    public Object visitBasicValuedPath(SqmBasicValuedSimplePath<?> path) {
        return checked(path);
    }

    @Override
    public Object visitEmbeddableValuedPath(SqmEmbeddedValuedSimplePath<?> path) {
        return checked(path);
    }

    @Override
    public Object visitAnyValuedValuedPath(SqmAnyValuedSimplePath<?> path) {
        return checked(path);
    }

    @Override
    public Object visitNonAggregatedCompositeValuedPath(NonAggregatedCompositeSimplePath<?> path) {
        return checked(path);
    }

    @Override
    public Object visitEntityValuedPath(SqmEntityValuedSimplePath<?> path) {
        return checked(path);
    }

    @Override
    public Object visitPluralValuedPath(SqmPluralValuedSimplePath<?> path) {
        return checked(path);
    }

    /**
     * Refuses a path that leads over a reference to another attribute than the id. Each kind of path has a
     * method of its own in Hibernate's visitor, so that all of them are overridden above.
     */
    private static Object checked(SqmPath<?> path) {
        SqmPath<?> at = path;
        for (SqmPath<?> parent = at.getLhs(); parent != null; parent = at.getLhs()) {
            if (ReferencePaths.isForeign(parent) && !ReferencePaths.isId(parent, at)) {
                throw refused(path);
            }
            at = parent;
        }
        return path;
    }

    /** Returns the failure for a path, with the reference at which it leaves the shard. */
    private static ForeignShardException refused(SqmPath<?> path) {
        SqmPath<?> at = path;
        while (at.getLhs() != null && !ReferencePaths.isForeign(at)) {
            at = at.getLhs();
        }
        return refused(
                at.getNavigablePath().getFullPath(), path.getNavigablePath().getFullPath());
    }

    /** The failure of a query or graph that joins an association. */
    public static ForeignShardException refused(String association, String path) {
        return new ForeignShardException(association + " has @ForeignShard: its rows are in other shards, so " + path
                + " cannot be joined, fetched or selected. Compare or select the id (" + association
                + ".id), and read the row through the association after the query, or by findById. Nothing was sent.");
    }
}
