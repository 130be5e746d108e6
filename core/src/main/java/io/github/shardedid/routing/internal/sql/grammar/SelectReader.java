package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.FromItem.Join;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads SELECTs, and what stands in their FROM, by the part of PostgreSQL's grammar that is known to merge;
 * refuses all else, as what is not understood could be merged into a wrong result.
 *
 * <p>A recursive descent, with one method for each part of the grammar. It reads only the text; what the names
 * mean is asked of the catalogs later.
 */
public final class SelectReader {
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");

    private final SqlCursor cursor;
    private final SqlText text;
    private final ExpressionReader expressions;

    SelectReader(SqlCursor cursor) {
        this.cursor = cursor;
        this.text = cursor.text;
        this.expressions = new ExpressionReader(cursor, this);
    }

    /** Reads the whole text, which is one SELECT and perhaps a semicolon. */
    public static Select whole(SqlText text) {
        SqlCursor cursor = new SqlCursor(text);
        Select select = new SelectReader(cursor).read();
        if (cursor.is(";") && cursor.position + 1 < text.size()) {
            throw ScatterRefusal.of("More than one statement", text, "Send them one by one.");
        }
        cursor.accept(";");
        cursor.require(cursor.position >= text.size());
        return select;
    }

    /** Reads a SELECT up to its end, or to where its parenthesis closes. */
    Select read() {
        Select select = simple();
        while (cursor.isAny("UNION", "INTERSECT", "EXCEPT")) {
            String word = text.at(cursor.position++);
            boolean all = cursor.accept("ALL");
            cursor.accept("DISTINCT");
            select.clauses.add(all && word.equals("UNION") ? "UNION ALL" : word);
            select.further.add(simple());
        }
        if (cursor.accept("ORDER", "BY")) {
            select.order.addAll(sortItems());
        }
        bounds(select);
        return select;
    }

    /** Reads a SELECT up to before UNION, ORDER BY and LIMIT, which belong to all selects of a UNION together. */
    private Select simple() {
        int start = cursor.position;
        cursor.expect("SELECT");
        Select select = new Select(cursor.since(start));
        if (cursor.accept("DISTINCT")) {
            cursor.require(!cursor.is("ON"));
            select.clauses.add("DISTINCT");
        }
        cursor.accept("ALL");
        int list = cursor.position;
        if (!cursor.isAny("FROM", ")")) {
            select.items.addAll(cursor.list(",", this::item));
        }
        select.list = cursor.since(list);
        int body = cursor.position;
        if (cursor.accept("FROM")) {
            select.from.addAll(cursor.list(",", this::fromItem));
        }
        if (cursor.accept("WHERE")) {
            select.where = expressions.read();
        }
        select.rows = cursor.since(body);
        int grouping = cursor.position;
        groups(select);
        select.grouping = cursor.since(grouping);
        return select;
    }

    /** Reads GROUP BY and HAVING. ROLLUP and the like are not read. */
    private void groups(Select select) {
        if (cursor.accept("GROUP", "BY")) {
            select.clauses.add("GROUP BY");
            select.groups.addAll(expressions.list());
        }
        if (cursor.accept("HAVING")) {
            select.clauses.add("HAVING");
            select.having = expressions.read();
        }
    }

    /** Reads a column of the select list, with its name in the result as PostgreSQL chooses it. */
    private Select.Item item() {
        int start = cursor.position;
        int name = cursor.lastName();
        if (text.is(name, "*")) {
            cursor.position = name + 1;
            return new Select.Item(Expression.of(Expression.Kind.OTHER, cursor.since(start), List.of()), null, true);
        }
        Expression expression = expressions.read();
        boolean named = expression.is(Expression.Kind.COLUMN) || expression.is(Expression.Kind.CALL);
        String own = named ? expression.name() : expression.is(Expression.Kind.EXISTS) ? "exists" : null;
        if (cursor.accept("AS") || SqlKeywords.isBareLabel(text, cursor.position)) {
            own = cursor.name();
        }
        return new Select.Item(expression, own, false);
    }

    /** Reads what follows ORDER BY. */
    List<Select.SortItem> sortItems() {
        return cursor.list(",", this::sortItem);
    }

