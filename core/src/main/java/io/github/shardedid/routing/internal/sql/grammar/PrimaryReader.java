package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the operands of expressions: columns, calls, literals, subselects, and what is in parentheses. */
final class PrimaryReader {
    /** Functions of the grammar that are no aggregates, with key words between their arguments or not. */
    private static final Set<String> SYNTAX = Set.of(
            "COALESCE", "NULLIF", "GREATEST", "LEAST", "EXTRACT", "SUBSTRING", "POSITION", "OVERLAY", "TRIM", "ROW");

    private final SqlCursor cursor;
    private final SqlText text;
    private final ExpressionReader expressions;
    private final Subselects selects;
    private final TypeReader types;

    PrimaryReader(SqlCursor cursor, ExpressionReader expressions, Subselects selects) {
        this.cursor = cursor;
        this.text = cursor.text;
        this.expressions = expressions;
        this.selects = selects;
        this.types = new TypeReader(cursor);
    }

    Expression read() {
        int start = cursor.position;
        Expression primary = primary();
        while (true) {
            if (cursor.accept("::")) {
                primary = cast(start, primary, type());
            } else if (cursor.accept("[")) {
                primary = subscript(start, primary);
            } else if (cursor.accept("COLLATE")) {
                List<String> collation = path();
                primary = new Expression(Kind.COLLATED, cursor.since(start), collation, List.of(primary), null);
            } else {
                return primary;
            }
        }
    }

    /** Up to the cursor, with these parts. */
    private Expression other(int start, List<Expression> parts) {
        return Expression.of(Kind.OTHER, cursor.since(start), parts);
    }

    private Expression subscript(int start, Expression array) {
        List<Expression> parts = new ArrayList<>(List.of(array));
        while (!cursor.accept("]")) {
            if (!cursor.accept(":")) {
                parts.add(expressions.read());
            }
        }
        return other(start, parts);
    }

    private SqlSpan type() {
        int start = cursor.position;
        cursor.require(types.skip());
        return cursor.since(start);
    }

    private Expression cast(int start, Expression value, SqlSpan type) {
        return new Expression(Kind.CAST, cursor.since(start), List.of(type.sql()), List.of(value), null);
    }

    private Expression primary() {
        int start = cursor.position;
        if (cursor.is("(")) {
            Expression inner = listOrSelect();
            cursor.require(!cursor.is("."));
            return inner;
        } else if (cursor.atLiteral() || cursor.is("?")) {
            boolean literal = !cursor.is("?");
            cursor.position++;
            return Expression.of(literal ? Kind.LITERAL : Kind.OTHER, cursor.since(start), List.of());
        } else if (cursor.accept("CASE")) {
            return caseOf(start);
        } else if (cursor.is("EXISTS", "(")) {
            cursor.position++;
            Expression list = listOrSelect();
            return new Expression(Kind.EXISTS, cursor.since(start), List.of(), List.of(), required(list.select()));
        } else if (cursor.accept("CAST", "(")) {
            Expression value = expressions.read();
            cursor.expect("AS");
            SqlSpan type = type();
            cursor.expect(")");
            return cast(start, value, type);
        } else if (cursor.accept("ARRAY")) {
            return array(start);
        }
        return named(start);
    }

    private Select required(@Nullable Select select) {
        if (select == null) {
            throw cursor.notRead();
        }
        return select;
    }

    /** What is in parentheses: an expression, without them; several; or a subselect. */
    Expression listOrSelect() {
        int start = cursor.position;
        cursor.expect("(");
        if (selects.begins()) {
            Select select = selects.read();
            cursor.expect(")");
            return new Expression(Kind.SELECT, cursor.since(start), List.of(), List.of(), select);
        }
        List<Expression> list = expressions.list();
        cursor.expect(")");
        return list.size() == 1 ? list.get(0) : other(start, list);
    }

    private Expression array(int start) {
        if (cursor.is("(")) {
            return other(start, List.of(listOrSelect()));
        }
        cursor.expect("[");
        List<Expression> elements = cursor.is("]") ? List.of() : expressions.list();
        cursor.expect("]");
        return other(start, elements);
    }

