package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@link WrittenIds} from INSERT, UPDATE and MERGE, wherever in a text they stand. What it does not understand, it leaves out. */
final class WrittenIdsReader {
    private static final Set<String> AFTER_TABLE = Set.of("VALUES", "SELECT", "DEFAULT", "OVERRIDING", "WITH", "TABLE");
    private static final Set<String> AFTER_ITEMS = Set.of(
            "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET");
    private static final Set<String> AFTER_ROWS = Set.of("RETURNING", "ON", "WHEN", ";");
    private static final Set<String> AFTER_SET = Set.of("FROM", "WHERE", "RETURNING", "WHEN", ";");

    private final SqlText text;
    private final ColocatedColumns columns;
    private final Map<Integer, String> parameters = new HashMap<>();
    private final int[] numbers;
    private final List<WrittenIds.Literal> literals = new ArrayList<>();

    private WrittenIdsReader(SqlText text, ColocatedColumns columns) {
        this.text = text;
        this.columns = columns;
        this.numbers = new int[text.size()];
        int number = 0;
        for (int i = 0; i < numbers.length; i++) {
            number += text.is(i, "?") ? 1 : 0;
            numbers[i] = number;
        }
    }

    static WrittenIds in(SqlText text, ColocatedColumns columns) {
        if (columns.areNone() || !writes(text)) {
            return WrittenIds.NONE;
        }
        WrittenIdsReader reader = new WrittenIdsReader(text, columns);
        reader.read();
        return reader.parameters.isEmpty() && reader.literals.isEmpty()
                ? WrittenIds.NONE
                : new WrittenIds(Map.copyOf(reader.parameters), List.copyOf(reader.literals));
    }

    private static boolean writes(SqlText text) {
        for (int i = 0; i < text.size(); i++) {
            if (text.is(i, "INTO") || text.is(i, "SET")) {
                return true;
            }
        }
        return false;
    }

    private void read() {
        Table table = Table.NONE;
        for (int i = 0; i < text.size(); i++) {
            if (text.is(i, "INTO") && (text.is(i - 1, "INSERT") || text.is(i - 1, "MERGE"))) {
                table = table(i + 1);
                if (text.is(i - 1, "INSERT")) {
                    insert(table, table.end);
                }
            } else if (text.is(i, "THEN") && text.is(i + 1, "INSERT")) {
                insert(table, i + 2);
            } else if (text.is(i, "UPDATE") && !text.is(i + 1, "SET")) {
                table = table(i + 1);
            } else if (text.is(i, "SET")) {
                set(table, i + 1);
            }
        }
    }

    /** A table, its columns that count, and where the text goes on behind its name. */
    private record Table(String name, Set<String> columns, int end) {
        static final Table NONE = new Table("", Set.of(), 0);
    }

    private Table table(int from) {
        int name = text.is(from, "ONLY") ? from + 1 : from;
        while (text.isName(name) && text.is(name + 1, ".")) {
            SchemaPlaceholder schema = SchemaPlaceholder.in(text, name);
            if (schema != null && schema.global()) {
                return Table.NONE;
            }
            name += 2;
        }
        if (!text.isName(name)) {
            return Table.NONE;
        }
        String folded = SqlNames.folded(text, name);
        return new Table(folded, columns.of(folded), name + 1);
    }

    private void insert(Table table, int from) {
        int i = from;
        if (text.is(i, "AS")) {
            i += 2;
        } else if (text.isName(i) && !AFTER_TABLE.contains(text.at(i))) {
            i++;
        }
        if (table.columns.isEmpty() || !text.is(i, "(") || SqlNames.opensSelect(text, i)) {
            return;
        }
        int close = SqlNames.closing(text, i);
        List<@Nullable String> wanted = new ArrayList<>();
        for (int[] item : items(i + 1, close)) {
            String column = item[1] > item[0] ? SqlNames.folded(text, item[0]) : "";
            wanted.add(table.columns.contains(column) ? table.name + "." + column : null);
        }
        if (wanted.stream().anyMatch(column -> column != null)) {
            rows(wanted, close + 1);
        }
    }

