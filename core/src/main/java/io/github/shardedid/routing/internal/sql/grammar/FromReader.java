package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.grammar.FromItem.Join;
import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.names.SchemaPlaceholder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what stands in a FROM, between its commas. */
final class FromReader {
    private final SqlCursor cursor;
    private final SqlText text;
    private final ExpressionReader expressions;
    private final Supplier<Select> subselect;

    FromReader(SqlCursor cursor, ExpressionReader expressions, Supplier<Select> subselect) {
        this.cursor = cursor;
        this.text = cursor.text;
        this.expressions = expressions;
        this.subselect = subselect;
    }

    FromItem read() {
        FromItem item = single();
        while (true) {
            if (cursor.accept("CROSS", "JOIN")) {
                item = new Join(Join.Type.INNER, item, single(), null);
                continue;
            }
            Join.Type type = type();
            if (type == null) {
                return item;
            }
            FromItem right = operand();
            if (!cursor.accept("ON")) {
                throw cursor.is("USING")
                        ? ScatterRefusal.of("JOIN … USING", text, "Write ON with the two columns.")
                        : cursor.notRead();
            }
            item = new Join(type, item, right, expressions.read());
        }
    }

    /** {@code a join b join c on … on …} is not read. */
    private FromItem operand() {
        FromItem right = single();
        cursor.require(cursor.isAny("ON", "USING"));
        return right;
    }

    private Join.@Nullable Type type() {
        if (cursor.accept("JOIN") || cursor.accept("INNER", "JOIN")) {
            return Join.Type.INNER;
        }
        Join.Type type =
                switch (text.at(cursor.position)) {
                    case "LEFT" -> Join.Type.LEFT;
                    case "RIGHT" -> Join.Type.RIGHT;
                    case "FULL" -> Join.Type.FULL;
                    default -> null;
                };
        if (type != null) {
            cursor.position++;
            cursor.accept("OUTER");
            cursor.expect("JOIN");
        }
        return type;
    }

    private FromItem single() {
        boolean lateral = cursor.accept("LATERAL");
        if (cursor.is("(", "SELECT")) {
            cursor.position++;
            Select select = subselect.get();
            cursor.expect(")");
            String alias = alias("");
            List<String> columns = alias.isEmpty() ? List.of() : columns(false);
            return new FromItem.Derived(select, alias, lateral, columns, cursor.position);
        } else if (cursor.accept("(")) {
            FromItem inner = read();
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
        return new FromItem.Table(schema, name, alias, renamed);
    }

    private String alias(String otherwise) {
        boolean as = cursor.accept("AS");
        if (as && cursor.is("(")) {
            return otherwise;
        }
        return as || SqlKeywords.isColumnName(text, cursor.position) ? cursor.name() : otherwise;
    }

    /** {@code (a, b)} behind an alias; of functions also with types. */
    private List<String> columns(boolean typed) {
        List<String> names = new ArrayList<>();
        if (cursor.accept("(")) {
            do {
                names.add(cursor.name());
                cursor.require(!typed || cursor.isAny(",", ")") || new TypeReader(cursor).skip());
            } while (cursor.accept(","));
            cursor.expect(")");
        }
        return names;
    }
}
