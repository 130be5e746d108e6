package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds.Ids;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
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
 * Decides whether a query has the same rows in one schema and in several shards, that is, whether its rows meet only within their shard. They do
 * where columns with ids of the own shard are equal, in the condition of a join or of a subselect:
 *
 * <ol>
 *   <li>Each item of a FROM becomes a relation that knows which of its columns hold ids of the shard of its rows, and whether each shard has
 *       other rows in it.
 *   <li>An equality of two such columns that must be true puts their relations into one group. That of a subselect holds within it only: its
 *       groups are undone behind it, or they would bind two relations of the outer query.
 *   <li>A join of relations of two groups is refused, and so is an outer join that keeps a row which each shard has.
 *   <li>A subselect must be in the group of a row around it, or have the same rows in each shard; {@code id in (select …)} may also have rows of the
 *       same ids. {@code select exists (…)} may ask about all rows, as one shard's answer is enough.
 * </ol>
 */
final class Locality {
    private final SqlText text;
    private final ColocatedColumns columns;
    private final Predicate<Expression> aggregate;
    private final IdentityHashMap<FromItem, Relation> relations = new IdentityHashMap<>();
    /** Those of the whole query. */
    private final Scope whole = new Scope(null);
    /** The relations that the conditions read so far have joined, the last one first. */
    private final Deque<Relation> joins = new ArrayDeque<>();

    Locality(SqlText text, ColocatedColumns columns, Predicate<Expression> aggregate) {
        this.text = text;
        this.columns = columns;
        this.aggregate = aggregate;
    }

    /**
     * Refuses a whole query that compares rows of several shards, or returns a row once per shard.
     *
     * @return the lists of ids of which a shard needs its own
     */
    List<IdList> check(Select query) {
        Relation rows = from(query, whole);
        if (query.where == null && isExists(query)) {
            existsAnywhere(query.items.get(0).expression().select());
        } else if (rows == null) {
            throw refused("A query without a table of the shards", "Each would return the same rows.");
        } else {
            expressions(query, whole);
            return lists(query);
        }
        return List.of();
    }

    /** Returns whether a query is {@code select exists (…)} without a FROM. */
    static boolean isExists(Select query) {
        return query.from.isEmpty()
                && query.items.size() == 1
                && query.items.get(0).expression().is(Kind.EXISTS);
    }

    /** Returns the ids of which each row has one. Refuses as {@link #check} does. */
    Optional<Ids> requiredIds(Select query) {
        if (from(query, whole) == null) {
            return Optional.empty();
        }
        expressions(query, whole);
        return query.where == null
                ? Optional.empty()
                : Optional.ofNullable(new KeyValues(this::isOwnId, column -> null).of(query.where));
    }

    /** Finds the lists of ids in conditions that the WHERE requires: the ids of other shards' rows equal none of a shard's. */
    private List<IdList> lists(Select query) {
        List<IdList> found = new ArrayList<>();
        if (query.where != null) {
            query.where.walk().forEach(condition -> {
                boolean list =
                        condition.is(Kind.IN_LIST) || condition.is(Kind.IN_NONE) || condition.is(Kind.EQUALS_ANY);
                if (list
                        && condition.parts().get(1).span().is("?")
                        && isOwnId(condition.parts().get(0))) {
                    SqlSpan span = condition.span();
                    int word = condition.parts().get(0).span().to();
                    while (span.text().is(word, ")")) {
                        word++;
                    }
                    boolean in = span.text().is(word, "IN") || span.text().is(word, "NOT");
                    found.add(new IdList(
                            condition.parts().get(1).span().parameters().get(0), in ? word - span.from() : 0));
                }
            });
        }
        return List.copyOf(found);
    }

    /**
     * A list of ids of rows that is one parameter, of which a shard needs only its own.
     *
     * @param parameter its number, from 1
     * @param column how many tokens the column takes, if the list is behind {@code IN}; 0 if it is an array
     */
    record IdList(int parameter, int column) {
        /** Returns it with the number that its parameter has elsewhere. */
        IdList in(List<Integer> numbers) {
            return new IdList(numbers.get(parameter - 1), column);
        }
    }

    /** Returns whether an expression is a column of the whole query with ids of its own shard: no two shards have the same. */
    boolean isOwnId(Expression expression) {
        return whole.keyed(expression) != null;
    }

