package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the values that a text writes into columns with ids; each is read, computed by the database, or unreadable. */
final class WrittenValues {
    private static final int DEEPEST = 20;
    private static final String EXPRESSION =
            "it is an expression with a parameter or a number in it, whose result only the database knows";

    private static final String PASSED =
            "it may come from a subselect, a function or a list with a parameter or a number in it";

    private final SqlText text;
    private final ColocatedColumns columns;
    private final QuerySources sources;
    private final QueryRows queries;
    private final int[] numbers;
    private final Map<Integer, String> parameters = new HashMap<>();
    private final List<WrittenIds.Literal> literals = new ArrayList<>();
    private final List<WrittenIds.Unreadable> unreadable = new ArrayList<>();

    WrittenValues(SqlText text, ColocatedColumns columns, QuerySources sources) {
        this.text = text;
        this.columns = columns;
        this.sources = sources;
        this.queries = new QueryRows(text, sources);
        this.numbers = new int[text.size()];
        int number = 0;
        for (int i = 0; i < numbers.length; i++) {
            number += text.is(i, "?") ? 1 : 0;
            numbers[i] = number;
        }
    }

    WrittenIds found() {
        return parameters.isEmpty() && literals.isEmpty() && unreadable.isEmpty()
                ? WrittenIds.NONE
                : new WrittenIds(Map.copyOf(parameters), List.copyOf(literals), List.copyOf(unreadable));
    }

    void unreadable(String column, String reason) {
        unreadable.add(new WrittenIds.Unreadable(column, reason));
    }

    /** What the columns of expressions may come from; {@code excluded} is the table of ON CONFLICT, whose row they may read. */
    record Origin(List<QuerySources.Source> sources, @Nullable WrittenTable excluded) {
        static final Origin TABLES = new Origin(List.of(), null);
    }

    /** The rows of a query, whose items are written to the columns in turn; null stands for a column without an id. */
    void rows(List<@Nullable String> wanted, int from, int limit, Origin origin) throws UnreadableWrite {
        List<QueryRows.Row> rows = queries.of(from, limit);
        requireOwnRow(rows, from, limit, origin);
        for (QueryRows.Row row : rows) {
            if (!row.list() && !origin.sources.isEmpty()) {
                throw new UnreadableWrite(PASSED);
            }
            List<QuerySources.Source> all = new ArrayList<>(origin.sources);
            all.addAll(row.sources());
            row(wanted, row.items(), new Origin(all, origin.excluded));
        }
    }

    void row(List<@Nullable String> wanted, List<int[]> items, Origin origin) throws UnreadableWrite {
        if (items.stream().anyMatch(queries::isStar)) {
            throw new UnreadableWrite("with * the positions of the columns are not known");
        } else if (items.size() != wanted.size()) {
            throw new UnreadableWrite("there are " + wanted.size() + " columns, but " + items.size() + " values");
        }
        for (int i = 0; i < wanted.size(); i++) {
            String column = wanted.get(i);
            if (column != null) {
                value(column, items.get(i)[0], items.get(i)[1], origin);
            }
        }
    }

    void value(String column, int from, int end, Origin origin) {
        try {
            value(column, from, end, origin, 0);
        } catch (UnreadableWrite e) {
            unreadable(column, e.reason());
        }
    }

    private void value(String column, int from, int behind, Origin origin, int depth) throws UnreadableWrite {
        WrittenValue whole = WrittenValue.of(text, from, behind);
        boolean labelled = whole.kind() == WrittenValue.Kind.EXPRESSION;
        WrittenValue value = labelled ? WrittenValue.of(text, from, queries.endBeforeLabel(from, behind)) : whole;
        switch (value.kind()) {
            case NO_ID -> {
                // The database refuses what is no number.
            }
            case PARAMETER -> parameters.put(numbers[value.from()], column);
            case NUMBER -> {
                if (value.number() != null) {
                    literals.add(new WrittenIds.Literal(column, value.number()));
                }
            }
            case EXPRESSION -> expression(column, value, origin, depth);
        }
    }

    private void expression(String column, WrittenValue value, Origin origin, int depth) throws UnreadableWrite {
        int from = value.from();
        int end = value.end();
        for (int i = from; i < end; i++) {
            if (sources.isGiven(i)) {
                subselect(column, value, origin, depth);
                return;
            }
        }
        boolean qualified = end - from == 3 && text.is(from + 1, ".") && text.isName(from + 2);
        boolean plain = (end - from == 1 || qualified) && SqlKeywords.isColumnName(text, from);
        for (int i = from; i < end; i++) {
            if (text.isName(i) && !text.is(i - 1, ".") && !text.is(i + 1, "(")) {
                requireOwnRow(i, origin);
                List<QuerySources.Source> passing = passing(i, origin);
                if (passing.size() == 1 && plain && !value.negative()) {
                    passed(column, passing.get(0), SqlNames.folded(text, end - 1), qualified, depth);
                } else if (!passing.isEmpty() || sources.isCte(i)) {
                    throw new UnreadableWrite(PASSED);
                }
            }
        }
    }

