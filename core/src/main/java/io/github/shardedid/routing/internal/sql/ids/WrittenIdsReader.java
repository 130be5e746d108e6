package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.ids.WrittenValues.Origin;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@link WrittenIds} from INSERT, UPDATE and MERGE, wherever in a text they stand. */
public final class WrittenIdsReader {
    private static final Set<String> AFTER_TABLE = Set.of("VALUES", "SELECT", "DEFAULT", "OVERRIDING", "WITH", "TABLE");
    private static final Set<String> AFTER_SET = Set.of("FROM", "WHERE", "RETURNING", "WHEN");
    private static final String UNNAMED = "the statement does not name the columns it inserts";
    private static final String UNMATCHED = "the values cannot be matched with the columns one by one";

    private final SqlText text;
    private final ColocatedColumns columns;
    private final QuerySources sources;
    private final WrittenValues values;

    private WrittenIdsReader(SqlText text, ColocatedColumns columns) {
        this.text = text;
        this.columns = columns;
        this.sources = new QuerySources(text);
        this.values = new WrittenValues(text, columns, sources);
    }

    public static WrittenIds in(SqlText text, ColocatedColumns columns) {
        if (columns.areNone() || !writes(text)) {
            return WrittenIds.NONE;
        }
        WrittenIdsReader reader = new WrittenIdsReader(text, columns);
        reader.read();
        return reader.values.found();
    }

    private static boolean writes(SqlText text) {
        for (int i = 0; i < text.size(); i++) {
            if (text.is(i, "INTO") || text.is(i, "SET")) {
                return true;
            }
        }
        return false;
    }

    /** What an INSERT or MERGE writes to, and what the source of a MERGE passes on. */
    private record Target(WrittenTable table, Origin origin) {}

    private void read() {
        Map<Integer, Target> targets = new HashMap<>();
        Target last = new Target(WrittenTable.NONE, Origin.TABLES);
        int depth = 0;
        for (int i = 0; i < text.size(); i++) {
            depth += SqlNames.depthChange(text, i);
            Target current = targets.getOrDefault(depth, last);
            if (text.is(i, "INTO") && text.is(i - 1, "INSERT")) {
                last = new Target(WrittenTable.at(text, columns, i + 1), Origin.TABLES);
                targets.put(depth, last);
                insert(last, last.table.end());
            } else if (text.is(i, "INTO") && text.is(i - 1, "MERGE")) {
                last = merged(WrittenTable.at(text, columns, i + 1));
                targets.put(depth, last);
            } else if (text.is(i, "THEN") && text.is(i + 1, "INSERT")) {
                insert(current, i + 2);
            } else if (text.is(i, "UPDATE") && text.is(i + 1, "SET") && text.is(i - 1, "THEN")) {
                set(current.table, i + 2, current.origin);
            } else if (text.is(i, "UPDATE") && text.is(i + 1, "SET") && text.is(i - 1, "DO")) {
                set(current.table, i + 2, new Origin(List.of(), current.table));
            } else if (text.is(i, "UPDATE") && !isLock(i)) {
                update(i + 1);
            }
        }
    }

    private boolean isLock(int update) {
        return text.is(update - 1, "FOR")
                || (text.is(update - 1, "KEY") && text.is(update - 2, "NO") && text.is(update - 3, "FOR"));
    }

    private Target merged(WrittenTable table) {
        int using = behindAlias(table.end(), "USING");
        return text.is(using, "USING")
                ? new Target(table, new Origin(sources.of(using + 1, text.size()), null))
                : new Target(table, Origin.TABLES);
    }

    private int behindAlias(int from, String next) {
        if (text.is(from, "AS")) {
            return from + 2;
        }
        return text.isName(from) && !text.is(from, next) ? from + 1 : from;
    }

    private void update(int from) {
        WrittenTable table = WrittenTable.at(text, columns, from);
        int set = behindAlias(table.end(), "SET");
        if (!table.columns().isEmpty() && text.is(set, "SET")) {
            set(table, set + 1, null);
        }
    }