    private Select.SortItem sortItem() {
        Expression expression = expressions.read();
        boolean descending = cursor.is("DESC");
        cursor.acceptAny("ASC", "DESC");
        Boolean nullsFirst = null;
        if (cursor.accept("NULLS")) {
            nullsFirst = cursor.is("FIRST");
            cursor.expectAny("FIRST", "LAST");
        }
        return new Select.SortItem(expression, descending, nullsFirst);
    }

    /** Reads LIMIT, OFFSET and FETCH, in any order. */
    private void bounds(Select select) {
        while (true) {
            if (select.limit == null && cursor.accept("LIMIT")) {
                select.limit = count();
            } else if (select.offset == null && cursor.accept("OFFSET")) {
                select.offset = count();
                cursor.acceptAny("ROW", "ROWS");
            } else if (select.limit == null && cursor.accept("FETCH")) {
                fetch(select);
            } else {
                return;
            }
        }
    }

    /** Reads FETCH, which counts one row if it says no number. */
    private void fetch(Select select) {
        cursor.expectAny("FIRST", "NEXT");
        select.limit = cursor.isAny("ROW", "ROWS") ? cursor.since(cursor.position) : count();
        cursor.expectAny("ROW", "ROWS");
        cursor.expect("ONLY");
    }

    /** Reads the number of rows of a LIMIT, FETCH or OFFSET: one token. What else can count rows is not needed. */
    private SqlSpan count() {
        int start = cursor.position;
        boolean number = cursor.atLiteral() && COUNT.matcher(text.raw(start)).matches();
        cursor.require(number || cursor.isAny("?", "ALL", "NULL"));
        cursor.position++;
        return cursor.since(start);
    }

    /** Reads an item with its joins, from left to right. NATURAL, RIGHT and FULL joins are not read. */
    private FromItem fromItem() {
        FromItem item = single();
        while (true) {
            if (cursor.accept("CROSS", "JOIN")) {
                item = new Join(false, item, single(), null);
                continue;
            }
            boolean outer = cursor.accept("LEFT", "JOIN") || cursor.accept("LEFT", "OUTER", "JOIN");
            if (!outer && !cursor.accept("JOIN") && !cursor.accept("INNER", "JOIN")) {
                return item;
            }
            FromItem right = single();
            cursor.expect("ON"); // "a join b join c on … on …" is not read
            item = new Join(outer, item, right, expressions.read());
        }
    }

    /**
     * Reads an item that is no join, or a join in parentheses. Such a join has no alias, which would hide the
     * tables in it.
     */
    private FromItem single() {
        cursor.require(!cursor.is("LATERAL"));
        if (cursor.is("(", "SELECT")) {
            cursor.position++;
            Select select = read();
            cursor.expect(")");
            String alias = alias("");
            return new FromItem.Derived(select, alias, alias.isEmpty() ? List.of() : columns());
        } else if (cursor.accept("(")) {
            FromItem inner = fromItem();
            cursor.expect(")");
            cursor.require(!cursor.is("AS") && !SqlKeywords.isColumnName(text, cursor.position));
            return inner;
        }
        boolean only = cursor.accept("ONLY");
        return !only && text.is(cursor.lastName() + 1, "(") ? function() : table();
    }

    private FromItem function() {
        Expression call = expressions.operand(true);
        cursor.require(call.is(Expression.Kind.CALL));
        FromItem.Function function = new FromItem.Function(call, alias(call.name()));
        columns();
        return function;
    }

    /** Reads a table, which must have a schema, and the columns their own names. */
    private FromItem table() {
        List<String> path = cursor.path();
        cursor.accept("*");
        String name = path.get(path.size() - 1);
        if (path.size() == 1) {
            throw ScatterRefusal.withoutSchema(text);
        }
        String named = path.get(path.size() - 2);
        String schema = SchemaPlaceholder.is(SchemaPlaceholder.OF_SHARD, named) ? SchemaPlaceholder.OF_SHARD : named;
        String alias = alias(name);
        cursor.require(!cursor.is("("));
        return new FromItem.Table(new TableName(schema, name), alias);
    }

    /** Reads an alias; otherwise returns another name. */
    private String alias(String otherwise) {
        return cursor.accept("AS") || SqlKeywords.isColumnName(text, cursor.position) ? cursor.name() : otherwise;
    }

    /** Reads {@code (a, b)} behind an alias. */
    private List<String> columns() {
        if (!cursor.accept("(")) {
            return List.of();
        }
        List<String> names = cursor.list(",", cursor::name);
        cursor.expect(")");
        return names;
    }
}