    /** Returns whether each row of a whole query has an id in a column, so that no two shards have rows that are equal in it. */
    boolean isIdOfEachRow(Select query, Expression expression, Catalogue catalogue) {
        Relation relation = whole.keyed(expression);
        return relation != null
                && query.from.stream().anyMatch(item -> always(item, relation, expression.name(), catalogue));
    }

    /** Returns whether a FROM item always has a row of a relation, which is a table whose column is never null. */
    private boolean always(FromItem item, Relation relation, String column, Catalogue catalogue) {
        if (item instanceof FromItem.Join join) {
            boolean left = join.type() == FromItem.Join.Type.INNER || join.type() == FromItem.Join.Type.LEFT;
            boolean right = join.type() == FromItem.Join.Type.INNER || join.type() == FromItem.Join.Type.RIGHT;
            return (left && always(join.left(), relation, column, catalogue))
                    || (right && always(join.right(), relation, column, catalogue));
        }
        return relation.equals(relations.get(item))
                && item instanceof FromItem.Table table
                && catalogue.isNotNull(table.schema(), table.name(), column);
    }

    private void existsAnywhere(@Nullable Select select) {
        Scope scope = new Scope(null);
        if (select == null || select.offset != null || !isPlain(select, true) || from(select, scope) == null) {
            throw allRows();
        }
        expressions(select, scope);
    }

    /** Returns whether each of its rows comes of one row of each table. */
    private boolean isPlain(Select select, boolean bounded) {
        return (bounded ? select.clauses.isEmpty() : select.isRowByRow())
                && select.expressions().noneMatch(aggregate)
                && select.further.stream().allMatch(further -> isPlain(further, false));
    }

    /** Adds the relations of a FROM to the scope; returns one that stands for all sharded ones, null if there are none. */
    private @Nullable Relation from(Select select, Scope scope) {
        for (FromItem item : select.from) {
            introduce(item, scope);
        }
        if (select.where != null) {
            bind(select.where, scope, relation -> true);
        }
        Relation rows = null;
        for (FromItem item : select.from) {
            rows = inner(rows, joined(item, scope));
        }
        return rows;
    }

    private void introduce(FromItem item, Scope scope) {
        if (item instanceof FromItem.Join join) {
            introduce(join.left(), scope);
            introduce(join.right(), scope);
            return;
        }
        Relation relation;
        if (item instanceof FromItem.Table table) {
            if (!table.sharded()) {
                throw refused("The table " + table.name() + ", which is not in the shards' schema,", "It may differ.");
            }
            relation = new Relation(table.alias(), true, table.renamed() ? Set.of() : columns.of(table.name()));
        } else if (item instanceof FromItem.Derived derived) {
            relation = derived(derived, scope);
        } else {
            relation = new Relation(item.alias(), false, Set.of());
        }
        relations.put(item, relation);
        scope.relations.add(relation);
    }

    private Relation derived(FromItem.Derived derived, Scope scope) {
        Select select = derived.select();
        Scope outer = derived.lateral() ? scope : scope.outer;
        if (isBoundOrFixed(select, outer)) {
            return new Relation(derived.alias(), false, Set.of());
        } else if (!isPlain(select, false)) {
            throw allRows();
        }
        List<String> names = derived.columns();
        Set<String> keys = keys(select, names, outer);
        for (Select further : select.further) {
            keys.retainAll(keys(further, names.isEmpty() ? names(select) : names, outer));
        }
        return new Relation(derived.alias(), true, keys);
    }

    private static List<String> names(Select select) {
        return select.items.stream().map(item -> String.valueOf(item.name())).toList();
    }

    /** Returns the names of the columns that have ids of their shard; checks the select, too. */
    private Set<String> keys(Select select, List<String> names, @Nullable Scope outer) {
        return within(() -> keysWithin(select, names, outer));
    }