    private void insert(Target target, int from) {
        if (target.table.columns().isEmpty()) {
            return;
        }
        try {
            inserted(target, from);
        } catch (UnreadableWrite e) {
            values.unreadable(target.table.allColumns(), e.reason());
        }
    }

    private void inserted(Target target, int from) throws UnreadableWrite {
        WrittenTable table = target.table;
        int i = from;
        if (text.is(i, "AS")) {
            i += 2;
        } else if (text.isName(i) && !AFTER_TABLE.contains(text.at(i))) {
            i++;
        }
        if (text.is(i, "DEFAULT") && text.is(i + 1, "VALUES")) {
            return;
        } else if (!text.is(i, "(") || SqlClauses.opensQuery(text, i + 1)) {
            throw new UnreadableWrite(UNNAMED);
        }
        int close = SqlNames.closing(text, i);
        List<@Nullable String> wanted = wanted(table, i + 1, close);
        if (wanted.stream().anyMatch(Objects::nonNull)) {
            int query = text.is(close + 1, "OVERRIDING") ? close + 4 : close + 1;
            values.rows(wanted, query, text.size(), target.origin);
        }
    }

    /** The columns of a list; null in the place of one without ids. */
    private List<@Nullable String> wanted(WrittenTable table, int from, int end) throws UnreadableWrite {
        List<@Nullable String> wanted = new ArrayList<>();
        for (int[] item : SqlClauses.items(text, from, end)) {
            if (!text.isName(item[0])) {
                throw new UnreadableWrite(UNMATCHED);
            }
            String column = SqlNames.folded(text, item[0]);
            boolean declared = table.columns().contains(column);
            if (declared && item[1] - item[0] != 1) {
                throw new UnreadableWrite(UNMATCHED);
            }
            wanted.add(declared ? table.qualified(column) : null);
        }
        return wanted;
    }

    /** The list behind SET; with no {@code origin}, the FROM behind it is read. */
    private void set(WrittenTable table, int from, @Nullable Origin origin) {
        if (table.columns().isEmpty()) {
            return;
        }
        try {
            int end = SqlClauses.end(text, from, text.size(), AFTER_SET);
            Origin given = origin;
            if (given == null) {
                given = text.is(end, "FROM") ? new Origin(sources.of(end + 1, text.size()), null) : Origin.TABLES;
            }
            for (int[] item : SqlClauses.items(text, from, end)) {
                assigned(table, item[0], item[1], given);
            }
        } catch (UnreadableWrite e) {
            values.unreadable(table.allColumns(), e.reason());
        }
    }

    private void assigned(WrittenTable table, int from, int end, Origin origin) throws UnreadableWrite {
        if (text.is(from, "(")) {
            int close = SqlNames.closing(text, from);
            List<@Nullable String> wanted = wanted(table, from + 1, close);
            if (wanted.stream().anyMatch(Objects::nonNull)) {
                assigned(wanted, close + 1, end, origin);
            }
            return;
        }
        if (!text.isName(from)) {
            throw new UnreadableWrite(UNMATCHED);
        }
        String column = SqlNames.folded(text, from);
        if (table.columns().contains(column)) {
            if (!text.is(from + 1, "=")) {
                throw new UnreadableWrite(UNMATCHED);
            }
            values.value(table.qualified(column), from + 2, end, origin);
        }
    }

    /** {@code (a, b) = (1, 2)}, {@code = row(1, 2)}, or {@code = (select 1, 2)}. */
    private void assigned(List<@Nullable String> wanted, int equals, int end, Origin origin) throws UnreadableWrite {
        int open = text.is(equals + 1, "ROW") ? equals + 2 : equals + 1;
        if (!text.is(equals, "=") || !text.is(open, "(") || SqlNames.closing(text, open) != end - 1) {
            throw new UnreadableWrite(UNMATCHED);
        }
        List<int[]> items = SqlClauses.items(text, open + 1, end - 1);
        boolean query = SqlClauses.opensQuery(text, open + 1)
                && (!text.is(open + 1, "(") || SqlNames.closing(text, open + 1) == end - 2);
        if (query) {
            values.rows(wanted, open + 1, end - 1, origin);
        } else {
            values.row(wanted, items, origin);
        }
    }
}
