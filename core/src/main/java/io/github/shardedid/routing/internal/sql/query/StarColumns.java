package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.grammar.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the names of the columns where a query says {@code *} for those of a table: shards may have them in
 * another order, and UNION ALL goes by their position.
 */
final class StarColumns {
    private final SqlText text;
    private final Map<TableName, TableColumns> known;
    /** The tables of which the query returns all columns. */
    final Set<TableName> tables = new HashSet<>();

    /** The text without stars; as it is if it has none. */
    final String expanded;

    /**
     * Writes the names of the columns.
     *
     * @param known the columns of the tables
     */
    StarColumns(SqlText text, Select whole, Map<TableName, TableColumns> known) {
        this.text = text;
        this.known = known;
        StringBuilder sql = new StringBuilder(text.sql());
        whole.selects()
                .flatMap(select -> select.items.stream()
                        .filter(Select.Item::star)
                        .map(item -> Map.entry(item.expression().span(), select)))
                .sorted((a, b) -> Integer.compare(b.getKey().from(), a.getKey().from()))
                .forEach(star -> sql.replace(
                        text.start(star.getKey().from()),
                        text.end(star.getKey().to() - 1),
                        columns(star.getKey(), star.getValue())));
        this.expanded = sql.toString();
    }

    /** Returns the columns that a star means. */
    private String columns(SqlSpan star, Select select) {
        List<FromItem> meant = select.singles()
                .filter(item -> star.size() == 1 || item.alias().equals(text.folded(star.to() - 3)))
                .toList();
        if (meant.isEmpty()) {
            throw ScatterRefusal.of("A * without a table", text, "Write the names of the columns.");
        }
        return meant.stream().map(this::columns).collect(Collectors.joining(", "));
    }

    /** Returns the columns of a table in their order. */
    private String columns(FromItem item) {
        if (!(item instanceof FromItem.Table table)) {
            throw ScatterRefusal.of("A * with the columns of a subselect", text, "Write their names.");
        }
        TableColumns columns = known.get(table.name());
        String alias = TableName.quoted(item.alias());
        if (columns == null) { // where no catalog can be read
            return alias + ".*";
        }
        tables.add(table.name());
        return columns.columns().keySet().stream()
                .map(column -> alias + "." + TableName.quoted(column))
                .collect(Collectors.joining(", "));
    }
}
