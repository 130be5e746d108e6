package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SelectReader;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.ids.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Parses a SELECT, and refuses what is not known to merge. */
public final class ScatterParser {
    private final SqlText text;
    private final Select select;
    private final boolean perShard;
    private @Nullable volatile ScatterQuery query;

    private ScatterParser(SqlText text, boolean perShard) {
        this.text = text;
        this.perShard = perShard;
        this.select = SelectReader.whole(text);
    }

    /**
     * Reads a text.
     *
     * @param perShard whether rows are to be compared within each shard, whatever is in the others
     * @throws UnmergeableQueryException if it is no SELECT, or one of a form that is not known
     */
    public static ScatterParser read(String sql, boolean perShard, SqlAnalysis analysis) {
        SqlText text = new SqlText(sql);
        requireSelect(text, analysis);
        return new ScatterParser(text, perShard);
    }

    private static void requireSelect(SqlText text, SqlAnalysis analysis) {
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
    }

    /** About how much memory it takes: what was read of a token is larger than the token. */
    public int bytes() {
        return 2 * text.sql().length() + 500 * text.size();
    }

    /** The query, if it was checked before. */
    public @Nullable ScatterQuery checked() {
        return query;
    }

    /** The names of the functions, and those of columns that could be functions. */
    public Set<String> functionNames() {
        Set<String> names = new HashSet<>();
        select.selects(each -> each.expressions(expression -> {
            if (expression.is(Kind.CALL)
                    || (expression.is(Kind.COLUMN) && expression.names().size() > 1)) {
                names.add(expression.name());
            }
            if (Aggregate.mayBeAnother(expression)) {
                names.add(Catalogue.MERGED + expression.name());
            }
        }));
        names.removeAll(Aggregate.NAMES);
        if (!perShard) {
            names.addAll(OwnOperators.names(text));
        }
        return names;
    }

    /**
     * Columns that PostgreSQL takes for calls, {@code p.count} for {@code count(p)}, if no table has them: the table, which is empty
     * if it is not known, and the column.
     */
    public Set<List<String>> doubtfulColumns(Catalogue catalogue) {
        Set<List<String>> found = new HashSet<>();
        select.selects(each -> each.expressions(expression -> {
            boolean qualified = expression.is(Kind.COLUMN) && expression.names().size() > 1;
            if (qualified && isDoubtful(catalogue, expression.name())) {
                tables(expression.names()).forEach(table -> found.add(List.of(table, expression.name())));
            }
        }));
        return found;
    }

    /** Whether a call of a name would be refused, or have to be merged. */
    private boolean isDoubtful(Catalogue catalogue, String name) {
        return Aggregate.isAny(catalogue, name) || isRows(catalogue, name) || (!perShard && isUnknown(catalogue, name));
    }

    /** Whether there is a function of that name that may read other rows. */
    private static boolean isUnknown(Catalogue catalogue, String name) {
        FunctionKind kind = catalogue.of(name);
        return kind == FunctionKind.UNKNOWN || kind == FunctionKind.UNKNOWN_AGGREGATE;
    }

    private static boolean isRows(Catalogue catalogue, String name) {
        return catalogue.of(name) == FunctionKind.ROWS;
    }

    /** The tables that a column's qualifier may mean. */
    private Set<String> tables(List<String> column) {
        Set<String> names = new HashSet<>();
        select.selects(each -> each.from.forEach(item -> item.singles(single -> {
            if (!single.alias().equals(column.get(0))) {
                return;
            }
            if (single instanceof FromItem.Table table) {
                if (column.size() == 2) {
                    names.add(table.renamed() ? "" : table.name());
                }
            } else if (single instanceof FromItem.Derived derived) {
                boolean has = derived.columns().isEmpty()
                        ? derived.select().items.stream()
                                .anyMatch(i -> column.get(1).equals(i.name()))
                        : derived.columns().contains(column.get(1));
                names.addAll(has ? Set.of() : Set.of(""));
            } else {
                names.add("");
            }
        })));
        return names.isEmpty() && column.size() != 2 ? Set.of("") : names;
    }

    /** The tables that must be known to be none but tables: a view may have put rows together. */
    public Set<String> tableNames() {
        Set<String> names = new HashSet<>();
        select.selects(each -> each.from.forEach(item -> item.singles(single -> {
            if (single instanceof FromItem.Table table && table.sharded() && !perShard) {
                names.add(table.name());
            }
        })));
        return names;
    }

    public UnmergeableQueryException view(String name) {
        return ScatterRefusal.of(
                "The view " + name + ", which may put rows of its own shard together,",
                text,
                "Query its tables; or, " + ScatterRefusal.PER_SHARD);
    }

    public UnmergeableQueryException doubtful(String column) {
        return ScatterRefusal.of(
                "The column " + column + ", which PostgreSQL may take for a function of that name,",
                text,
                "Write the function's call.");
    }

