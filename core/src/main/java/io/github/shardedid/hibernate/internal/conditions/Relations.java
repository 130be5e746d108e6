package io.github.shardedid.hibernate.internal.conditions;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hibernate.query.sqm.tree.cte.SqmCteStatement;
import org.hibernate.query.sqm.tree.domain.SqmCteRoot;
import org.hibernate.query.sqm.tree.domain.SqmDerivedRoot;
import org.hibernate.query.sqm.tree.domain.SqmFunctionPath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.domain.SqmPathWrapper;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.from.SqmCteJoin;
import org.hibernate.query.sqm.tree.from.SqmDerivedJoin;
import org.hibernate.query.sqm.tree.from.SqmFrom;
import org.hibernate.query.sqm.tree.select.SqmQueryGroup;
import org.hibernate.query.sqm.tree.select.SqmQueryPart;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelection;
import org.jspecify.annotations.Nullable;

/** The relations of a statement, and the attributes by which its expressions name them. For one thread. */
final class Relations {
    private final AttributeRules shards;
    private final IdentityHashMap<SqmPath<?>, @Nullable Relation> byFrom = new IdentityHashMap<>();
    /** The selects whose columns are being looked for: a recursive one names itself. */
    private final Set<SqmQueryPart<?>> visited = Collections.newSetFromMap(new IdentityHashMap<>());

    Relations(AttributeRules shards) {
        this.shards = shards;
    }

    /**
     * Adds an item of a FROM.
     *
     * @param relation its rows; null for a subselect that is read as a part of the select around it
     */
    void put(SqmFrom<?, ?> from, @Nullable Relation relation) {
        byFrom.put(from, relation);
    }

    /** The relation of an item of a FROM: that to which it is joined by an association, if it is. Null if it has no rows of entities. */
    @Nullable
    Relation of(SqmPath<?> item) {
        SqmPath<?> from = from(item);
        return from == null ? null : byFrom.get(from);
    }

    private @Nullable SqmPath<?> from(SqmPath<?> path) {
        SqmPath<?> at = path;
        while (at != null && !byFrom.containsKey(at)) {
            at = next(at);
        }
        return at;
    }

    /** What a path begins with: that which it is correlated with, or treated as. */
    private static @Nullable SqmPath<?> next(SqmPath<?> path) {
        SqmPath<?> wrapped = path instanceof SqmPathWrapper<?, ?> wrapper ? wrapper.getWrappedPath() : path;
        return wrapped == path ? path.getLhs() : wrapped;
    }

    /** The key that an expression is; null if it is none. */
    @Nullable
    Key key(SqmExpression<?> expression) {
        if (!(expression instanceof SqmPath<?> path) || expression instanceof SqmFunctionPath<?>) {
            return null;
        }
        SqmPath<?> from = from(path);
        if (from == null) {
            return null;
        }
        SqmQueryPart<?> select = selectOf(from);
        return select == null ? keyOfEntity(path, byFrom.get(from)) : keyOfSelect(path, from, select);
    }

    private @Nullable Key keyOfEntity(SqmPath<?> path, @Nullable Relation relation) {
        ComparedPath compared = ComparedPath.of(path, shards);
        return relation == null || compared.rule() == null
                ? null
                : new Key(relation, compared.text(), compared.rule(), compared.ofAny());
    }

    /** An item of a subselect in the FROM, or an attribute of such an item. */
    private @Nullable Key keyOfSelect(SqmPath<?> path, SqmPath<?> from, SqmQueryPart<?> select) {
        SqmPath<?> item = path;
        for (SqmPath<?> at = next(path); at != null && at != from; at = next(at)) {
            item = at;
        }
        if (item == from) {
            return null;
        }
        Key selected = column(select, item.getReferencedPathSource().getPathName());
        Relation own = byFrom.get(from);
        if (selected == null) {
            return null;
        }
        Relation relation = own == null ? selected.relation() : own;
        return item == path
                ? new Key(relation, selected.attribute(), selected.rule(), selected.ofAny())
                : keyOfEntity(path, relation);
    }

    /** The key that all parts of a select have as an item. */
    private @Nullable Key column(SqmQueryPart<?> select, String name) {
        List<? extends SqmSelection<?>> names =
                select.getFirstQuerySpec().getSelectClause().getSelections();
        int position = 0;
        while (position < names.size() && !name.equals(names.get(position).getAlias())) {
            position++;
        }
        return position == names.size() ? null : column(select, position);
    }

    private @Nullable Key column(SqmQueryPart<?> select, int position) {
        if (select instanceof SqmQuerySpec<?> spec) {
            List<SqmExpression<?>> items = Subselects.items(spec);
            return position < items.size() ? key(items.get(position)) : null;
        }
        Key first = null;
        boolean recursive = !visited.add(select);
        try {
            for (SqmQueryPart<?> part : ((SqmQueryGroup<?>) select).getQueryParts()) {
                Key key = column(part, position);
                if (recursive && first == null) {
                    return key; // the other parts are being looked at
                } else if (key == null || (first != null && !shards.areAlike(first.rule(), key.rule()))) {
                    return null;
                }
                first = key;
            }
            return first;
        } finally {
            if (!recursive) {
                visited.remove(select);
            }
        }
    }

    static @Nullable SqmQueryPart<?> selectOf(SqmPath<?> from) {
        if (from instanceof SqmDerivedRoot<?> root) {
            return root.getQueryPart().getQueryPart();
        } else if (from instanceof SqmDerivedJoin<?> join) {
            return join.getQueryPart().getQueryPart();
        }
        SqmCteStatement<?> named = from instanceof SqmCteRoot<?> root
                ? root.getCte()
                : from instanceof SqmCteJoin<?> join ? join.getCte() : null;
        return named == null ? null : named.getCteDefinition().getQueryPart();
    }
}
