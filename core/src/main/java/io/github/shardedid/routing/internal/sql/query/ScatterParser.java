package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SelectReader;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses a SELECT, and refuses what is not known to merge.
 *
 * <ol>
 *   <li>{@link #read} reads the text once. What it says without a catalog is refused here: writes, locks, tables without a schema.
 *   <li>{@link #names} are looked up in the databases: the tables, and the functions, operators and casts that may be the application's own.
 *   <li>{@link #query} writes the columns for {@code *}, and takes the limit out of a subselect that has it.
 *   <li>It refuses what may read other rows than those of its shard ({@link Locality}), what is another thing than it seems to be ({@link ColumnRules},
 *       {@link Aggregate}), and functions that are not known to compute their result from their arguments.
 *   <li>It decides who merges: nobody if each group is in one shard, Java for counts and for the order of rows, a database for all else.
 * </ol>
 *
 * <p>The last check is kept with the version of the knowledge by which it was made, as that changes while the application runs. Safe for use by
 * several threads.
 */
public final class ScatterParser {
    private final SqlText text;
    private final Select select;
    private final boolean perShard;
    private final Set<TableName> tables = new HashSet<>();
    private final Set<String> functions = new HashSet<>();
    private @Nullable volatile Checked checked;

    /** A query, and by what knowledge of which databases it was checked. */
    private record Checked(ScatterQuery query, int version, Set<String> databases) {}

    private ScatterParser(SqlText text, boolean perShard) {
        this.text = text;
        this.perShard = perShard;
        this.select = SelectReader.whole(text);
        select.selects().flatMap(Select::singles).forEach(single -> {
            if (single instanceof FromItem.Table table && (perShard || table.sharded())) {
                tables.add(new TableName(table.schema(), table.name()));
            }
        });
        select.selects().flatMap(Select::expressions).forEach(this::addFunctions);
        if (!perShard) {
            functions.addAll(Catalogue.operators(text));
        }
    }

    /** The names of functions, and those of columns that could be functions. */
    private void addFunctions(Expression expression) {
        boolean qualified = expression.is(Kind.COLUMN) && expression.names().size() > 1;
        if (expression.is(Kind.CALL) || qualified) {
            functions.add(expression.name());
        }
        if (Aggregate.mayBeAnother(expression)) {
            functions.add(Catalogue.MERGED + expression.name());
        }
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
        if (!analysis.namesSchema()) {
            throw ScatterRefusal.withoutSchema(text);
        }
    }

    /** About how much memory it takes: what was read of a token is larger than the token. */
    public int bytes() {
        return 2 * text.sql().length() + 500 * text.size();
    }

    /** Returns the query, if it was checked before by the same knowledge of the same databases. */
    public @Nullable ScatterQuery checked(int version, Set<String> databases) {
        Checked last = checked;
        return last != null && last.version == version && last.databases.equals(databases) ? last.query : null;
    }

    /** Returns what must be known of the catalogs. */
    public Catalogue.Names names() {
        return new Catalogue.Names(functions, tables);
    }

    private void refuseViews(Catalogue catalogue) {
        catalogue.tables().forEach((name, table) -> {
            if (!perShard && !table.isTable()) {
                throw ScatterRefusal.of(
                        "The view " + name.name() + ", which may put rows of its own shard together,",
                        text,
                        "Query its tables; or, " + ScatterRefusal.PER_SHARD);
            }
        });
    }

    /**
     * Checks all that is left.
     *
     * @param databases those of which the catalogue says what it says
     * @param version of what it says
     */
    public ScatterQuery query(Catalogue catalogue, ColocatedColumns columns, int version, Set<String> databases) {
        ScatterQuery made = query(catalogue, columns);
        checked = new Checked(made, version, Set.copyOf(databases));
        return made;
    }

    public ScatterQuery query(Catalogue catalogue, ColocatedColumns columns) {
        refuseViews(catalogue);
        StarColumns stars = new StarColumns(text, select, catalogue.tables());
        ScatterParser parser = in(stars.expanded());
        PagedRoots roots = PagedRoots.in(parser.text, parser.select);
        return parser.in(roots == null ? parser.text.sql() : roots.sql())
                .query(catalogue, columns, stars.tables(), roots);
    }

    private ScatterParser in(String sql) {
        return sql.equals(text.sql()) ? this : new ScatterParser(new SqlText(sql), perShard);
    }

    private ScatterQuery query(
            Catalogue catalogue, ColocatedColumns columns, Set<TableName> all, @Nullable PagedRoots roots) {
        ColumnRules rules = new ColumnRules(select, text, catalogue);
        rules.refuseDoubtful(perShard);
        requireMergeable();
        checkFunctions(catalogue);
        Aggregate.check(select, perShard, text, catalogue);
        Predicate<Expression> aggregate = expression -> isAggregate(catalogue, expression);
        if (!perShard) {
            catalogue.checkOperators(text);
        }
        Aggregate.refuseOuter(select, aggregate, text);
        Locality locality = new Locality(text, columns, aggregate);
        List<Locality.IdList> ids = perShard ? List.of() : locality.check(select);
        Assumptions assumptions = new Assumptions(rules.uses(tables, all, !perShard), rules.calls(), catalogue);
        boolean local = hasLocalGroups(id -> locality.isIdOfEachRow(select, id, catalogue));
        boolean existsOnly = Locality.isExists(select);
        Predicate<Expression> merged = aggregate.or(expression -> existsOnly && expression.is(Kind.EXISTS));
        boolean merges = !local && (select.isGrouped() || GroupSplitter.hasAggregate(select, merged));
        boolean counts = merges && Aggregate.areCounts(select, text, locality::isOwnId);
        GroupSplitter splitter = new GroupSplitter(select, text, merged, locality::isOwnId);
        GroupMerge merge = merges && !counts ? splitter.split() : null;
        List<SortKey> keys =
                merges ? List.of() : SortKey.of(select, text, expression -> isSteady(catalogue, expression));
        if (roots != null && merges) {
            throw ScatterRefusal.of("An aggregate over a subselect with a limit", text, "Ask for its rows.");
        }
        boolean asWritten = merge == null;
        SqlSpan offset = select.offset;
        return new ScatterQuery(
                text.sql(),
                SqlAnalysis.of(asWritten ? rows(keys, roots) : splitter.arm()),
                roots != null
                        ? roots.original(parameters(keys))
                        : asWritten ? parameters(keys) : splitter.armParameters(),
                roots == null
                        ? ids
                        : ids.stream().map(list -> list.in(roots.numbers())).toList(),
                keys,
                counts,
                merge,
                roots == null ? RowCount.ofLimit(select.limit) : roots.limit(),
                roots != null ? roots.offset() : offset == null ? RowCount.NONE : RowCount.of(offset),
                roots != null,
                assumptions);
    }

    /** Returns whether the rows of a group, or those that DISTINCT makes one, are in one shard: they have the id of a row in common. */
    private boolean hasLocalGroups(Predicate<Expression> isIdOfEachRow) {
        Predicate<Expression> isId = expression -> isIdOfEachRow.test(
                expression.is(Kind.LITERAL)
                        ? SortKey.numbered("GROUP BY", expression, select.items, text)
                        : expression);
        boolean groups = select.clauses.contains("GROUP BY") || select.clauses.contains("HAVING");
        return select.isGrouped()
                && (!groups || select.groups.stream().anyMatch(isId))
                && (!select.clauses.contains("DISTINCT")
                        || select.items.stream().map(Select.Item::expression).anyMatch(isIdOfEachRow));
    }

    private static boolean isAggregate(Catalogue catalogue, Expression expression) {
        return expression.is(Kind.CALL) && Aggregate.isAny(catalogue, expression.name());
    }

    private static boolean isSteady(Catalogue catalogue, Expression expression) {
        return !expression.is(Kind.CALL)
                || catalogue.of(expression.name()) == FunctionKind.PLAIN
                || Catalogue.AGGREGATES.contains(expression.name());
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
        select.selects().flatMap(Select::expressions).forEach(expression -> {
            boolean known = !expression.is(Kind.CALL)
                    || perShard
                    || Catalogue.AGGREGATES.contains(expression.name())
                    || !(catalogue.isUnknown(expression.name())
                            || catalogue.of(expression.name()) == FunctionKind.NONE);
            if (!known) {
                throw ScatterRefusal.of(
                        "The function " + expression.name()
                                + ", which is not known to compute its result from its arguments alone,",
                        text,
                        "Declare it IMMUTABLE if it does; or, " + ScatterRefusal.PER_SHARD);
            }
        });
        Stream.concat(
                        select.items.stream().map(Select.Item::expression),
                        select.order.stream().map(Select.SortItem::expression))
                .flatMap(Expression::walk)
                .filter(call -> call.is(Kind.CALL) && catalogue.of(call.name()) == FunctionKind.ROWS)
                .forEach(call -> {
                    throw ScatterRefusal.of(
                            "The function " + call.name() + ", which returns several rows,",
                            text,
                            "Put it into the FROM.");
                });
    }

    /** Returns the query with its sort keys as further columns. */
    private String rows(List<SortKey> keys, @Nullable PagedRoots roots) {
        return ("select " + (select.clauses.contains("DISTINCT") ? "distinct " : "") + select.list.sql()
                        + (roots == null ? "" : roots.columns()) + SortKey.columns(keys) + " " + select.rows.sql() + " "
                        + select.grouping().sql())
                .stripTrailing();
    }

    private List<Integer> parameters(List<SortKey> keys) {
        List<Integer> parameters = new ArrayList<>(select.list.parameters());
        keys.forEach(key -> parameters.addAll(key.expression().parameters()));
        parameters.addAll(select.rows.parameters());
        parameters.addAll(select.grouping().parameters());
        return List.copyOf(parameters);
    }
}
