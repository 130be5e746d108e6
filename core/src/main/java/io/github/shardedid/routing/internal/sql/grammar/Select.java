package io.github.shardedid.routing.internal.sql.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A SELECT that was read; its further parts are set while it is read. */
public final class Select {
    /** The clauses that a database applies to what the shards return. */
    public static final Set<String> MERGED = Set.of("GROUP BY", "HAVING", "DISTINCT");

    /** GROUP BY, HAVING, UNION and the like, as far as it has them: those that are refused for a whole query. */
    public final List<String> clauses = new ArrayList<>();

    public final List<Item> items = new ArrayList<>();
    public final List<FromItem> from = new ArrayList<>();
    public final List<SortItem> order = new ArrayList<>();
    /** The expressions of GROUP BY, also among the others. */
    public final List<Expression> groups = new ArrayList<>();
    /** What is grouped by and the like. */
    final List<Expression> others = new ArrayList<>();
    /** Further selects of a UNION, INTERSECT or EXCEPT. */
    public final List<Select> further = new ArrayList<>();

    @Nullable
    public Expression where;

    @Nullable
    public Expression having;

    public SqlSpan list;
    /** From FROM to before GROUP BY, ORDER BY and the like. */
    public SqlSpan rows;

    /** ORDER BY with its keys; empty without. */
    SqlSpan orderBy;

    /** LIMIT, OFFSET and FETCH; empty without. */
    public SqlSpan bounds;

    @Nullable
    public SqlSpan limit;

    @Nullable
    public SqlSpan offset;

    public boolean withTies;

    Select(SqlSpan nothing) {
        list = nothing;
        rows = nothing;
        orderBy = nothing;
        bounds = nothing;
    }

    /** A key of an ORDER BY. */
    public record SortItem(Expression expression, boolean descending, @Nullable Boolean nullsFirst) {}

    /** All of a whole text but for its order and its bounds. */
    public SqlSpan unordered() {
        return new SqlSpan(orderBy.text(), 0, orderBy.from());
    }

    /** GROUP BY and HAVING; empty without. */
    public SqlSpan grouping() {
        return new SqlSpan(rows.text(), rows.to(), orderBy.from());
    }

    /** Whether rows become groups. */
    public boolean isGrouped() {
        return MERGED.stream().anyMatch(clauses::contains);
    }

    /** Whether what it returns depends on no more than one row of each table at a time; aggregates apart. */
    public boolean isRowByRow() {
        return limit == null
                && offset == null
                && clauses.stream().allMatch(clause -> clause.equals("UNION ALL"))
                && further.stream().allMatch(Select::isRowByRow);
    }

    /** All expressions of this select itself, not those of subselects nor of further selects. */
    public void expressions(Consumer<Expression> consumer) {
        items.forEach(item -> item.expression().walk(consumer));
        from.forEach(item -> item.expressions(consumer));
        if (where != null) {
            where.walk(consumer);
        }
        others.forEach(expression -> expression.walk(consumer));
        order.forEach(key -> key.expression().walk(consumer));
    }

    /** The selects that are part of this one, itself included. */
    public void selects(Consumer<Select> consumer) {
        consumer.accept(this);
        further.forEach(select -> select.selects(consumer));
        from.forEach(item -> item.selects(consumer));
        expressions(expression -> {
            if (expression.select() != null) {
                expression.select().selects(consumer);
            }
        });
    }

    /**
     * A column of a select list.
     *
     * @param expression what is selected, without its alias
     * @param name its name in the result; null if that is PostgreSQL's choice, or it is all columns of a table
     * @param star whether it is all columns of a table, or of all tables
     */
    public record Item(Expression expression, @Nullable String name, boolean star) {}
}