    /** Checks all that is left; once for a text. */
    public ScatterQuery query(Catalogue catalogue, ColocatedColumns columns) {
        requireMergeable();
        checkFunctions(catalogue);
        Aggregate.check(select, perShard, text, catalogue);
        Predicate<Expression> aggregate = expression -> isAggregate(catalogue, expression);
        if (!perShard) {
            OwnOperators.check(text, catalogue);
        }
        new OuterAggregates(text, aggregate).refuse(select);
        Set<Integer> ownIds = perShard ? Set.of() : new Locality(text, columns, aggregate).check(select);
        ScatterQuery made = assemble(expression -> isSteady(catalogue, expression), aggregate, ownIds);
        query = made;
        return made;
    }

    private static boolean isAggregate(Catalogue catalogue, Expression expression) {
        return expression.is(Kind.CALL) && Aggregate.isAny(catalogue, expression.name());
    }

    private static boolean isSteady(Catalogue catalogue, Expression expression) {
        return !expression.is(Kind.CALL) || catalogue.of(expression.name()) == FunctionKind.PLAIN;
    }

    private void requireMergeable() {
        select.clauses.stream()
                .filter(clause -> !Select.MERGED.contains(clause))
                .forEach(clause -> {
                    throw ScatterRefusal.of(clause, text, "Run its parts one by one.");
                });
        if (select.from.isEmpty() && select.isGrouped()) {
            throw ScatterRefusal.of(
                    "DISTINCT, GROUP BY or HAVING without a FROM, of which each shard would be a row,",
                    text,
                    "Leave it out.");
        }
        if (select.withTies) {
            throw ScatterRefusal.of("FETCH … WITH TIES", text, "Write ONLY, and order by the id last.");
        }
    }

    private void checkFunctions(Catalogue catalogue) {
        select.selects(each -> each.expressions(expression -> {
            boolean known = !expression.is(Kind.CALL)
                    || perShard
                    || Aggregate.NAMES.contains(expression.name())
                    || !(isUnknown(catalogue, expression.name())
                            || catalogue.of(expression.name()) == FunctionKind.NONE);
            if (!known) {
                throw ScatterRefusal.of(
                        "The function " + expression.name()
                                + ", which is not known to compute its result from its arguments alone,",
                        text,
                        "Declare it IMMUTABLE if it does; or, " + ScatterRefusal.PER_SHARD);
            }
        }));
        List<Expression> shown = new ArrayList<>();
        select.items.forEach(item -> item.expression().walk(shown::add));
        select.order.forEach(key -> key.expression().walk(shown::add));
        for (Expression expression : shown) {
            if (expression.is(Kind.CALL) && isRows(catalogue, expression.name())) {
                throw ScatterRefusal.of(
                        "The function " + expression.name() + ", which returns several rows,",
                        text,
                        "Put it into the FROM.");
            }
        }
    }

    private RowCount limit(List<Aggregate> aggregates) {
        SqlSpan span = select.limit;
        RowCount limit = span == null ? RowCount.NONE : span.isEmpty() ? new RowCount(1L, 0) : RowCount.of(span);
        if (!aggregates.isEmpty() && limit.literal() != null && limit.literal() == 0) {
            throw ScatterRefusal.of("An aggregate with LIMIT 0", text, "Leave it out.");
        }
        return limit;
    }

    private ScatterQuery assemble(
            Predicate<Expression> steady, Predicate<Expression> isAggregate, Set<Integer> ownIds) {
        boolean grouped = select.isGrouped() || GroupSplitter.hasAggregate(select, isAggregate);
        List<Aggregate> aggregates = select.isGrouped() ? List.of() : Aggregate.of(select, text);
        GroupSplitter splitter = new GroupSplitter(select, text, isAggregate);
        GroupMerge merge = grouped ? splitter.split(aggregates.isEmpty()) : null;
        List<SortKey> keys = merge == null && aggregates.isEmpty() ? SortKey.of(select, text, steady) : List.of();
        // Of simple aggregates, the shards' columns are the query's, with their names.
        boolean asWritten = merge == null || !aggregates.isEmpty();
        SqlSpan offset = select.offset;
        return new ScatterQuery(
                text.sql(),
                SqlAnalysis.of(asWritten ? rows(keys) : splitter.arm()),
                asWritten ? parameters(keys) : splitter.armParameters(),
                ownIds,
                new SqlSpan(text, 0, text.size()).parameters().size(),
                keys,
                aggregates,
                merge,
                limit(aggregates),
                offset == null ? RowCount.NONE : RowCount.of(offset));
    }

    /** The query with its sort keys as further columns. */
    private String rows(List<SortKey> keys) {
        StringBuilder arm = new StringBuilder("select ").append(select.list.sql());
        for (int i = 0; i < keys.size(); i++) {
            arm.append(", ")
                    .append(keys.get(i).expression().sql())
                    .append(" as ")
                    .append(ScatterQuery.key(i));
        }
        return arm.append(' ').append(select.rows.sql()).toString();
    }

    private List<Integer> parameters(List<SortKey> keys) {
        List<Integer> parameters = new ArrayList<>(select.list.parameters());
        keys.forEach(key -> parameters.addAll(key.expression().parameters()));
        parameters.addAll(select.rows.parameters());
        return List.copyOf(parameters);
    }
}
