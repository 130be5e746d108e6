package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns of a query that may not be what they look like: calls ({@code p.count} for {@code count(p)}, if no table has such a column), whole rows, which
 * go by the position of columns, and the columns that PostgreSQL gives each table, whose values mean something in their own table only.
 */
record ColumnRules(Select query, SqlText text, Catalogue catalogue) {
    private static final Set<String> OF_SYSTEM = SqlKeywords.words("CTID TABLEOID XMIN XMAX CMIN CMAX");

    /** Refuses columns that may be calls if a call would be refused, or have to be merged. */
    void refuseDoubtful(boolean perShard) {
        query.selects().forEach(each -> each.expressions().forEach(expression -> {
            if (mayBeCall(expression, each) && isDoubtful(expression.name(), perShard)) {
                throw ScatterRefusal.of(
                        "The column " + expression.name() + ", which PostgreSQL may take for a function of that name,",
                        text,
                        "Write the function's call.");
            }
        }));
    }

    /** Returns the names that are those of functions if they are any. */
    Set<String> calls() {
        Set<String> names = new HashSet<>();
        query.selects().forEach(each -> each.expressions().forEach(expression -> {
            if (expression.is(Kind.CALL) || mayBeCall(expression, each)) {
                names.add(expression.name());
            }
        }));
        return names;
    }

    private boolean isDoubtful(String name, boolean perShard) {
        return Aggregate.isAny(catalogue, name)
                || catalogue.of(name) == FunctionKind.ROWS
                || (!perShard && catalogue.isUnknown(name));
    }

    /** Returns whether it is written like a column of a table, and something that its qualifier may mean does not have it. */
    private boolean mayBeCall(Expression expression, Select within) {
        if (!expression.is(Kind.COLUMN) || expression.names().size() == 1) {
            return false;
        }
        List<FromItem> own = named(expression.names().get(0), within);
        List<FromItem> all = new ArrayList<>(own);
        if (own.isEmpty()) {
            query.selects().forEach(each -> all.addAll(named(expression.names().get(0), each)));
        }
        return expression.names().size() > 2 || !all.stream().allMatch(item -> has(item, expression.name()));
    }

    private static List<FromItem> named(String alias, Select within) {
        return within.singles().filter(item -> item.alias().equals(alias)).toList();
    }

    private boolean has(FromItem single, String column) {
        if (single instanceof FromItem.Table table) {
            TableColumns columns = catalogue.tables().get(new TableName(table.schema(), table.name()));
            return isOfSystem(column)
                    || (!table.renamed() && columns != null && columns.columns().containsKey(column));
        } else if (single instanceof FromItem.Derived derived) {
            return derived.columns().isEmpty()
                    ? derived.select().items.stream().anyMatch(i -> column.equals(i.name()))
                    : derived.columns().contains(column);
        }
        return false;
    }

    /**
     * Returns what the query uses of its tables. Refuses what goes by the position of columns, which may be another one in each shard.
     *
     * @param all of these tables, all columns matter
     */
    Map<TableName, TableColumns.Uses> uses(Set<TableName> tables, Set<TableName> all, boolean asTables) {
        Set<String> aliases = new HashSet<>();
        query.selects().flatMap(Select::singles).forEach(single -> {
            if (single instanceof FromItem.Table table) {
                aliases.add(table.alias());
                refusePosition(
                        table.renamed(),
                        "The table " + table.name() + " with other names for its columns",
                        "Name columns in the select list");
            }
        });
        catalogue
                .tables()
                .values()
                .forEach(table -> aliases.removeAll(table.columns().keySet()));
        Set<String> names = new HashSet<>();
        Set<Expression> counted = new HashSet<>();
        query.selects().flatMap(Select::expressions).forEach(expression -> {
            if (expression.is(Kind.CALL) && expression.name().equals("count")) {
                counted.addAll(expression.parts());
            } else if (expression.is(Kind.COLUMN)) {
                names.add(expression.name());
                boolean whole = expression.names().size() == 1 && aliases.contains(expression.name());
                refusePosition(
                        whole && !counted.contains(expression),
                        "The whole row " + expression.name(),
                        "Select its columns");
            }
        });
        Map<TableName, TableColumns.Uses> uses = new HashMap<>();
        tables.forEach(name -> uses.put(name, new TableColumns.Uses(names, all.contains(name), asTables)));
        return uses;
    }

    private void refusePosition(boolean positional, String what, String instead) {
        if (positional) {
            throw ScatterRefusal.of(
                    what + ", which goes by the position of columns, that may be another one in each shard,",
                    text,
                    instead + ".");
        }
    }

    private static boolean isOfSystem(String name) {
        return OF_SYSTEM.contains(SqlText.upper(name));
    }

    /** Refuses what compares system columns over shards. */
    static void refuseOfSystem(String clause, SqlSpan expression, SqlText text) {
        for (int i = expression.from(); i < expression.to(); i++) {
            if (text.isName(i) && isOfSystem(text.folded(i))) {
                throw ScatterRefusal.of(
                        clause + " with " + text.raw(i) + ", which each shard's table has for itself,",
                        text,
                        "Use a column of your own.");
            }
        }
    }
}
