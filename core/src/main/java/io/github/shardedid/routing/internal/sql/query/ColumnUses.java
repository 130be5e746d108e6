package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.catalog.TableColumns;
import io.github.shardedid.routing.internal.sql.catalog.TableName;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which columns a query uses of its tables. Refuses what goes by their position, which may be another one in each shard. */
final class ColumnUses {
    private final SqlText text;
    private final Set<String> names = new HashSet<>();
    private final Set<String> aliases = new HashSet<>();

    ColumnUses(SqlText text, Select query, Map<TableName, TableColumns> tables) {
        this.text = text;
        query.selects(select -> select.from.forEach(item -> item.singles(single -> {
            if (single instanceof FromItem.Table table) {
                aliases.add(table.alias());
                refuse(
                        table.renamed(),
                        "The table " + table.name() + " with other names for its columns",
                        "Name columns in the select list");
            }
        })));
        tables.values().forEach(table -> aliases.removeAll(table.columns().keySet()));
        Set<Expression> counted = new HashSet<>();
        query.selects(select -> select.expressions(expression -> {
            if (expression.is(Kind.CALL) && expression.name().equals("count")) {
                counted.addAll(expression.parts());
            } else if (expression.is(Kind.COLUMN)) {
                names.add(expression.name());
                boolean whole = expression.names().size() == 1 && aliases.contains(expression.name());
                refuse(
                        whole && !counted.contains(expression),
                        "The whole row " + expression.name(),
                        "Select its columns");
            }
        }));
    }

    private void refuse(boolean positional, String what, String instead) {
        if (positional) {
            throw ScatterRefusal.of(
                    what + ", which goes by the position of columns, that may be another one in each shard,",
                    text,
                    instead + ".");
        }
    }

    /** By table; of some, all columns matter. */
    Map<TableName, TableColumns.Uses> of(Set<TableName> tables, Set<TableName> all, boolean asTables) {
        Map<TableName, TableColumns.Uses> uses = new HashMap<>();
        tables.forEach(name -> uses.put(name, new TableColumns.Uses(names, all.contains(name), asTables)));
        return uses;
    }
}
