package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ReferencePaths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.metamodel.model.domain.AnyMappingDomainType;
import org.hibernate.metamodel.model.domain.EntityDomainType;
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

    /** Returns what a path begins with: that which it is correlated with, or treated as. */
    private static @Nullable SqmPath<?> next(SqmPath<?> path) {
        SqmPath<?> wrapped = path instanceof SqmPathWrapper<?, ?> wrapper ? wrapper.getWrappedPath() : path;
        return wrapped == path ? path.getLhs() : wrapped;
    }

    /** The key that an expression is; null if it is none. */
    @Nullable
    KeyPath key(SqmExpression<?> expression) {
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

    private @Nullable KeyPath keyOfEntity(SqmPath<?> path, @Nullable Relation relation) {
        ComparedPath compared = ComparedPath.of(path, shards);
        return relation == null || compared.rule() == null
                ? null
                : new KeyPath(relation, compared.text(), compared.rule(), compared.ofAny());
    }

    /** An item of a subselect in the FROM, or an attribute of such an item. */
    private @Nullable KeyPath keyOfSelect(SqmPath<?> path, SqmPath<?> from, SqmQueryPart<?> select) {
        SqmPath<?> item = path;
        for (SqmPath<?> at = next(path); at != null && at != from; at = next(at)) {
            item = at;
        }
        if (item == from) {
            return null;
        }
        KeyPath selected = column(select, item.getReferencedPathSource().getPathName());
        Relation own = byFrom.get(from);
        if (selected == null) {
            return null;
        }
        Relation relation = own == null ? selected.relation() : own;
        return item == path
                ? new KeyPath(relation, selected.attribute(), selected.rule(), selected.ofAny())
                : keyOfEntity(path, relation);
    }

    /** The key that all parts of a select have as an item. */
    private @Nullable KeyPath column(SqmQueryPart<?> select, String name) {
        List<? extends SqmSelection<?>> names =
                select.getFirstQuerySpec().getSelectClause().getSelections();
        int position = 0;
        while (position < names.size() && !name.equals(names.get(position).getAlias())) {
            position++;
        }
        return position == names.size() ? null : column(select, position);
    }

    private @Nullable KeyPath column(SqmQueryPart<?> select, int position) {
        if (select instanceof SqmQuerySpec<?> spec) {
            List<SqmExpression<?>> items = items(spec);
            return position < items.size() ? key(items.get(position)) : null;
        }
        KeyPath first = null;
        boolean recursive = !visited.add(select);
        try {
            for (SqmQueryPart<?> part : ((SqmQueryGroup<?>) select).getQueryParts()) {
                KeyPath key = column(part, position);
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

    /** Returns the selected expressions; none if one of the items is something else. */
    static List<SqmExpression<?>> items(SqmQuerySpec<?> select) {
        List<SqmExpression<?>> items = new ArrayList<>();
        for (SqmSelection<?> selection : select.getSelectClause().getSelections()) {
            if (!(selection.getSelectableNode() instanceof SqmExpression<?> item)) {
                return List.of();
            }
            items.add(item);
        }
        return items;
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

    /**
     * An attribute in a statement that determines the shard of the rows it belongs to.
     *
     * @param relation the rows
     * @param attribute the attribute, for messages
     * @param rule how a value determines the shard
     * @param ofAny as in {@link ComparedPath}
     */
    record KeyPath(Relation relation, String attribute, ShardRule rule, boolean ofAny) {}

    /**
     * Rows that a statement reads or changes: of an entity and what is associated with it, or of a subselect. A group of relations is joined by
     * keys, so that each row of the result is made of rows of one shard. For one thread.
     */
    static final class Relation {
        /** For messages. */
        private final String name;

        /** The select to which it belongs. */
        private final Object level;

        private final List<RequiredRows.Condition> conditions = new ArrayList<>();

        /** True if its rows are in the shard of other rows, which have conditions themselves. */
        private boolean bound;

        /** True if it is the result of a subselect, whose own rows have conditions themselves. */
        private boolean ofSelect;

        private Relation group = this;
        private final List<Relation> joined = new ArrayList<>(List.of(this));

        Relation(String name, Object level) {
            this.name = name;
            this.level = level;
        }

        boolean isOf(Object select) {
            return level.equals(select);
        }

        void add(RequiredRows.Condition condition) {
            conditions.add(condition);
        }

        void bind() {
            bound = true;
        }

        void isOfSelect() {
            ofSelect = true;
        }

        /** Makes one group of two. */
        void join(Relation other) {
            Relation into = other.group;
            if (into.equals(group)) {
                return;
            }
            List<Relation> moved = group.joined;
            into.joined.addAll(moved);
            moved.forEach(each -> each.group = into);
        }

        /** Returns whether nothing says where the rows of a group are. Only one relation of a group answers. */
        boolean isLoose() {
            return isGroup()
                    && joined.stream().noneMatch(each -> each.bound || each.ofSelect)
                    && conditionsOfGroup().isEmpty();
        }

        /**
         * Returns whether the conditions of a group say where the rows of the statement are. Only one relation of a group answers.
         *
         * @param loose whether the conditions of the rows that a subselect returns count, too: those of its own rows are not enough
         */
        boolean requires(boolean loose) {
            return isGroup()
                    && joined.stream().noneMatch(each -> each.bound || (each.ofSelect && !loose))
                    && !conditionsOfGroup().isEmpty();
        }

        private boolean isGroup() {
            return group.equals(this);
        }

        List<RequiredRows.Condition> conditionsOfGroup() {
            return joined.stream().flatMap(Relation::conditions).toList();
        }

        /** The attribute that is compared with a value which is not known; null if there is none. */
        @Nullable
        String computed() {
            return joined.stream()
                    .flatMap(each -> each.conditions.stream())
                    .filter(condition -> !condition.isKnown())
                    .map(condition -> condition.alternatives().get(0).attribute())
                    .findFirst()
                    .orElse(null);
        }

        private Stream<RequiredRows.Condition> conditions() {
            return conditions.stream().filter(RequiredRows.Condition::isKnown);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * A path of a statement, as an attribute of an entity.
     *
     * @param text for messages: {@code Photo.id}
     * @param rule how the attribute determines the shard of the rows; null if it does not
     * @param ofAny whether it is an {@code @Any}, which may refer to a row of the global database, too
     */
    public record ComparedPath(String text, @Nullable ShardRule rule, boolean ofAny) {
        /** By the closest entity of the path that is in the shard of the rows: associated entities are, except foreign ones. */
        public static ComparedPath of(SqmPath<?> path, AttributeRules shards) {
            StringBuilder attributes = new StringBuilder();
            SqmPath<?> at = path;
            while (at != null) {
                if (at.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type
                        && !ReferencePaths.isForeign(at)) {
                    Class<?> entity = type.getJavaType();
                    String name = attributes.toString();
                    String text = name.isEmpty() ? type.getName() : type.getName() + "." + name;
                    boolean ofAny = path.getReferencedPathSource().getPathType() instanceof AnyMappingDomainType;
                    if (!shards.isSharded(entity)) {
                        return new ComparedPath(text, null, false);
                    } else if (name.isEmpty() || ofAny) {
                        return new ComparedPath(text, ofAny ? shards.byAny() : shards.byId(entity), ofAny);
                    }
                    return new ComparedPath(text, shards.byPath(entity, name).orElse(null), false);
                }
                String own = at.getReferencedPathSource().getPathName();
                attributes.insert(0, attributes.length() == 0 ? own : own + ".");
                at = at.getLhs();
            }
            return new ComparedPath(path.getNavigablePath().getFullPath(), null, false);
        }
    }
}
