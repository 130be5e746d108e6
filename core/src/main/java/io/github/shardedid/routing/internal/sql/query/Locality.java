package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds.Ids;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a query has the same rows in one schema and in several shards, that is, whether its rows meet
 * only within their shard. They do where columns with ids of the own shard are equal, in the condition of a
 * join or of a subselect:
 *
 * <ol>
 *   <li>Each item of a FROM becomes a relation that knows which of its columns hold ids of the shard of its
 *       rows.
 *   <li>An equality of two such columns that must be true puts their relations into one group. That of a
 *       subselect holds within it only: its groups are undone behind it, or they would bind two relations of
 *       the outer query.
 *   <li>A join of relations of two groups is refused. Replicated tables belong to each group, unless an outer join preserves them.
 *   <li>A subselect must be in the group of a row around it, or read no table; {@code id in (select …)} may
 *       also have rows of the same ids.
 * </ol>
 */
final class Locality {
    private final SqlText text;
    private final ColocatedColumns columns;
    private final Predicate<Expression> aggregate;
    /** The relations by the items of the FROMs. By identity, since two items may be written alike. */
    private final IdentityHashMap<FromItem, Relation> relations = new IdentityHashMap<>();
    /** The relations of the whole query, without those of subselects. */
    private final Scope whole = new Scope(null);
    /**
     * The relations that the conditions read so far have joined, the last one first, so that those of a
     * subselect can be undone.
     */
    private final Deque<Relation> joins = new ArrayDeque<>();

    /**
     * Creates a check, for one query.
     *
     * @param columns the columns that hold ids of the row's own shard
     * @param aggregate whether an expression may be a call of an aggregate
     */
    Locality(SqlText text, ColocatedColumns columns, Predicate<Expression> aggregate) {
        this.text = text;
        this.columns = columns;
        this.aggregate = aggregate;
    }

    /** Refuses a whole query that compares rows of several shards, or returns a row once per shard. */
    void check(Select query) {
        if (from(query, whole) == null) {
            throw refused(
                    "A query whose FROM has replicated tables only, of which each shard would return the same rows,",
                    "Ask one shard. If a subselect is about sharded rows, ask for their columns in a query of its own.");
        }
        expressions(query, whole);
    }

    /** Returns the ids of which each row has one. Refuses as {@link #check} does. */
    Optional<Ids> requiredIds(Select query) {
        check(query);
        return Optional.ofNullable(new KeyValues(this::isOwnId).of(query.required()));
    }

    /**
     * Returns whether an expression is a column of the whole query with ids of its own shard: no two shards
     * have the same.
     */
    boolean isOwnId(Expression expression) {
        return whole.keyed(expression) != null;
    }

    /**
     * Returns whether each row of a whole query has an id in a column, so that no two shards have rows that are
     * equal in it.
     */
    boolean isIdOfEachRow(Select query, Expression expression, Catalogue catalogue) {
        Relation relation = whole.keyed(expression);
        return relation != null
                && query.from.stream().anyMatch(item -> always(item, relation, expression.name(), catalogue));
    }

    /** Returns whether a FROM item always has a row of a relation, which is a table whose column is never null. */
    private boolean always(FromItem item, Relation relation, String column, Catalogue catalogue) {
        if (item instanceof FromItem.Join join) {
            return always(join.left(), relation, column, catalogue)
                    || (!join.outer() && always(join.right(), relation, column, catalogue));
        }
        TableColumns.Column found =
                item instanceof FromItem.Table table ? catalogue.column(table.name(), column) : null;
        return relation.equals(relations.get(item)) && found != null && found.notNull();
    }

    /** Returns whether each of its rows comes of one row of each table. */
    private boolean isPlain(Select select) {
        return select.isRowByRow()
                && select.expressions().noneMatch(aggregate)
                && select.further.stream().allMatch(this::isPlain);
    }

    /**
     * Adds the relations of a FROM to the scope; returns one that stands for all, null if there are none. Replicated tables are not among
     * them: whatever shard a row is in, it meets the same rows there.
     */
    private @Nullable Relation from(Select select, Scope scope) {
        select.singles().forEach(item -> {
            boolean copied =
                    item instanceof FromItem.Table table && table.name().isReplicated();
            Relation relation = copied ? new Relation(item.alias(), Set.of()) : relation(item, scope);
            relations.put(item, copied ? null : relation);
            scope.relations.add(relation);
        });
        if (select.where != null) {
            bind(select.where, scope, relation -> true);
        }
        Relation rows = null;
        for (FromItem item : select.from) {
            rows = inner(rows, joined(item, scope));
        }
        return rows;
    }

