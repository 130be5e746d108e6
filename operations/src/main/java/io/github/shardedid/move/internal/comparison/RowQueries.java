package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.internal.comparison.ComparedSide.KeyRange;
import io.github.shardedid.move.internal.comparison.ComparedTable.Column;
import io.github.shardedid.operations.internal.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The SQL that reads rows, or hashes of them, of one table in one schema. */
final class RowQueries {
    private final ComparedTable table;
    private final String from;
    private final String hash;
    private final String keys;
    private final String values;

    RowQueries(String schema, ComparedTable table) {
        this.table = table;
        this.from = "ONLY " + Sql.name(schema) + "." + Sql.name(table.name()) + " t";
        this.hash = RowHashing.of(table);
        this.keys = table.key().stream().map(RowQueries::column).collect(Collectors.joining(", "));
        this.values = table.key().stream().map(column -> "?::" + column.type()).collect(Collectors.joining(", "));
    }

    private static String column(Column column) {
        return "t." + Sql.name(column.name());
    }

    private String keyTexts() {
        return table.key().stream().map(key -> column(key) + "::text").collect(Collectors.joining(", "));
    }

    /** The number of a range's rows and the sum of their hashes. The parameters are {@link KeyRange#bounds}. */
    String hashOf(KeyRange range) {
        return "SELECT count(*), coalesce(sum(" + hash + "), 0) FROM " + from + where(range);
    }

    /** Each row of a range: the texts of its key, then its hash. */
    String rowsOf(KeyRange range) {
        return "SELECT " + keyTexts() + ", " + hash + " FROM " + from + where(range);
    }

    /** The key of the row with this number, counted from 1, in a range; no row if the range has fewer. */
    String keyAfter(KeyRange range, int rows) {
        return "SELECT " + keyTexts() + " FROM " + from + where(range) + " ORDER BY " + keys + " OFFSET " + (rows - 1)
                + " LIMIT 1";
    }

    /** Selects whether the second key comes after the first one in this database's order. */
    String inOrder() {
        return "SELECT (" + values + ") < (" + values + ")";
    }

    /** For each key that has a row: the position of the key, from 1, and the hash of the row. The parameters are arrays, one per column. */
    String rowsWithKeys() {
        List<String> arrays = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> equal = new ArrayList<>();
        for (int i = 0; i < table.key().size(); i++) {
            arrays.add("?::text[]");
            names.add("k" + i);
            equal.add(column(table.key().get(i)) + " = i.k" + i + "::"
                    + table.key().get(i).type());
        }
        return "SELECT i.n, " + hash + " FROM unnest(" + String.join(", ", arrays) + ") WITH ORDINALITY AS i("
                + String.join(", ", names) + ", n) JOIN " + from + " ON " + String.join(" AND ", equal);
    }

    private String where(KeyRange range) {
        List<String> conditions = new ArrayList<>();
        if (range.after() != null) {
            conditions.add("(" + keys + ") > (" + values + ")");
        }
        if (range.to() != null) {
            conditions.add("(" + keys + ") <= (" + values + ")");
        }
        return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    }
}
