package io.github.shardedid.routing.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Takes a SELECT apart at its top level, and refuses what cannot be merged. */
final class ScatterParser {
    private static final Map<String, String> UNMERGEABLE = Map.of(
            "GROUP", "Groups of one key may be in several shards: run it in each shard, or add up in the application.",
            "HAVING", "Run it in each shard.",
            "WINDOW", "Run it in each shard.",
            "UNION", "Run its parts one by one.",
            "INTERSECT", "Run its parts one by one.",
            "EXCEPT", "Run its parts one by one.",
            "FOR", "A lock belongs to one transaction: lock rows by their ids.",
            "INTO", "Write to one shard, in ShardContext.run(shard, …).");

    private final SqlText text;
    private final int end;
    /** Where the clauses begin. */
    private final Map<String, Integer> clauses = new TreeMap<>();

    private ScatterParser(String sql) {
        text = new SqlText(sql);
        int last = text.size();
        while (last > 0 && text.is(last - 1, ";")) {
            last--;
        }
        end = last;
    }

    /**
     * Takes apart.
     *
     * @throws io.github.shardedid.routing.UnmergeableQueryException if it is no SELECT, or one that cannot be merged
     */
    static ScatterQuery parse(String sql, SqlAnalysis analysis) {
        return new ScatterParser(sql).parse(analysis);
    }

    private ScatterQuery parse(SqlAnalysis analysis) {
        requireSelect(analysis);
        findClauses();
        Subselects.check(text, end, clauses.getOrDefault("FROM", end));
        int first = text.is(1, "ALL") ? 2 : 1;
        SqlSpan list = new SqlSpan(text, first, Math.min(clauses.getOrDefault("FROM", end), nextClause(first)));
        List<SelectItem> items =
                list.splitAtCommas().stream().map(SelectItem::of).toList();
        List<Aggregate> aggregates = Aggregate.of(items, text);
        List<SortKey> keys = aggregates.isEmpty() ? keys(items) : List.of();
        SqlSpan from = new SqlSpan(text, list.to(), bodyEnd());
        RowCount limit = limit();
        if (!aggregates.isEmpty() && limit.literal() != null && limit.literal() == 0) {
            throw ScatterRefusal.of("An aggregate with LIMIT 0", text, "Leave it out.");
        }
        return query(list, from, keys, aggregates, limit);
    }

    private ScatterQuery query(
            SqlSpan list, SqlSpan from, List<SortKey> keys, List<Aggregate> aggregates, RowCount limit) {
        StringBuilder arm = new StringBuilder("select ").append(list.sql());
        List<Integer> parameters = new ArrayList<>(list.parameters());
        for (int i = 0; i < keys.size(); i++) {
            SqlSpan expression = keys.get(i).expression();
            arm.append(", ").append(expression.sql()).append(" as ").append(ScatterQuery.key(i));
            parameters.addAll(expression.parameters());
        }
        arm.append(' ').append(from.sql());
        parameters.addAll(from.parameters());
        RowCount offset = clauses.containsKey("OFFSET") ? RowCount.of(offset()) : RowCount.NONE;
        int count = new SqlSpan(text, 0, end).parameters().size();
        return new ScatterQuery(
                text.sql(),
                SqlAnalysis.of(arm.toString()),
                List.copyOf(parameters),
                count,
                keys,
                aggregates,
                limit,
                offset);
    }

    private void requireSelect(SqlAnalysis analysis) {
        if (analysis.traits().writes()) {
            throw ScatterRefusal.of(
                    "A write",
                    text,
                    "A transaction writes to one shard: write in ShardContext.run(shard, …), or by id.");
        }
        if (analysis.traits().locks()) {
            throw ScatterRefusal.of("A lock", text, "It belongs to one transaction: lock rows by their ids.");
        }
        if (!text.is(0, "SELECT")) {
            throw ScatterRefusal.of(
                    "Other than a plain SELECT, " + (text.size() == 0 ? "nothing" : text.raw(0)),
                    text,
                    "Write a SELECT.");
        }
        if (!analysis.namesSchema() || analysis.names().relations()) {
            throw ScatterRefusal.of(
                    "A query that names a table without the shard's schema",
                    text,
                    "Write {h-schema}table in a native query, or sharded_id_shard.table in JDBC, for every table.");
        }
        if (text.is(1, "DISTINCT")) {
            throw ScatterRefusal.of(
                    "DISTINCT",
                    text,
                    "Rows may be equal over shards: leave it out, or remove what is double yourself.");
        }
    }