    /**
     * Returns the relation of an item. Its rows must be rows of one shard.
     *
     * @throws io.github.shardedid.routing.UnsupportedStatementException if they may be others
     */
    private Relation relation(FromItem item, Scope scope) {
        if (item instanceof FromItem.Table table && table.name().isSharded()) {
            return new Relation(table.alias(), columns.of(table.name().name()));
        } else if (item instanceof FromItem.Derived derived && isPlain(derived.select())) {
            Select select = derived.select();
            List<String> names = derived.columns();
            Set<String> keys = keys(select, names, scope.outer);
            for (Select further : select.further) {
                List<String> own = select.items.stream()
                        .map(column -> String.valueOf(column.name()))
                        .toList();
                keys.retainAll(keys(further, names.isEmpty() ? own : names, scope.outer));
            }
            return new Relation(derived.alias(), keys);
        }
        throw refused(
                "A FROM with other than tables of the shards and plain subselects of these, " + item.alias(),
                "Its rows may be the same in each shard, or be made of those of several. Limit entities without their"
                        + " collections, and fetch these by a further query.");
    }

    /** Returns the names of the columns that have ids of their shard; checks the select, too. */
    private Set<String> keys(Select select, List<String> names, @Nullable Scope outer) {
        return within(() -> {
            Scope scope = new Scope(outer);
            Relation rows = from(select, scope);
            if (rows == null) {
                throw allRows();
            }
            expressions(select, scope);
            Set<String> keys = new HashSet<>();
            boolean star = select.items.stream().anyMatch(Select.Item::star);
            for (int i = 0; i < select.items.size() && !star; i++) {
                Select.Item item = select.items.get(i);
                String name = i < names.size() ? names.get(i) : item.name();
                Relation keyed = scope.keyed(item.expression());
                // A column of an outer relation has ids of that relation's shard, not of these rows.
                if (name != null && keyed != null && keyed.isWith(rows)) {
                    keys.add(name);
                }
            }
            return keys;
        });
    }

    /** Puts relations into one group whose keys are equal wherever a condition is true. */
    private void bind(Expression condition, Scope scope, Predicate<Relation> within) {
        condition.conjuncts().forEach(part -> {
            if (part.is(Kind.EQUALS)) {
                Relation a = scope.keyed(part.parts().get(0));
                Relation b = scope.keyed(part.parts().get(1));
                if (a != null && b != null && !a.isWith(b) && within.test(a) && within.test(b)) {
                    joins.push(a.join(b));
                }
            }
        });
    }

    /**
     * Checks a subselect. Its conditions filter its own rows only: what they bind is not bound outside of it,
     * least of all two relations of the outer query.
     */
    private <T> T within(Supplier<T> check) {
        int before = joins.size();
        try {
            return check.get();
        } finally {
            while (joins.size() > before) {
                joins.pop().leave();
            }
        }
    }

    /** Returns one of the relations of a FROM item, all of which are of one group; null if it has only replicated tables. */
    private @Nullable Relation joined(FromItem item, Scope scope) {
        if (!(item instanceof FromItem.Join join)) {
            return relations.get(item);
        }
        Relation left = joined(join.left(), scope);
        Relation right = joined(join.right(), scope);
        if (left == null && right != null && join.outer()) {
            throw refused(
                    "An outer join whose preserved side is replicated, of which each shard would return the same rows,",
                    "A row without a partner in one shard may have some in another. Without such rows, it is an inner join;"
                            + " to find them, ask for the sharded rows and the others in two queries.");
        }
        if (join.condition() != null) {
            Set<Relation> own = join.singles().map(relations::get).collect(Collectors.toSet());
            bind(join.condition(), scope, own::contains);
        }
        return inner(left, right);
    }