    private Set<String> keysWithin(Select select, List<String> names, @Nullable Scope outer) {
        Scope scope = new Scope(outer);
        Relation rows = from(select, scope);
        if (rows == null) {
            throw allRows();
        }
        expressions(select, scope);
        Set<String> keys = new HashSet<>();
        boolean star = select.items.stream().anyMatch(Select.Item::star);
        if (star && names.isEmpty() && select.items.size() == 1 && scope.relations.size() == 1) {
            keys.addAll(scope.relations.get(0).keys);
        }
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
     * Checks a subselect. Its conditions filter its own rows only: what they bind is not bound outside of it, least of all
     * two relations of the outer query.
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

    /** Returns one of the sharded relations that a row of a FROM item always has; null if it has none. */
    private @Nullable Relation joined(FromItem item, Scope scope) {
        if (!(item instanceof FromItem.Join join)) {
            Relation relation = relations.get(item);
            return relation != null && relation.sharded ? relation : null;
        }
        Relation left = joined(join.left(), scope);
        Relation right = joined(join.right(), scope);
        if (join.on() != null) {
            Set<Relation> own = join.singles().map(relations::get).collect(Collectors.toSet());
            bind(join.on(), scope, own::contains);
        }
        Relation kept = inner(left, right);
        boolean onceEach =
                switch (join.type()) {
                    case INNER -> true;
                    case LEFT -> left != null || right == null;
                    case RIGHT -> right != null || left == null;
                    case FULL -> (left == null) == (right == null);
                };
        if (!onceEach) {
            throw refused("An outer join that keeps what is no row of a shard", "Each shard would return it.");
        }
        return kept;
    }

    private @Nullable Relation inner(@Nullable Relation left, @Nullable Relation right) {
        if (left != null && right != null && !left.isWith(right)) {
            throw refused(
                    "A join of " + left.alias + " and " + right.alias + " by something else than ids of one shard",
                    "Its partners may be in other shards: join by the columns of associations between sharded entities, in"
                            + " JDBC by those that RoutingDataSource.declareColocated names.");
        }
        return left == null ? right : left;
    }

    /** Checks the subselects within a select whose FROM has been looked at. */
    private void expressions(Select select, Scope scope) {
        Set<Select> bySet = new HashSet<>();
        if (select.where != null) {
            positive(select.where, scope, bySet);
        }
        select.expressions().forEach(expression -> {
            Select inner = expression.select();
            if (inner != null && !bySet.contains(inner) && !isBoundOrFixed(inner, scope)) {
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

    private boolean hasIds(Select inner, Scope outer) {
        boolean plain =
                isPlain(inner, false) && !inner.from.isEmpty() && inner.items.size() == 1 && inner.further.isEmpty();
        return plain && !keys(inner, List.of("id"), outer).isEmpty();
    }

    /** Returns whether a select has only rows that are bound to one around it, or the same rows in each shard. */
    private boolean isBoundOrFixed(Select select, @Nullable Scope outer) {
        return within(() -> isBoundOrFixedItself(select, outer))
                && select.further.stream().allMatch(further -> isBoundOrFixed(further, outer));
    }

    private boolean isBoundOrFixedItself(Select select, @Nullable Scope outer) {
        Scope scope = new Scope(outer);
        Relation rows = from(select, scope);
        boolean bound = rows == null || (outer != null && outer.binds(rows));
        if (bound) {
            expressions(select, scope);
        }
        return bound;
    }

    private RuntimeException allRows() {
        return refused(
                "A subselect that asks about all rows",
                "Ask for its result first, and pass it as a parameter; or tie it to the outer row by an id of its shard.");
    }

    private RuntimeException refused(String what, String instead) {
        return ScatterRefusal.of(what, text, instead + " Or, " + ScatterRefusal.PER_SHARD);
    }

    /** Something in a FROM that has a name; relations whose rows meet within a shard only are put into one group. */
    private static final class Relation {
        final String alias;
        /** True if it has other rows in each shard; else each has the same ones. */
        final boolean sharded;
        /** The columns with ids of the row's own shard. */
        final Set<String> keys;

        private Relation group = this;

        Relation(String alias, boolean sharded, Set<String> keys) {
            this.alias = alias;
            this.sharded = sharded;
            this.keys = keys;
        }

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

        /** Returns the relation of which an expression is a column with ids of its shard; null if that is not certain. */
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

        private Stream<Relation> named(String alias) {
            return around().flatMap(scope -> scope.relations.stream())
                    .filter(relation -> relation.alias.equals(alias))
                    .limit(1);
        }

        /** Returns whether a relation is bound to one of these, or of those around. */
        boolean binds(Relation inner) {
            return around().flatMap(scope -> scope.relations.stream())
                    .anyMatch(relation -> relation.sharded && relation.isWith(inner));
        }

        private Stream<Scope> around() {
            return Stream.iterate(this, Objects::nonNull, scope -> scope.outer);
        }
    }
}