    /** What a subselect is given in its conditions does not come out of it, but what it selects does. */
    private void subselect(String column, WrittenValue value, Origin origin, int depth) throws UnreadableWrite {
        boolean plain = !value.negative() && origin.sources.isEmpty() && origin.excluded == null;
        if (!plain || !text.is(value.from(), "SELECT")) {
            throw new UnreadableWrite(EXPRESSION);
        }
        for (QueryRows.Row row : queries.of(value.from(), value.end())) {
            if (row.items().size() != 1 || queries.isStar(row.items().get(0))) {
                throw new UnreadableWrite(EXPRESSION);
            }
            int[] item = row.items().get(0);
            value(column, item[0], item[1], new Origin(row.sources(), null), depth + 1);
        }
    }

    /** The row that ON CONFLICT could not insert has unchecked values in its other columns. */
    private void requireOwnRow(int i, Origin origin) throws UnreadableWrite {
        WrittenTable table = origin.excluded;
        if (table != null && SqlNames.folded(text, i).equals("excluded")) {
            boolean checked =
                    text.is(i + 1, ".") && text.isName(i + 2) && table.columns().contains(SqlNames.folded(text, i + 2));
            if (!checked) {
                throw new UnreadableWrite("it comes from a column of the new row whose value is not checked");
            }
        }
    }

    /** A subselect may read the new row in its own FROM, and pass it on. */
    private void requireOwnRow(List<QueryRows.Row> rows, int from, int limit, Origin origin) throws UnreadableWrite {
        for (int i = from; i < limit; i++) {
            int name = i;
            boolean item = rows.stream()
                    .flatMap(row -> row.items().stream())
                    .anyMatch(span -> span[0] <= name && name < span[1]);
            if (!item && text.isName(i) && !text.is(i - 1, ".")) {
                requireOwnRow(i, origin);
            }
        }
    }

    private List<QuerySources.Source> passing(int i, Origin origin) {
        if (text.is(i + 1, ".")) {
            String qualifier = SqlNames.folded(text, i);
            return origin.sources.stream()
                    .filter(source -> source.mayBe(qualifier))
                    .toList();
        }
        // Before PostgreSQL 16, SYSTEM_USER is a name like others.
        return SqlKeywords.isColumnName(text, i) || text.is(i, "SYSTEM_USER") ? origin.sources : List.of();
    }

    /** A column that a subselect, a list or a WITH query passes on. */
    private void passed(String column, QuerySources.Source source, String name, boolean qualified, int depth)
            throws UnreadableWrite {
        if (depth > DEEPEST) {
            throw new UnreadableWrite("it comes from a subselect within many others, or from a recursive one");
        }
        int from = source.from();
        if (Set.of("INSERT", "UPDATE", "DELETE", "MERGE").contains(text.at(from))) {
            returned(source, name);
            return;
        }
        List<QueryRows.Row> rows = queries.of(from, source.end());
        List<String> labels = queries.labels(rows.get(0));
        source.columns().stream().limit(labels.size()).forEach(renamed -> labels.remove(0));
        labels.addAll(0, source.columns());
        int item = labels.indexOf(name);
        if (item != labels.lastIndexOf(name)) {
            throw new UnreadableWrite("several columns have the name " + name);
        } else if (item < 0
                && !qualified
                && !labels.contains("")
                && rows.get(0).items().stream().noneMatch(queries::isStar)) {
            return; // of a plain table beside the subselect
        }
        for (QueryRows.Row row : rows) {
            if (item < 0 || row.items().size() <= item || row.items().stream().anyMatch(queries::isStar)) {
                throw new UnreadableWrite(
                        "the column " + name + " cannot be found in the subselect that it comes from");
            }
            int[] span = row.items().get(item);
            value(column, span[0], span[1], new Origin(row.sources(), null), depth + 1);
        }
    }

    /** What a statement returns from a column with ids was checked when it was written. */
    private void returned(QuerySources.Source source, String name) throws UnreadableWrite {
        int from = source.from();
        int named = text.is(from, "UPDATE") ? from + 1 : from + 2;
        WrittenTable table = WrittenTable.at(text, columns, named);
        int returning = SqlClauses.end(text, from, source.end(), Set.of("RETURNING"));
        boolean checked = false;
        for (int[] item : SqlClauses.items(text, returning + 1, source.end())) {
            boolean plain =
                    item[1] - item[0] == 1 && SqlNames.folded(text, item[0]).equals(name);
            checked |= plain && source.columns().isEmpty() && table.columns().contains(name);
        }
        if (!checked) {
            throw new UnreadableWrite("it is returned by a statement with a parameter or a number in it");
        }
    }
}
