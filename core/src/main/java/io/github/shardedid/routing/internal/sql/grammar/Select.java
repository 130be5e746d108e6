package io.github.shardedid.routing.internal.sql.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT. {@link SelectReader} sets its parts while it reads them; nothing changes them later.
 *
 * <p>It is no record, as a recursive reader knows the parts one after the other, and most of them are empty.
 * Equality is identity: two subselects in the same words are two.
 */
public final class Select {
    /** The clauses that a database applies to what the shards return. */
    public static final Set<String> MERGED = Set.of("GROUP BY", "HAVING", "DISTINCT");

    /** GROUP BY, HAVING, UNION and the like, as far as it has them: those that are refused for a whole query. */
    public final List<String> clauses = new ArrayList<>();

    public final List<Item> items = new ArrayList<>();
    public final List<FromItem> from = new ArrayList<>();
    /** The keys of ORDER BY. */
    public final List<SortItem> order = new ArrayList<>();
    /** The expressions of GROUP BY. */
    public final List<Expression> groups = new ArrayList<>();
    /** Further selects of a UNION, INTERSECT or EXCEPT. */
    public final List<Select> further = new ArrayList<>();

    /** The condition of WHERE; null without one. */
    @Nullable
    public Expression where;

    /** The condition of HAVING; null without one. */
    @Nullable
    public Expression having;

    /** The select list. */
    public SqlSpan list;
    /** The tokens from FROM to before GROUP BY, ORDER BY and the like. */
    public SqlSpan rows;

    /** The tokens of GROUP BY and HAVING; empty without. */
    public SqlSpan grouping;

    /** The number of LIMIT or FETCH; null without, empty for a FETCH that says no number. */
    @Nullable
    public SqlSpan limit;

    /** The number of OFFSET; null without. */
    @Nullable
    public SqlSpan offset;

    Select(SqlSpan nothing) {
        list = nothing;
        rows = nothing;
        grouping = nothing;
    }

    /**
     * A key of an ORDER BY.
     *
     * @param expression what is sorted by
     * @param descending whether the greatest comes first
     * @param nullsFirst null if the text does not say it
     */
    public record SortItem(Expression expression, boolean descending, @Nullable Boolean nullsFirst) {}

    /** Returns whether rows become groups. */
    public boolean isGrouped() {
        return MERGED.stream().anyMatch(clauses::contains);
    }

    /** Returns whether what it returns depends on no more than one row of each table at a time; aggregates apart. */
    public boolean isRowByRow() {
        return limit == null
                && offset == null
                && clauses.stream().allMatch(clause -> clause.equals("UNION ALL"))
                && further.stream().allMatch(Select::isRowByRow);
    }

    /** Returns all expressions of this select itself, not those of subselects nor of further selects. */
    public Stream<Expression> expressions() {
        return Stream.of(
                        items.stream().map(Item::expression),
                        from.stream().flatMap(FromItem::on),
                        singles().map(FromItem::call).filter(Objects::nonNull),
                        Stream.ofNullable(where),
                        groups.stream(),
                        Stream.ofNullable(having),
                        order.stream().map(SortItem::expression))
                .flatMap(each -> each)
                .flatMap(Expression::walk);
    }

    /** Returns the conditions that each of its rows must fulfil. */
    public Stream<Expression> required() {
        return Stream.of(from.stream().flatMap(FromItem::required), Stream.ofNullable(where), Stream.ofNullable(having))
                .flatMap(each -> each);
    }

    /** Returns the items of the FROM that are no joins. */
    public Stream<FromItem> singles() {
        return from.stream().flatMap(FromItem::singles);
    }

    /** Returns the selects that are part of this one, itself first. */
    public Stream<Select> selects() {
        return Stream.of(
                        Stream.of(this),
                        further.stream().flatMap(Select::selects),
                        singles()
                                .flatMap(item -> item instanceof FromItem.Derived derived
                                        ? derived.select().selects()
                                        : Stream.empty()),
                        expressions()
                                .map(Expression::select)
                                .filter(Objects::nonNull)
                                .flatMap(Select::selects))
                .flatMap(each -> each);
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
