package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.CurrentTimes;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SelectReader;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.grammar.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses a SELECT, and refuses what is not known to merge.
 *
 * <ol>
 *   <li>{@link #read} reads the text once. What it says without a catalog is refused here: writes, locks,
 *       tables without a schema.
 *   <li>{@link #names} are looked up in the databases: the tables, and the functions that may be the
 *       application's own.
 *   <li>{@link #query} writes the columns for {@code *}.
 *   <li>It refuses what may read other rows than those of its shard ({@link Locality}), what is another thing
 *       than it seems to be ({@link ColumnRules}), the current time but in a condition, and functions that are
 *       not known to compute their result from their arguments.
 *   <li>It decides who merges: nobody if each group is in one shard, Java for the order of rows, a database for
 *       all else.
 * </ol>
 *
 * <p>The last check is kept with the knowledge by which it was made, as that changes while the application
 * runs. Safe for use by several threads.
 */
public final class ScatterParser {
    private final SqlText text;
    private final Select select;
    private final boolean perShard;
    /** The schema of replicated tables. */
    private final String replicated;
    /**
     * The tables that are looked up; of tables outside of the shards only if each shard is meant by itself, as
     * others are refused.
     */
    private final Set<TableName> tables = new LinkedHashSet<>();
    /** The names of all functions, and of operators and casts. */
    private final Set<String> functions = new HashSet<>();
    /** The last check. Of two threads that check at the same time, either may win. */
    private @Nullable volatile Checked checked;

    /** A query, and the knowledge by which it was checked. */
    private record Checked(ScatterQuery query, Catalogue catalogue) {}

    private ScatterParser(SqlText text, boolean perShard, String replicated) {
        this.replicated = replicated;
        this.text = text;
        this.perShard = perShard;
        this.select = SelectReader.whole(text);
        select.selects().flatMap(Select::singles).forEach(single -> {
            if (single instanceof FromItem.Table table
                    && (table.name().isSharded() || (perShard && !table.name().isReplicated()))) {
                tables.add(table.name());
            }
        });
        calls(select).map(Expression::name).forEach(functions::add);
        functions.add(Catalogue.OPERATORS);
    }

    /** Returns the calls in all selects of a query. */
    private static Stream<Expression> calls(Select select) {
        return select.selects().flatMap(Select::expressions).filter(expression -> expression.is(Kind.CALL));
    }

    /**
     * Reads a text.
     *
     * @param perShard whether rows are to be compared within each shard, whatever is in the others
     * @throws UnsupportedStatementException if it is no SELECT, or one of a form that is not known
     */
    public static ScatterParser read(String sql, boolean perShard, SqlAnalysis analysis) {
        SqlText text = new SqlText(sql);
        if (analysis.writes()) {
            throw ScatterRefusal.of(
                    "A write",
                    text,
                    "A transaction writes to one shard: write in ShardContext.run(shard, …), or by id.");
        } else if (analysis.locks()) {
            throw ScatterRefusal.of("A lock", text, "It belongs to one transaction: lock rows by their ids.");
        } else if (!text.is(0, "SELECT")) {
            throw ScatterRefusal.of(
                    "Other than a plain SELECT, " + (text.size() == 0 ? "nothing" : text.raw(0)),
                    text,
                    "Write a SELECT.");
        } else if (!analysis.namesSchema()) {
            throw ScatterRefusal.withoutSchema(text);
        }
        return new ScatterParser(text, perShard, analysis.replicated());
    }

    /** Returns about how much memory it takes: what was read of a token is larger than the token. */
    public int bytes() {
        return 2 * text.sql().length() + 500 * text.size();
    }

    /** Returns what must be known of the catalogs. */
    public Catalogue.Names names() {
        return new Catalogue.Names(functions, tables);
    }

    /**
     * Checks all that is left, unless it was checked by the same knowledge before. With a star it is read again,
     * with the names of the columns.
     */
    public ScatterQuery query(Catalogue catalogue, ColocatedColumns columns) {
        Checked last = checked;
        if (last != null && last.catalogue.equals(catalogue)) {
            return last.query;
        }
        StarColumns stars = new StarColumns(text, select, catalogue.tables());
        ScatterParser parser = stars.expanded.equals(text.sql())
                ? this
                : new ScatterParser(new SqlText(stars.expanded), perShard, replicated);
        ScatterQuery made = parser.query(catalogue, columns, stars.tables);
        checked = new Checked(made, catalogue);
        return made;
    }

    private ScatterQuery query(Catalogue catalogue, ColocatedColumns columns, Set<TableName> starred) {
        Set<String> names = new ColumnRules(select, text, catalogue).check();
        requireMergeable();
        if (!perShard) {
            requireLocal(catalogue);
        }
        requireKnown(catalogue);
        requireTimesInConditions();
        Predicate<Expression> aggregate =
                expression -> expression.is(Kind.CALL) && catalogue.isAggregate(expression.name());
        refuseOuterAggregates(aggregate);
        Locality locality = new Locality(text, columns, aggregate);
        if (!perShard) {
            locality.check(select);
        }
        boolean merges = (select.isGrouped() || GroupSplitter.hasAggregate(select, aggregate))
                && !hasLocalGroups(id -> locality.isIdOfEachRow(select, id, catalogue));
        GroupSplitter splitter = new GroupSplitter(select, text, aggregate, locality::isOwnId);
        GroupMerge merge = merges ? splitter.split() : null;
        List<SortKey> keys = merges ? List.of() : SortKey.of(select, text, call -> isSteady(catalogue, call));
        ArmParameter.Part rows =
                ArmParameter.Part.of(select.rows, select.where, perShard ? e -> false : locality::isOwnId);
        ArmParameter.Part arm = merges ? splitter.arm(rows) : arm(rows, keys);
        List<String> conditions = new ArrayList<>();
        tables.forEach(name -> {
            TableColumns known = catalogue.tables().get(name);
            // One that is not known, as its shard is being moved, fails if it is there when the query is executed.
            conditions.add(
                    known == null
                            ? "exists (select sharded_id_unknown from " + name.sql() + ")"
                            : known.check(name, names, starred.contains(name), !perShard));
        });
        String condition = String.join(" and ", conditions);
        return new ScatterQuery(
                text.sql(),
                SqlAnalysis.of(arm.sql(), replicated),
                List.copyOf(arm.parameters()),
                keys,
                merge,
                select.limit,
                select.offset,
                SqlAnalysis.of(condition),
                catalogue.plans(),
                arm.sql() + ScatterQuery.orderBy(keys) + condition + catalogue.plans());
    }

    /** Refuses clauses that cannot be merged, and a query without a table. */
    private void requireMergeable() {
        select.clauses.stream()
                .filter(clause -> !Select.MERGED.contains(clause))
                .forEach(clause -> {
                    throw ScatterRefusal.of(clause, text, "Run its parts one by one.");
                });
        if (select.from.isEmpty()) {
            throw ScatterRefusal.of(
                    "A query without a table of the shards, of which each would return the same rows,",
                    text,
                    "Ask one shard.");
        }
    }

    /** Refuses what may read other rows than those of the tables that the query names. */
    private void requireLocal(Catalogue catalogue) {
        catalogue.tables().forEach((name, table) -> {
            if (!table.isTable()) {
                throw ScatterRefusal.of(
                        "The view " + name.name() + ", which may put rows of its own shard together,",
                        text,
                        "Query its tables; or, " + ScatterRefusal.PER_SHARD);
            }
        });
        if (catalogue.of(Catalogue.OPERATORS) != Catalogue.Kind.PLAIN) {
            throw ScatterRefusal.of(
                    "A query in a database with an operator or a cast that may call a function of your own that reads other rows",
                    text,
                    "Declare the functions of your operators and casts IMMUTABLE if they read none; or, "
                            + ScatterRefusal.PER_SHARD);
        }
    }

    /** Refuses functions that may read other rows than those of their arguments, or return several rows. */
    private void requireKnown(Catalogue catalogue) {
        calls(select).forEach(call -> {
            Catalogue.Kind kind = catalogue.of(call.name());
            if (kind == Catalogue.Kind.NONE || (kind == Catalogue.Kind.UNKNOWN && !perShard)) {
                throw ScatterRefusal.of(
                        "The function " + call.name()
                                + ", which is not known to compute its result from its arguments alone,",
                        text,
                        "Declare it IMMUTABLE if it does, and give an aggregate of your own a name of its own; or, "
                                + ScatterRefusal.PER_SHARD);
            }
        });
        Stream.concat(
                        select.items.stream().map(Select.Item::expression),
                        select.order.stream().map(Select.SortItem::expression))
                .flatMap(Expression::walk)
                .filter(call -> call.is(Kind.CALL) && catalogue.of(call.name()) == Catalogue.Kind.ROWS)
                .forEach(call -> {
                    throw ScatterRefusal.of(
                            "The function " + call.name() + ", which returns several rows,", text, "Query each shard.");
                });
    }

    /**
     * Refuses the current time but in conditions. Each statement has a time of its own, so equal rows of two
     * statements would differ, and come out of order.
     */
    private void requireTimesInConditions() {
        List<SqlSpan> conditions = select.selects()
                .flatMap(each -> Stream.concat(
                        Stream.ofNullable(each.where), each.from.stream().flatMap(FromItem::on)))
                .map(Expression::span)
                .toList();
        IntStream.range(0, text.size())
                .filter(i -> CurrentTimes.isAt(text, i))
                .filter(i -> conditions.stream().noneMatch(span -> span.from() <= i && i < span.to()))
                .forEach(i -> {
                    throw ScatterRefusal.of(
                            "The current time, which is another one in each statement, outside of a condition, ("
                                    + text.raw(i) + ")",
                            text,
                            "Pass the time, and texts that may be read as one, as a parameter.");
                });
    }

    /**
     * Refuses aggregates in subselects that may be those of an outer query. PostgreSQL takes one whose
     * arguments have columns of an outer query only for an aggregate of that query: in {@code select (select
     * count(p.id)) from photo p} it counts the photos. So each must have a column of its own subselect, or
     * none.
     */
    private void refuseOuterAggregates(Predicate<Expression> aggregate) {
        select.selects().skip(1).forEach(inner -> {
            Set<String> own = inner.singles().map(FromItem::alias).collect(Collectors.toSet());
            inner.expressions().filter(aggregate).forEach(call -> {
                boolean columns = call.has(part -> part.is(Kind.COLUMN));
                boolean owned = call.has(part -> part.is(Kind.COLUMN)
                        && part.names().size() > 1
                        && own.contains(part.names().get(part.names().size() - 2)));
                if (call.has(part -> part.select() != null) || (columns && !owned)) {
                    throw ScatterRefusal.of(
                            "The aggregate " + call.name() + " in a subselect, which may be one of the outer query,",
                            text,
                            "Write the columns of the subselect's own tables with their table or alias before them.");
                }
            });
        });
    }

    /**
     * Returns whether the rows of a group, or those that DISTINCT makes one, are in one shard: they have the id
     * of a row in common.
     */
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

    /** Returns whether an expression by itself has the same value when it is computed again. */
    private static boolean isSteady(Catalogue catalogue, Expression expression) {
        return !expression.is(Kind.CALL)
                || catalogue.of(expression.name()) == Catalogue.Kind.PLAIN
                || Catalogue.AGGREGATES.contains(expression.name());
    }

    /** Returns the query with its sort keys as further columns. */
    private ArmParameter.Part arm(ArmParameter.Part rows, List<SortKey> keys) {
        String distinct = select.clauses.contains("DISTINCT") ? "distinct " : "";
        ArmParameter.Part list = ArmParameter.Part.of(select.list);
        ArmParameter.Part grouping = ArmParameter.Part.of(select.grouping);
        List<ArmParameter> parameters = new ArrayList<>(list.parameters());
        keys.forEach(
                key -> parameters.addAll(ArmParameter.Part.of(key.expression()).parameters()));
        parameters.addAll(rows.parameters());
        parameters.addAll(grouping.parameters());
        String sql =
                "select " + distinct + list.sql() + SortKey.columns(keys) + " " + rows.sql() + " " + grouping.sql();
        return new ArmParameter.Part(sql.stripTrailing(), parameters);
    }
}