    /** The rows of VALUES, and the items of each SELECT of a union, but not those of a common table expression. */
    private void rows(List<@Nullable String> wanted, int from) {
        boolean with = false;
        int i = from;
        while (i < text.size() && !AFTER_ROWS.contains(text.at(i)) && !text.is(i, ")")) {
            if (text.is(i, "VALUES")) {
                i = tuples(wanted, i + 1);
                with = false;
            } else if (text.is(i, "SELECT")) {
                i = selected(wanted, i + 1);
                with = false;
            } else if (text.is(i, "WITH")) {
                with = true;
                i++;
            } else if (text.is(i, "(") && !with && SqlNames.opensSelect(text, i)) {
                rows(wanted, i + 1);
                i = SqlNames.closing(text, i) + 1;
            } else {
                i = text.is(i, "(") ? SqlNames.closing(text, i) + 1 : i + 1;
            }
        }
    }

    private int tuples(List<@Nullable String> wanted, int from) {
        int i = from;
        while (text.is(i, "(")) {
            int close = SqlNames.closing(text, i);
            row(wanted, items(i + 1, close));
            i = text.is(close + 1, ",") ? close + 2 : close + 1;
        }
        return i;
    }

    private int selected(List<@Nullable String> wanted, int from) {
        int i = from;
        if (text.is(i, "DISTINCT") && text.is(i + 1, "ON")) {
            i = SqlNames.closing(text, i + 2) + 1;
        } else if (text.is(i, "DISTINCT") || text.is(i, "ALL")) {
            i++;
        }
        int end = end(i, AFTER_ITEMS);
        row(wanted, items(i, end));
        return end;
    }

    private void row(List<@Nullable String> wanted, List<int[]> items) {
        for (int i = 0; i < Math.min(wanted.size(), items.size()); i++) {
            String column = wanted.get(i);
            if (column != null) {
                value(column, items.get(i)[0], items.get(i)[1]);
            }
        }
    }

    private void set(Table table, int from) {
        if (table.columns.isEmpty()) {
            return;
        }
        for (int[] item : items(from, end(from, AFTER_SET))) {
            boolean one = text.isName(item[0]) && text.is(item[0] + 1, "=");
            String column = one ? SqlNames.folded(text, item[0]) : "";
            if (table.columns.contains(column)) {
                value(table.name + "." + column, item[0] + 2, item[1]);
            }
        }
    }

    /** Where a list ends at the latest: at one of the words, or at the parenthesis that closes what the list is in. */
    private int end(int from, Set<String> words) {
        int i = from;
        while (i < text.size() && !text.is(i, ")") && !text.is(i, ";") && !words.contains(text.at(i))) {
            i = text.is(i, "(") ? SqlNames.closing(text, i) + 1 : i + 1;
        }
        return Math.min(i, text.size());
    }

    /** First and end of each piece between commas. */
    private List<int[]> items(int from, int end) {
        List<int[]> items = new ArrayList<>();
        int start = from;
        for (int i = from; i < end; i++) {
            if (text.is(i, "(") || text.is(i, "[")) {
                i = SqlNames.closing(text, i);
            } else if (text.is(i, ",")) {
                items.add(new int[] {start, i});
                start = i + 1;
            }
        }
        items.add(new int[] {start, end});
        return items;
    }

    private void value(String column, int first, int behind) {
        int from = first;
        int end = behind;
        while (from < end) {
            if (text.is(from, "(") && SqlNames.closing(text, from) == end - 1) {
                from++;
                end--;
            } else if (text.is(from, "CAST") && text.is(from + 1, "(") && SqlNames.closing(text, from + 1) == end - 1) {
                from += 2;
                end = before(from, end - 1, "AS");
            } else if (before(from, end, "::") < end) {
                end = before(from, end, "::");
            } else {
                break;
            }
        }
        if (end - from == 1 && text.is(from, "?")) {
            parameters.put(numbers[from], column);
        } else if (end > from) {
            literal(column, from, end);
        }
    }

    private int before(int from, int end, String token) {
        for (int i = from; i < end; i++) {
            if (text.is(i, token)) {
                return i;
            }
        }
        return end;
    }

    /** A number, perhaps with a sign, perhaps in quotes; one that is written otherwise is left to the server. */
    private void literal(String column, int from, int end) {
        boolean negative = text.is(from, "-");
        if (end - from != (negative ? 2 : 1) || text.kind(end - 1) != SqlToken.Kind.LITERAL) {
            return;
        }
        String raw = text.raw(end - 1);
        String digits = raw.startsWith("'") ? raw.substring(1, raw.length() - 1).strip() : raw.replace("_", "");
        if (digits.matches("-?[0-9]{1,19}")) {
            literals.add(new WrittenIds.Literal(column, (negative ? "-" : "") + digits));
        }
    }
}
