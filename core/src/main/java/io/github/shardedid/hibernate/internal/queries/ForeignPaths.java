package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.metamodel.model.domain.ManagedDomainType;
import org.hibernate.metamodel.model.domain.PersistentAttribute;
import org.hibernate.metamodel.model.domain.SingularPersistentAttribute;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.NonAggregatedCompositeSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmAnyValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmBasicValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmCorrelation;
import org.hibernate.query.sqm.tree.domain.SqmEmbeddedValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmEntityValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.domain.SqmPluralValuedSimplePath;
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

/** Refuses queries that join rows of other shards through {@code @ForeignShard}: no shard has both rows, so results would be missing. */
public final class ForeignPaths extends QueryWalker {
    private int subqueries;

    private ForeignPaths() {}

    /** Checks a query in HQL or criteria. Does nothing if no attribute has {@code @ForeignShard}. */
    public static void check(SqmStatement<?> statement, SessionFactoryImplementor factory) {
        Sharding sharding = Sharding.of(factory.getServiceRegistry());
        // A rehearsal has no sharding.
        if (sharding == null || sharding.mappings().hasForeign()) {
            statement.accept(new ForeignPaths());
        }
    }

    /** Refuses a path over an attribute of an entity to anything but the id of the other row. */
    static void refuseBeyondId(
            String entity, Map.Entry<String, String> foreign, String path, SessionFactoryImplementor factory) {
        String target = foreign.getValue();
        String id = target.isEmpty()
                ? null
                : factory.getMappingMetamodel().getEntityDescriptor(target).getIdentifierPropertyName();
        if (id == null) {
            String collection = entity + "." + foreign.getKey();
            throw new ForeignShardException("The rows of " + collection + " are in other databases, so " + entity + "."
                    + path
                    + " cannot be joined. Read the rows by a query of their own, and compare the collection with them"
                    + " (:row member of x." + foreign.getKey() + "). Nothing was sent.");
        }
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

    /** Hibernate joins the row of a selected association. */
    @Override
    public Object visitSelection(SqmSelection<?> selection) {
        if (subqueries == 0
                && selection.getSelectableNode() instanceof SqmPath<?> path
                && !(path instanceof SqmFrom)
                && isForeign(attribute(path))) {
            throw refused(path);
        }
        return super.visitSelection(selection);
    }

    @Override
    public Object visitComparisonPredicate(SqmComparisonPredicate predicate) {
        SqmExpression<?> left = predicate.getLeftHandExpression();
        SqmExpression<?> right = predicate.getRightHandExpression();
        refuseComparison(left, right);
        refuseComparison(right, left);
        return super.visitComparisonPredicate(predicate);
    }

    @Override
    public Object visitInListPredicate(SqmInListPredicate<?> predicate) {
        for (SqmExpression<?> element : predicate.getListExpressions()) {
            refuseComparison(predicate.getTestExpression(), element);
            refuseComparison(element, predicate.getTestExpression());
        }
        return super.visitInListPredicate(predicate);
    }

    @Override
    public Object visitInSubQueryPredicate(SqmInSubQueryPredicate<?> predicate) {
        refuseComparison(predicate.getTestExpression(), predicate.getSubQueryExpression());
        refuseComparison(predicate.getSubQueryExpression(), predicate.getTestExpression());
        return super.visitInSubQueryPredicate(predicate);
    }

    /**
     * Refuses a comparison with rows that the query looks for on its own, as in {@code join User u on u = c.author}: only those of the
     * same shard would be found. Rows that are reached over other associations are in the shard for certain.
     */
    private static void refuseComparison(SqmExpression<?> reference, SqmExpression<?> compared) {
        List<SqmExpression<?>> references = values(reference);
        List<SqmExpression<?>> others = values(compared);
        if (reference instanceof SqmTuple<?> && references.size() == others.size()) {
            for (int i = 0; i < references.size(); i++) {
                refuseComparison(references.get(i), others.get(i));
            }
        } else {
            references.forEach(each -> others.forEach(other -> refuseRow(each, other)));
        }
    }

    private static void refuseRow(SqmExpression<?> reference, SqmExpression<?> compared) {
        if (reference instanceof SqmPath<?> path && isReference(path) && isRow(compared, rootOf(path))) {
            throw refused(path);
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

    private static Stream<SqmExpression<?>> selected(SqmQueryPart<?> part) {
        if (part instanceof SqmQueryGroup<?> group) {
            return group.getQueryParts().stream().flatMap(ForeignPaths::selected);
        }
        return part.getFirstQuerySpec().getSelectClause().getSelectionItems().stream()
                .filter(SqmExpression.class::isInstance)
                .map(item -> (SqmExpression<?>) item);
    }

    private static boolean isReference(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return isForeign(attribute(path)) || (parent != null && isForeign(attribute(parent)) && isId(parent, path));
    }

    /** Whether an expression is a row, or the id of a row, that is not reached from a root. */
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
        SqmPath<?> at = path;
        while (true) {
            SqmPath<?> next = at instanceof SqmCorrelation<?, ?> correlated
                    ? correlated.getCorrelationParent()
                    : at instanceof SqmRoot || at instanceof SqmEntityJoin || at instanceof SqmCrossJoin
                            ? null
                            : at.getLhs();
            if (next == null) {
                return at;
            }
            at = next;
        }
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

    private static Object checked(SqmPath<?> path) {
        SqmPath<?> at = path;
        for (SqmPath<?> parent = at.getLhs(); parent != null; parent = at.getLhs()) {
            if (isForeign(attribute(parent)) && !isId(parent, at)) {
                throw refused(path);
            }
            at = parent;
        }
        return path;
    }

    /** Hibernate names the id {@code {id}} in {@code id(c.author)}. */
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

    /** Whether a path is an association with {@code @ForeignShard}. */
    static boolean isForeign(SqmPath<?> path) {
        return isForeign(attribute(path));
    }

    /** The elements of collections are values. */
    private static boolean isForeign(@Nullable PersistentAttribute<?, ?> attribute) {
        return attribute != null
                && !attribute.isCollection()
                && ForeignShardBinder.isForeign(attribute.getJavaMember());
    }

    private static @Nullable PersistentAttribute<?, ?> attribute(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return parent != null && parent.getReferencedPathSource().getPathType() instanceof ManagedDomainType<?> type
                ? type.findAttribute(path.getReferencedPathSource().getPathName())
                : null;
    }

    private static ForeignShardException refused(SqmPath<?> path) {
        SqmPath<?> at = path;
        while (at.getLhs() != null && !isForeign(attribute(at))) {
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
