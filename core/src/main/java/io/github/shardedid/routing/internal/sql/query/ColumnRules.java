package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Refuses columns that may not be what they look like: calls ({@code p.count} for {@code count(p)}, if no table
 * has such a column), whole rows, which go by the position of columns, and the columns that PostgreSQL gives
 * each table, whose values mean something in their own table only.
 *
 * @param query the whole query
 * @param text its text, for messages
 * @param catalogue the columns of its tables
 */
record ColumnRules(Select query, SqlText text, Catalogue catalogue) {
    /** The columns that PostgreSQL gives each table. */
    private static final Set<String> OF_SYSTEM = SqlKeywords.words("CTID TABLEOID XMIN XMAX CMIN CMAX");

    /** Checks all columns, and returns their names. */
    Set<String> check() {
        Set<String> aliases = new HashSet<>();
        query.selects().flatMap(Select::singles).map(FromItem::alias).forEach(aliases::add);
        Set<String> names = new HashSet<>();
        query.selects().forEach(select -> select.expressions()
                .filter(expression -> expression.is(Kind.COLUMN))
                .forEach(column -> {
                    names.add(column.name());
                    check(column, select, aliases);
                }));
        return names;
    }

    private void check(Expression column, Select within, Set<String> aliases) {
        String name = column.name();
        refuse(
                OF_SYSTEM.contains(SqlText.upper(name)),
                "The column " + name + ", which each shard's table has for itself,",
                "Use a column of your own.");
        if (column.names().size() == 1) {
            refuse(
                    aliases.contains(name),
                    "The name " + name + ", which may be a whole row,",
                    "Select its columns, and write the table's alias before their names.");
            return;
        }
        List<FromItem> named = named(column.names().get(0), within);
        boolean known = column.names().size() == 2
                && (named.isEmpty() ? named(column.names().get(0), query) : named)
                        .stream().allMatch(item -> has(item, name));
        refuse(
                !known,
                "The column " + column.span().sql() + ", which PostgreSQL may take for a function of that name,",
                "Write the name of a column, with the table's alias before it.");
    }

    /** Returns what an alias may mean, of a select itself or of the whole query. */
    private List<FromItem> named(String alias, Select within) {
        return (within == query ? query.selects().flatMap(Select::singles) : within.singles())
                .filter(item -> item.alias().equals(alias))
                .toList();
    }

    /** Returns whether an item has a column. A table that is not known may have any. */
    private boolean has(FromItem single, String column) {
        if (single instanceof FromItem.Table table) {
            TableColumns columns = catalogue.tables().get(table.name());
            return columns == null || columns.columns().containsKey(column);
        } else if (single instanceof FromItem.Derived derived) {
            return derived.columns().isEmpty()
                    ? derived.select().items.stream().anyMatch(i -> column.equals(i.name()))
                    : derived.columns().contains(column);
        }
        return true;
    }

    private void refuse(boolean doubtful, String what, String instead) {
        if (doubtful) {
            throw ScatterRefusal.of(what, text, instead);
        }
    }
}
