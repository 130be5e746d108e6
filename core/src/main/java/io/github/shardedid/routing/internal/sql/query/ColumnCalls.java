package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.catalog.Catalogue;
import io.github.shardedid.routing.internal.sql.catalog.FunctionKind;
import io.github.shardedid.routing.internal.sql.catalog.TableColumns;
import io.github.shardedid.routing.internal.sql.catalog.TableName;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The calls of a query, with columns that PostgreSQL takes for calls: {@code p.count} for {@code count(p)}, if no table has them. */
record ColumnCalls(Select select, Catalogue catalogue) {
    /** Refuses such columns if a call would be refused, or have to be merged. */
    void refuseDoubtful(SqlText text, boolean perShard) {
        select.selects(each -> each.expressions(expression -> {
            if (mayBeCall(expression, each) && isDoubtful(expression.name(), perShard)) {
                throw ScatterRefusal.of(
                        "The column " + expression.name() + ", which PostgreSQL may take for a function of that name,",
                        text,
                        "Write the function's call.");
            }
        }));
    }

    /** The names that are those of functions if they are any. */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        select.selects(each -> each.expressions(expression -> {
            if (expression.is(Kind.CALL) || mayBeCall(expression, each)) {
                names.add(expression.name());
            }
        }));
        return names;
    }

    private boolean isDoubtful(String name, boolean perShard) {
        return Aggregate.isAny(catalogue, name)
                || catalogue.of(name) == FunctionKind.ROWS
                || (!perShard && isUnknown(catalogue, name));
    }

    /** Whether there is a function of that name that may read other rows. */
    static boolean isUnknown(Catalogue catalogue, String name) {
        FunctionKind kind = catalogue.of(name);
        return kind == FunctionKind.UNKNOWN || kind == FunctionKind.UNKNOWN_AGGREGATE;
    }

    /** Whether it is written like a column of a table, and something that its qualifier may mean does not have it. */
    private boolean mayBeCall(Expression expression, Select within) {
        if (!expression.is(Kind.COLUMN) || expression.names().size() == 1) {
            return false;
        }
        List<FromItem> own = named(expression.names().get(0), within);
        List<FromItem> all = new ArrayList<>(own);
        if (own.isEmpty()) {
            select.selects(each -> all.addAll(named(expression.names().get(0), each)));
        }
        boolean two = expression.names().size() == 2;
        return !two || !all.stream().allMatch(item -> has(item, expression.name()));
    }

    private static List<FromItem> named(String alias, Select within) {
        List<FromItem> named = new ArrayList<>();
        within.from.forEach(item -> item.singles(single -> {
            if (single.alias().equals(alias)) {
                named.add(single);
            }
        }));
        return named;
    }

    private boolean has(FromItem single, String column) {
        if (single instanceof FromItem.Table table) {
            TableColumns columns = catalogue.tables().get(new TableName(table.schema(), table.name()));
            return SystemColumns.has(column)
                    || (!table.renamed() && columns != null && columns.columns().containsKey(column));
        } else if (single instanceof FromItem.Derived derived) {
            return derived.columns().isEmpty()
                    ? derived.select().items.stream().anyMatch(i -> column.equals(i.name()))
                    : derived.columns().contains(column);
        }
        return false;
    }
}
