package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.FromItem.Join;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads SELECTs, and what stands in their FROM, by the part of PostgreSQL's grammar that is known to merge;
 * refuses all else, as what is not understood could be merged into a wrong result.
 *
 * <p>A recursive descent, with one method for each part of the grammar. It reads only the text; what the names
 * mean is asked of the catalogs later.
 */
public final class SelectReader {
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
            boolean open = cursor.accept("(");
            select.further.add(open ? read() : simple());
            if (open) {
                cursor.expect(")");
            }
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
        if (cursor.is("DISTINCT")) {
            distinct(select);
        } else {
            cursor.accept("ALL");
        }
        int list = cursor.position;
        if (!cursor.isAny("FROM", ")")) {
            do {
                select.items.add(item());
            } while (cursor.accept(","));
        }
        select.list = cursor.since(list);
        int body = cursor.position;
        if (cursor.accept("FROM")) {
            do {
                select.from.add(fromItem());
            } while (cursor.accept(","));
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

    /** Reads DISTINCT and DISTINCT ON. */
    private void distinct(Select select) {
        cursor.position++;
        boolean on = cursor.accept("ON", "(");
        select.clauses.add(on ? "DISTINCT ON" : "DISTINCT");
        if (on) {
            select.others.addAll(expressions.list());
            cursor.expect(")");
        }
    }

    /** Reads GROUP BY and HAVING. ROLLUP and the like are not read. */
    private void groups(Select select) {
        if (cursor.accept("GROUP", "BY")) {
            select.clauses.add("GROUP BY");
            select.groups.addAll(expressions.list());
            select.others.addAll(select.groups);
        }
        if (cursor.accept("HAVING")) {
            select.clauses.add("HAVING");
            select.having = expressions.read();
            select.others.add(select.having);
        }
    }

    /** Reads a column of the select list, with its name in the result as PostgreSQL chooses it. */
    private Select.Item item() {
        int start = cursor.position;
        int name = start;
        while (text.isName(name) && text.is(name + 1, ".")) {
            name += 2;
        }
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
        List<Select.SortItem> keys = new ArrayList<>();
        do {
            Expression expression = expressions.read();
            if (cursor.is("USING")) {
                throw ScatterRefusal.of("ORDER BY … USING", text, "Write ASC or DESC.");
            }
            boolean descending = cursor.is("DESC");
            cursor.acceptAny("ASC", "DESC");
            Boolean nullsFirst = null;
            if (cursor.accept("NULLS")) {
                nullsFirst = cursor.is("FIRST");
                cursor.expectAny("FIRST", "LAST");
            }
            keys.add(new Select.SortItem(expression, descending, nullsFirst));
        } while (cursor.accept(","));
        return keys;
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
        if (cursor.is("WITH", "TIES")) {
            throw ScatterRefusal.of("FETCH … WITH TIES", text, "Write ONLY, and order by the id last.");
        }
        cursor.expect("ONLY");
    }

    /** Reads the number of rows of a LIMIT, FETCH or OFFSET: one token. What else can count rows is not needed. */
    private SqlSpan count() {
        int start = cursor.position;
        boolean plain = cursor.atLiteral() || cursor.isAny("?", "ALL", "NULL");
        cursor.position++;
        if (!plain || cursor.atOperator()) {
            throw ScatterRefusal.of(
                    "A LIMIT, FETCH or OFFSET that is computed", text, "Write a number of rows or a parameter.");
        }
        return cursor.since(start);
    }

    /** Reads an item with its joins, from left to right. */
    private FromItem fromItem() {
        FromItem item = single();
        while (true) {
            if (cursor.accept("CROSS", "JOIN")) {
                item = new Join(Join.Type.INNER, item, single(), null);
                continue;
            }
            Join.Type type = joinType();
            if (type == null) {
                return item;
            }
            FromItem right = single();
            if (cursor.is("USING")) {
                throw ScatterRefusal.of("JOIN … USING", text, "Write ON with the two columns.");
            }
            cursor.expect("ON"); // "a join b join c on … on …" is not read
            item = new Join(type, item, right, expressions.read());
        }
    }

    /** Reads the words of a join; null if none begins. NATURAL and FULL joins are not read. */
    private Join.@Nullable Type joinType() {
        if (cursor.accept("JOIN") || cursor.accept("INNER", "JOIN")) {
            return Join.Type.INNER;
        }
        Join.Type type =
                switch (text.at(cursor.position)) {
                    case "LEFT" -> Join.Type.LEFT;
                    case "RIGHT" -> Join.Type.RIGHT;
                    default -> null;
                };
        if (type != null) {
            cursor.position++;
            cursor.accept("OUTER");
            cursor.expect("JOIN");
        }
        return type;
    }

    /**
     * Reads an item that is no join, or a join in parentheses. Such a join has no alias, which would hide the
     * tables in it.
     */
    private FromItem single() {
        boolean lateral = cursor.accept("LATERAL");
        if (cursor.is("(", "SELECT")) {
            cursor.position++;
            Select select = read();
            cursor.expect(")");
            String alias = alias("");
            List<String> columns = alias.isEmpty() ? List.of() : columns(false);
            return new FromItem.Derived(select, alias, lateral, columns);
        } else if (cursor.accept("(")) {
            FromItem inner = fromItem();
            cursor.expect(")");
            cursor.require(!cursor.is("AS") && !SqlKeywords.isColumnName(text, cursor.position));
            return inner;
        }
        boolean only = cursor.accept("ONLY");
        int start = cursor.position;
        int end = start;
        while (text.isName(end) && text.is(end + 1, ".")) {
            end += 2;
        }
        return !only && text.is(end + 1, "(") ? function() : table();
    }

    private FromItem function() {
        Expression call = expressions.operand(true);
        cursor.require(call.is(Expression.Kind.CALL));
        boolean numbered = cursor.accept("WITH", "ORDINALITY");
        String alias = alias(numbered ? "" : call.name());
        columns(true);
        return new FromItem.Function(call, alias);
    }

    /** Reads a table, which must have a schema. */
    private FromItem table() {
        List<String> path = new ArrayList<>();
        do {
            path.add(cursor.name());
        } while (cursor.accept("."));
        cursor.accept("*");
        String name = path.get(path.size() - 1);
        if (path.size() == 1) {
            throw ScatterRefusal.withoutSchema(text);
        }
        String named = path.get(path.size() - 2);
        String schema = SchemaPlaceholder.isOfShard(named) ? SchemaPlaceholder.OF_SHARD : named;
        String alias = alias(name);
        boolean renamed = !columns(false).isEmpty();
        return new FromItem.Table(new TableName(schema, name), alias, renamed);
    }

    /** Reads an alias; otherwise returns another name. */
    private String alias(String otherwise) {
        boolean as = cursor.accept("AS");
        if (as && cursor.is("(")) {
            return otherwise;
        }
        return as || SqlKeywords.isColumnName(text, cursor.position) ? cursor.name() : otherwise;
    }

    /** Reads {@code (a, b)} behind an alias; of functions also with types. */
    private List<String> columns(boolean typed) {
        List<String> names = new ArrayList<>();
        if (cursor.accept("(")) {
            do {
                names.add(cursor.name());
                cursor.require(!typed || cursor.isAny(",", ")") || expressions.skipType());
            } while (cursor.accept(","));
            cursor.expect(")");
        }
        return names;
    }
}