    private void findClauses() {
        int depth = 0;
        for (int i = 1; i < end; i++) {
            depth += SqlNames.depthChange(text, i);
            String word = text.at(i);
            if (text.is(i, "OVER") && text.is(i - 1, ")")) {
                throw ScatterRefusal.of("A window function (OVER)", text, "Run it in each shard.");
            }
            if (text.is(i, ";")) {
                throw ScatterRefusal.of("More than one statement", text, "Send them one by one.");
            }
            if (depth == 0 && !text.is(i - 1, ".") && !text.is(i - 1, "AS")) {
                noteClause(i, word);
            }
        }
    }

    private void noteClause(int i, String word) {
        String instead = UNMERGEABLE.get(word);
        if (instead != null) {
            throw ScatterRefusal.of(word.equals("GROUP") ? "GROUP BY" : word, text, instead);
        }
        boolean clause =
                switch (word) {
                    case "FROM" -> !text.is(i - 1, "DISTINCT"); // IS DISTINCT FROM
                    case "ORDER" -> text.is(i + 1, "BY");
                    case "LIMIT", "OFFSET", "FETCH" -> true;
                    default -> false;
                };
        if (clause) {
            clauses.putIfAbsent(word, i);
        }
    }

    private int nextClause(int after) {
        return clauses.values().stream()
                .filter(start -> start > after)
                .min(Integer::compare)
                .orElse(end);
    }

    /** Where ORDER BY, LIMIT and the like begin. */
    private int bodyEnd() {
        return clauses.entrySet().stream()
                .filter(clause -> !clause.getKey().equals("FROM"))
                .map(Map.Entry::getValue)
                .min(Integer::compare)
                .orElse(end);
    }

    private List<SortKey> keys(List<SelectItem> items) {
        Integer order = clauses.get("ORDER");
        return order == null
                ? List.of()
                : SortKey.of(new SqlSpan(text, order + 2, nextClause(order)), items, id(items));
    }

    /** The id of the first table, if it is selected by that name: it makes the order of equal rows the same each time. */
    private @Nullable SqlSpan id(List<SelectItem> items) {
        int table = clauses.getOrDefault("FROM", end) + 1;
        while (text.is(table + 1, ".")) {
            table += 2;
        }
        int alias = text.is(table + 1, "AS") ? table + 2 : text.isName(table + 1) ? table + 1 : table;
        for (SelectItem item : items) {
            SqlSpan expression = item.expression();
            boolean qualified = expression.size() == 3
                    && text.is(expression.from() + 1, ".")
                    && text.raw(expression.from()).equals(text.raw(alias));
            if (qualified && text.is(expression.to() - 1, "ID")) {
                return expression;
            }
        }
        return null;
    }

    private RowCount limit() {
        Integer limit = clauses.get("LIMIT");
        if (limit != null) {
            return RowCount.of(new SqlSpan(text, limit + 1, nextClause(limit)));
        }
        Integer fetch = clauses.get("FETCH");
        if (fetch == null) {
            return RowCount.NONE;
        }
        int rows = nextClause(fetch);
        if (text.is(rows - 1, "TIES")) {
            throw ScatterRefusal.of("FETCH … WITH TIES", text, "Write ONLY, and order by the id last.");
        }
        // FETCH {FIRST | NEXT} [n] {ROW | ROWS} ONLY
        SqlSpan count = new SqlSpan(text, fetch + 2, rows - 2);
        return count.isEmpty() ? new RowCount(1L, 0) : RowCount.of(count);
    }

    private SqlSpan offset() {
        int offset = clauses.getOrDefault("OFFSET", end);
        int to = nextClause(offset);
        return new SqlSpan(text, offset + 1, text.is(to - 1, "ROWS") || text.is(to - 1, "ROW") ? to - 1 : to);
    }
}
