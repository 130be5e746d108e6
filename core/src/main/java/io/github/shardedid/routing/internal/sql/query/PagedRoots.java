package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.FromItem.Join;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A query whose FROM begins with a subselect that has a limit, as Hibernate limits an entity whose collections it fetches: the rows of
 * the first entities, with those of their collections.
 *
 * <ol>
 *   <li>The rows must come in the order of the subselect first, so that the first rows of the merged result are those of the first entities.
 *   <li>Each join must keep each row of the subselect, or an entity would be counted that has no row.
 *   <li>The limit and the offset are taken out. Each shard returns as many entities as both together, since all first ones may be its own.
 *   <li>The table and position of an entity's row become hidden columns. They tell entities apart, whatever their ids are.
 * </ol>
 *
 * @param sql the query without that limit, with columns that tell the rows of the subselect apart
 * @param alias of the subselect
 * @param numbers for each parameter of {@code sql}, its number in the query
 */
record PagedRoots(String sql, String alias, List<Integer> numbers, RowCount limit, RowCount offset) {
    /** The number of columns that tell rows of the subselect in one database apart. */
    static final int COLUMNS = 2;

    private static final String TABLE = "sharded_id_table";
    private static final String ROW = "sharded_id_row";

    /** Marks where each shard's limit belongs. */
    static final String LIMIT = "/*sharded_id_roots*/";

    /** Null if a query has another form. */
    static @Nullable PagedRoots in(SqlText text, Select query) {
        if (query.where != null || query.isGrouped() || !query.further.isEmpty() || query.from.size() != 1) {
            return null;
        }
        FromItem item = query.from.get(0);
        List<Join> joins = new ArrayList<>();
        while (item instanceof Join join) {
            joins.add(join);
            item = join.left();
        }
        boolean limited = query.bounds.isEmpty()
                && item instanceof FromItem.Derived derived
                && !derived.lateral()
                && !derived.select().bounds.isEmpty()
                && derived.select().clauses.isEmpty()
                && !derived.select().from.isEmpty()
                && isOrderedBy(query, derived, text)
                && joins.stream().allMatch(join -> keepsAll(join, derived.select()));
        return limited ? of(text, (FromItem.Derived) item) : null;
    }

    /** Returns whether the rows come in the order of the subselect first, so that the first rows are those of the first entities. */
    private static boolean isOrderedBy(Select query, FromItem.Derived roots, SqlText text) {
        List<Select.SortItem> order = roots.select().order;
        return order.size() <= query.order.size()
                && IntStream.range(0, order.size())
                        .allMatch(i -> isSame(query.order.get(i), query, order.get(i), roots, text));
    }

    private static boolean isSame(
            Select.SortItem outer, Select query, Select.SortItem inner, FromItem.Derived roots, SqlText text) {
        Expression key = SortKey.resolve(outer.expression(), query.items, text);
        List<Select.Item> items = roots.select().items;
        Expression root = SortKey.resolve(inner.expression(), items, text);
        boolean starred = items.stream().anyMatch(Select.Item::star);
        List<String> names = IntStream.range(0, items.size())
                .filter(i -> items.get(i).expression().span().sameAs(root.span()))
                .mapToObj(i -> i < roots.columns().size()
                        ? roots.columns().get(i)
                        : String.valueOf(items.get(i).name()))
                .toList();
        if (starred) { // A star has the names of the table.
            names = root.is(Kind.COLUMN) && roots.columns().isEmpty() ? List.of(root.name()) : List.of();
        }
        return key.is(Kind.COLUMN)
                && names.contains(key.name())
                && (key.names().size() == 1 || key.names().get(0).equals(roots.alias()))
                && outer.descending() == inner.descending()
                && nullsFirst(outer) == nullsFirst(inner);
    }

    private static boolean nullsFirst(Select.SortItem item) {
        return item.nullsFirst() == null ? item.descending() : item.nullsFirst();
    }

    /** Returns whether each row of the subselect has a row in a join with it: by an outer join, or by a condition that is the same. */
    private static boolean keepsAll(Join join, Select roots) {
        if (join.type() == Join.Type.LEFT) {
            return true;
        }
        Expression on = join.on();
        if (join.type() == Join.Type.INNER && on != null && roots.where != null) {
            return roots.where.conjuncts().anyMatch(condition -> {
                Select select = condition.is(Kind.EXISTS) ? condition.select() : null;
                return select != null
                        && select.where != null
                        && select.where.span().sameAs(on.span())
                        && select.from.equals(List.of(join.right()))
                        && select.clauses.isEmpty()
                        && select.bounds.isEmpty();
            });
        }
        return false;
    }

    private static @Nullable PagedRoots of(SqlText text, FromItem.Derived roots) {
        FromItem table = roots.select().singles().findFirst().orElse(null);
        if (!(table instanceof FromItem.Table) || roots.select().withTies) {
            return null;
        }
        Select select = roots.select();
        String row = TableName.quoted(table.alias());
        int list = text.start(select.list.to());
        int bounds = text.start(select.bounds.from());
        int close = text.start(select.bounds.to());
        int end = text.start(roots.end() - 1);
        String sql = text.sql().substring(0, list) + ", " + row + ".tableoid as " + TABLE + ", " + row + ".ctid as "
                + ROW + " " + text.sql().substring(list, bounds) + LIMIT
                + text.sql().substring(close, end)
                + (roots.columns().isEmpty() ? "" : ", " + TABLE + ", " + ROW)
                + text.sql().substring(end);
        List<Integer> removed = select.bounds.parameters();
        return new PagedRoots(
                sql,
                roots.alias(),
                IntStream.rangeClosed(1, text.parameters())
                        .filter(number -> !removed.contains(number))
                        .boxed()
                        .toList(),
                RowCount.ofLimit(select.limit),
                select.offset == null ? RowCount.NONE : RowCount.of(select.offset));
    }

    /** Returns the columns behind those of the query. */
    String columns() {
        String name = TableName.quoted(alias);
        return ", " + name + "." + TABLE + ", " + name + "." + ROW;
    }

    List<Integer> original(List<Integer> parameters) {
        return parameters.stream().map(number -> numbers.get(number - 1)).toList();
    }
}