    /** Returns a relation that stands for two, which must be in one group. */
    private @Nullable Relation inner(@Nullable Relation left, @Nullable Relation right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        } else if (!left.isWith(right)) {
            throw refused(
                    "A join of " + left.alias + " and " + right.alias + " by something else than ids of one shard",
                    "Its partners may be in other shards: join by the columns of associations between sharded entities, in"
                            + " JDBC by those that RoutingDataSource.declareColocated names.");
        }
        return right;
    }

    /** Checks the subselects within a select whose FROM has been looked at. */
    private void expressions(Select select, Scope scope) {
        Set<Select> bySet = new HashSet<>();
        if (select.where != null) {
            positive(select.where, scope, bySet);
        }
        select.expressions().forEach(expression -> {
            Select inner = expression.select();
            if (inner != null && !bySet.contains(inner) && !isBound(inner, scope)) {
                throw allRows();
            }
        });
    }

    /** Finds {@code id in (select …)} that need be no more than true or not. */
    private void positive(Expression condition, Scope scope, Set<Select> found) {
        if (condition.is(Kind.AND) || condition.is(Kind.OR)) {
            condition.parts().forEach(part -> positive(part, scope, found));
        } else if (condition.is(Kind.IN_SELECT)) {
            Select inner = condition.select();
            if (inner != null && scope.keyed(condition.parts().get(0)) != null && hasIds(inner, scope)) {
                found.add(inner);
            }
        }
    }

    /**
     * Returns whether a subselect returns ids of its rows' own shards, so that a row of another shard cannot be
     * equal.
     */
    private boolean hasIds(Select inner, Scope outer) {
        boolean plain = isPlain(inner) && !inner.from.isEmpty() && inner.items.size() == 1 && inner.further.isEmpty();
        return plain && !keys(inner, List.of("id"), outer).isEmpty();
    }

    /** Returns whether a select has only rows that are bound to one around it, or reads no table. */
    private boolean isBound(Select select, Scope outer) {
        return within(() -> {
                    Scope scope = new Scope(outer);
                    Relation rows = from(select, scope);
                    boolean bound = rows == null || outer.binds(rows);
                    if (bound) {
                        expressions(select, scope);
                    }
                    return bound;
                })
                && select.further.stream().allMatch(further -> isBound(further, outer));
    }

    private RuntimeException allRows() {
        return refused(
                "A subselect that asks about all rows",
                "Ask for its result first, and pass it as a parameter; or tie it to the outer row by an id of its shard.");
    }

    /** Returns a refusal, with the way out. */
    private RuntimeException refused(String what, String instead) {
        return ScatterRefusal.of(what, text, instead + " Or, " + ScatterRefusal.PER_SHARD);
    }

    /**
     * Something in a FROM that has a name. Relations whose rows meet within a shard only are put into one
     * group: a tree of links, whose root stands for it.
     */
    private static final class Relation {
        final String alias;
        /** The columns with ids of the row's own shard. */
        final Set<String> keys;

        /** The next relation on the way to the root; itself if it is the root. */
        private Relation group = this;

        Relation(String alias, Set<String> keys) {
            this.alias = alias;
            this.keys = keys;
        }

        /** Returns the root. The way is not shortened, so that the last join can be undone. */
        private Relation group() {
            Relation found = this;
            while (found.group != found) {
                found = found.group;
            }
            return found;
        }

        /** Puts both groups into one; returns the one whose {@link #leave} undoes it. */
        Relation join(Relation other) {
            Relation joining = other.group();
            joining.group = group();
            return joining;
        }

        /** Undoes the last {@link #join} of its group to another one. */
        void leave() {
            group = this;
        }

        boolean isWith(Relation other) {
            return group() == other.group();
        }
    }

    /** The relations that the names within a select may mean. */
    private static final class Scope {
        final @Nullable Scope outer;
        final List<Relation> relations = new ArrayList<>();

        Scope(@Nullable Scope outer) {
            this.outer = outer;
        }

        /**
         * Returns the relation of which an expression is a column with ids of its shard; null if that is not
         * certain.
         */
        @Nullable
        Relation keyed(Expression expression) {
            List<String> names = expression.names();
            if (!expression.is(Kind.COLUMN) || names.size() > 2) {
                return null;
            }
            // Without knowing all columns, the innermost relations are those that a bare name can belong to for
            // certain.
            return (names.size() == 1 ? relations.stream() : named(names.get(0)))
                    .filter(relation -> relation.keys.contains(expression.name()))
                    .findFirst()
                    .orElse(null);
        }

        /** Returns the innermost relation of a name. */
        private Stream<Relation> named(String alias) {
            return around().flatMap(scope -> scope.relations.stream())
                    .filter(relation -> relation.alias.equals(alias))
                    .limit(1);
        }

        /** Returns whether a relation is bound to one of these, or of those around. */
        boolean binds(Relation inner) {
            return around().flatMap(scope -> scope.relations.stream()).anyMatch(relation -> relation.isWith(inner));
        }

        /** Returns the scope and those around it, from the inside. */
        private Stream<Scope> around() {
            return Stream.iterate(this, Objects::nonNull, scope -> scope.outer);
        }
    }
}