    private Expression caseOf(int start) {
        List<Expression> parts = new ArrayList<>();
        if (!cursor.is("WHEN")) {
            parts.add(expressions.read());
        }
        while (cursor.accept("WHEN")) {
            parts.add(expressions.read());
            cursor.expect("THEN");
            parts.add(expressions.read());
        }
        if (cursor.accept("ELSE")) {
            parts.add(expressions.read());
        }
        cursor.expect("END");
        return other(start, parts);
    }

    /** A column, a call, a typed literal, or a value that is a word. */
    private Expression named(int start) {
        if (isTypedLiteral(start)) {
            return other(start, List.of());
        } else if (SqlKeywords.isValue(text, start) && !cursor.text.is(start + 1, ".")) {
            cursor.position++;
            if (cursor.accept("(") && !(cursor.atLiteral() && text.is(++cursor.position, ")") && cursor.accept(")"))) {
                throw cursor.notRead();
            }
            return other(start, List.of());
        } else if (SYNTAX.contains(text.at(start)) && text.is(start + 1, "(")) {
            cursor.position += 2;
            return other(start, special(text.at(start)));
        }
        boolean column = SqlKeywords.isColumnName(text, start);
        cursor.require(SqlKeywords.isFunctionName(text, start));
        List<String> path = path();
        if (cursor.is("(")) {
            return call(start, path);
        } else if (!column) {
            throw cursor.notRead();
        }
        return new Expression(Kind.COLUMN, cursor.since(start), path, List.of(), null);
    }

    /** {@code date '2024-01-01'}, {@code interval '1' day}: a type and a literal. */
    private boolean isTypedLiteral(int start) {
        boolean literal = types.skip() && cursor.atString();
        if (literal) {
            cursor.position++;
            if (text.is(start, "INTERVAL")) {
                types.skipFields();
            }
        } else {
            cursor.position = start;
        }
        return literal;
    }

    List<String> path() {
        List<String> names = new ArrayList<>(List.of(cursor.name()));
        while (cursor.accept(".")) {
            names.add(cursor.name());
        }
        return List.copyOf(names);
    }

    /** The arguments of a function with words between them. */
    private List<Expression> special(String function) {
        List<Expression> arguments = new ArrayList<>();
        while (!cursor.accept(")")) {
            boolean between = arguments.isEmpty()
                    ? cursor.acceptAny("BOTH", "LEADING", "TRAILING", "FROM")
                    : cursor.acceptAny(",", "FROM", "FOR", "PLACING", "IN");
            if (!between || !cursor.isAny("FROM", "FOR")) {
                if (!arguments.isEmpty() && !between) {
                    throw cursor.notRead();
                }
                arguments.add(function.equals("POSITION") ? expressions.operand(false) : expressions.read());
            }
        }
        return arguments;
    }

    private Expression call(int start, List<String> path) {
        cursor.expect("(");
        List<Expression> parts = new ArrayList<>();
        if (!cursor.accept("*")) {
            arguments(parts);
        }
        cursor.expect(")");
        SqlSpan span = cursor.since(start);
        if (cursor.is("WITHIN", "GROUP")) {
            throw ScatterRefusal.of("WITHIN GROUP", text, "Run it in each shard.");
        }
        if (cursor.accept("FILTER", "(")) {
            cursor.expect("WHERE");
            parts.add(expressions.read());
            cursor.expect(")");
            span = cursor.since(start);
        }
        if (cursor.is("OVER")) {
            throw ScatterRefusal.of("A window function (OVER)", text, "Run it in each shard.");
        }
        return new Expression(Kind.CALL, span, path, List.copyOf(parts), null);
    }

    private void arguments(List<Expression> parts) {
        cursor.acceptAny("DISTINCT", "ALL");
        while (!cursor.isAny(")", "ORDER")) {
            if (!parts.isEmpty()) {
                cursor.expect(",");
            }
            cursor.accept("VARIADIC");
            if (text.isName(cursor.position)
                    && (text.is(cursor.position + 1, "=>") || text.is(cursor.position + 1, ":="))) {
                cursor.position += 2;
            }
            parts.add(expressions.read());
        }
        if (cursor.accept("ORDER", "BY")) {
            selects.sortItems().forEach(key -> parts.add(key.expression()));
        }
    }
}
