package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.List;

/** Reads SELECTs by the part of PostgreSQL's grammar that is known here; refuses all else. */
public final class SelectReader implements Subselects {
    private final SqlCursor cursor;
    private final SqlText text;
    private final ExpressionReader expressions;
    private final FromReader tables;

    SelectReader(SqlCursor cursor) {
        this.cursor = cursor;
        this.text = cursor.text;
        this.expressions = new ExpressionReader(cursor, this);
        this.tables = new FromReader(cursor, expressions, this::read);
    }

    /** The whole text, which is one SELECT and perhaps a semicolon. */
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

    @Override
    public boolean begins() {
        return cursor.is("SELECT");
    }

    @Override
    public Select read() {
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
        int order = cursor.position;
        if (cursor.accept("ORDER", "BY")) {
            select.order.addAll(sortItems());
        }
        select.orderBy = cursor.since(order);
        int bounds = cursor.position;
        bounds(select);
        select.bounds = cursor.since(bounds);
        return select;
    }

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
                select.from.add(tables.read());
            } while (cursor.accept(","));
        }
        if (cursor.accept("WHERE")) {
            select.where = expressions.read();
        }
        select.rows = cursor.since(body);
        groups(select);
        return select;
    }

    private void distinct(Select select) {
        cursor.position++;
        boolean on = cursor.accept("ON", "(");
        select.clauses.add(on ? "DISTINCT ON" : "DISTINCT");
        if (on) {
            select.others.addAll(expressions.list());
            cursor.expect(")");
        }
    }

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

    @Override
    public List<Select.SortItem> sortItems() {
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

    /** LIMIT, OFFSET and FETCH, in any order. */
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

    private void fetch(Select select) {
        cursor.expectAny("FIRST", "NEXT");
        select.limit = cursor.isAny("ROW", "ROWS") ? cursor.since(cursor.position) : count();
        cursor.expectAny("ROW", "ROWS");
        select.withTies = cursor.accept("WITH", "TIES");
        if (!select.withTies) {
            cursor.expect("ONLY");
        }
    }

    /** One token: what else can count rows is not needed. */
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
}
