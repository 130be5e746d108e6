package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the names of the columns where a query says {@code *} for those of a table: shards may have them in another order, and UNION ALL goes by their
 * position. What EXISTS selects is left as it is.
 */
final class StarColumns {
    private final SqlText text;
    private final Select whole;
    private final Map<TableName, TableColumns> known;
    private final Map<SqlSpan, String> stars = new TreeMap<>(Comparator.comparingInt(SqlSpan::from));
    /** The tables of which the query returns all columns. */
    private final Set<TableName> tables = new HashSet<>();

    StarColumns(SqlText text, Select whole, Map<TableName, TableColumns> known) {
        this.text = text;
        this.whole = whole;
        this.known = known;
        Set<Select> tested = whole.selects()
                .flatMap(Select::expressions)
                .filter(expression -> expression.is(Kind.EXISTS))
                .map(Expression::select)
                .collect(Collectors.toSet());
        whole.selects().forEach(select -> select.items.stream()
                .filter(item -> item.star() && !tested.contains(select))
                .forEach(item -> stars.put(item.expression().span(), columns(item, select))));
    }

    Set<TableName> tables() {
        return tables;
    }

    String expanded() {
        StringBuilder sql = new StringBuilder();
        int from = 0;
        for (Map.Entry<SqlSpan, String> star : stars.entrySet()) {
            sql.append(text.sql(), from, text.start(star.getKey().from())).append(star.getValue());
            from = text.end(star.getKey().to() - 1);
        }
        return sql.append(text.sql(), from, text.sql().length()).toString();
    }

    private String columns(Select.Item star, Select select) {
        List<FromItem> meant = meant(star, select);
        if (meant.stream().allMatch(item -> names(item) == null)) {
            return star.expression().span().sql();
        }
        List<String> columns = new ArrayList<>();
        for (FromItem item : meant) {
            Set<String> names = names(item);
            if (item.alias().isEmpty()) {
                throw ScatterRefusal.of("A * with the columns of a table without a name", text, "Give it an alias.");
            } else if (names == null) {
                columns.add(TableName.quoted(item.alias()) + ".*");
            } else {
                names.forEach(name -> columns.add(TableName.quoted(item.alias()) + "." + TableName.quoted(name)));
            }
        }
        return String.join(", ", columns);
    }

    /** Returns the items of the FROM whose columns a star means. */
    private List<FromItem> meant(Select.Item star, Select select) {
        SqlSpan span = star.expression().span();
        if (span.size() == 1) {
            return select.singles().toList();
        }
        String alias = text.folded(span.to() - 3);
        // Of a subselect, it may be one around it.
        return Stream.concat(select.singles(), whole.selects().flatMap(Select::singles))
                .filter(item -> item.alias().equals(alias))
                .limit(1)
                .toList();
    }

    /** Returns the columns of a table in their order; null if they are not known, or are those of a subselect, which gives them an order of its own. */
    private @Nullable Set<String> names(FromItem item) {
        TableName name = item instanceof FromItem.Table table ? new TableName(table.schema(), table.name()) : null;
        TableColumns columns = name == null ? null : known.get(name);
        if (name == null || columns == null) {
            return null;
        }
        tables.add(name);
        return columns.columns().keySet();
    }
}
