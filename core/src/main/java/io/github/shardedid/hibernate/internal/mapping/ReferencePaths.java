package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ForeignShardException;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.metamodel.model.domain.ManagedDomainType;
import org.hibernate.metamodel.model.domain.PersistentAttribute;
import org.hibernate.metamodel.model.domain.SingularPersistentAttribute;
import org.hibernate.query.sqm.tree.domain.SqmCorrelation;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmAny;
import org.hibernate.query.sqm.tree.expression.SqmEvery;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmTuple;
import org.hibernate.query.sqm.tree.from.SqmCrossJoin;
import org.hibernate.query.sqm.tree.from.SqmEntityJoin;
import org.hibernate.query.sqm.tree.from.SqmFrom;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.select.SqmQueryGroup;
import org.hibernate.query.sqm.tree.select.SqmQueryPart;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * The paths of queries that are associations with {@code @ForeignShard}, and what they may be compared with.
 *
 * <p>A reference to another shard is a number in a column, which may be compared with numbers: values, and other
 * references. It must not be compared with rows of the query, because these are all in the shard in which the query
 * is executed.
 */
public final class ReferencePaths {
    private ReferencePaths() {}

    /** Returns whether a path is an association with {@code @ForeignShard}. */
    public static boolean isForeign(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return parent != null
                && parent.getReferencedPathSource().getPathType() instanceof ManagedDomainType<?> type
                && isForeign(type.findAttribute(path.getReferencedPathSource().getPathName()));
    }

    /** The same of an attribute. The elements of collections are values. */
    public static boolean isForeign(@Nullable PersistentAttribute<?, ?> attribute) {
        return attribute != null
                && !attribute.isCollection()
                && ForeignShardBinder.isForeign(attribute.getJavaMember());
    }

    /** Returns whether a part of a path is the id of what is before it. Hibernate names the id {@code {id}} in {@code id(c.author)}. */
    public static boolean isId(SqmPath<?> parent, SqmPath<?> part) {
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
     * Refuses a comparison with rows that the query looks for on its own, as in {@code join User u on u = c.author}: only those of the
     * same shard would be found. Rows that are reached over other associations are in the shard for certain.
     */
    public static void check(SqmExpression<?> reference, SqmExpression<?> compared) {
        List<SqmExpression<?>> references = values(reference);
        List<SqmExpression<?>> others = values(compared);
        if (reference instanceof SqmTuple<?> && references.size() == others.size()) {
            for (int i = 0; i < references.size(); i++) {
                check(references.get(i), others.get(i));
            }
        } else {
            references.forEach(each -> others.forEach(other -> refuseRow(each, other)));
        }
    }

    /** Refuses a comparison of such a reference with a row that does not begin at the same root. */
    private static void refuseRow(SqmExpression<?> from, SqmExpression<?> compared) {
        if (from instanceof SqmPath<?> path && ReferencePaths.isReference(path) && isRow(compared, rootOf(path))) {
            String reference = path.getNavigablePath().getFullPath();
            throw new ForeignShardException(
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
            return group.getQueryParts().stream().flatMap(ReferencePaths::selected);
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
                && (row == path || ReferencePaths.isId(row, path))
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
}
