package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads expressions by the part of PostgreSQL's grammar that queries are made of, and refuses all else: what is
 * not read cannot be known to merge. From what binds least to what binds most:
 *
 * <ol>
 *   <li>OR, AND and NOT.
 *   <li>{@link Operations}: operands with operators between them. Only what compares is distinguished: an
 *       equality, IN and = ANY of two sides say which ids rows have, and nothing else does.
 *   <li>Operands: columns, calls, literals, subselects, and what is in parentheses, with casts and the like
 *       behind them.
 * </ol>
 */
final class ExpressionReader {
    /** The functions of the grammar that are no aggregates, with key words between their arguments or not. */
    private static final Set<String> SYNTAX = Set.of(
            "COALESCE", "NULLIF", "GREATEST", "LEAST", "EXTRACT", "SUBSTRING", "POSITION", "OVERLAY", "TRIM", "ROW");

    private final SqlCursor cursor;
    private final SqlText text;
    /** Reads what expressions contain of SELECTs. */
    private final SelectReader selects;

    ExpressionReader(SqlCursor cursor, SelectReader selects) {
        this.cursor = cursor;
        this.text = cursor.text;
        this.selects = selects;
    }

    /**
     * Reads an expression at the position.
     *
     * @throws io.github.shardedid.routing.UnsupportedStatementException if it is of a form that is not known
     */
    Expression read() {
        return joined("OR", Kind.OR);
    }

    /** Reads expressions with commas between them. */
    List<Expression> list() {
        return cursor.list(",", this::read);
    }

    /** Reads expressions with OR or AND between them; a single one is returned as it is. */
    private Expression joined(String word, Kind kind) {
        int start = cursor.position;
        List<Expression> parts = cursor.list(word, kind == Kind.OR ? () -> joined("AND", Kind.AND) : this::negated);
        return parts.size() == 1 ? parts.get(0) : Expression.of(kind, cursor.since(start), parts);
    }

    /** Reads an expression with NOT before it, or without. */
    private Expression negated() {
        int start = cursor.position;
        return cursor.accept("NOT") ? other(start, List.of(negated())) : operand(true);
    }

    /** Reads what binds stronger than NOT; without IN where that is a key word of a function. */
    Expression operand(boolean withIn) {
        return new Operations(withIn).read();
    }

    /** Returns what was read since a position, with these parts. */
    private Expression other(int start, List<Expression> parts) {
        return Expression.of(Kind.OTHER, cursor.since(start), parts);
    }

    /**
     * Operands with operators between them, to be read once.
     *
     * <p>All operators that bind stronger than NOT are read from left to right, without their precedence: which
     * of two binds stronger matters only to what is compared. So an expression with one comparison has two
     * sides, and one with several is {@link Kind#OTHER}, of which nothing follows.
     */
    private final class Operations {
        /** False where IN is a key word of a function, such as {@code position(a in b)}. */
        private final boolean withIn;

        private final int start = cursor.position;
        private final List<Expression> operands = new ArrayList<>();
        /** True if there is an operator, so that the expression is no single operand. */
        private boolean computed;
        /** The kind of the last operator that binds weaker than those that compute values. */
        private Kind kind = Kind.OTHER;

        /** The number of operators that compare. */
        private int comparisons;
        /** The number of operands before the comparison. */
        private int left;

        /** The token at which the comparison begins. */
        private int end;
        /** The token at which its right side begins. */
        private int right;
        /** The number of BETWEEN that have not had their AND yet. That AND joins no conditions. */
        private int open;

        Operations(boolean withIn) {
            this.withIn = withIn;
        }

        Expression read() {
            operand();
            while (operator()) {
                computed = true;
            }
            cursor.require(open == 0);
            if (!computed) {
                return operands.get(0);
            } else if (comparisons != 1 || kind == Kind.OTHER) {
                return other(start, operands);
            }
            Expression before = side(new SqlSpan(text, start, end), operands.subList(0, left));
            return kind == Kind.IN_SELECT
                    ? new Expression(
                            kind,
                            cursor.since(start),
                            List.of(),
                            List.of(before),
                            operands.get(left).select())
                    : Expression.of(
                            kind,
                            cursor.since(start),
                            List.of(before, side(cursor.since(right), operands.subList(left, operands.size()))));
        }

        /** Returns an operand, or what is computed from several or with a sign. */
        private Expression side(SqlSpan span, List<Expression> of) {
            return of.size() == 1 && !SqlCursor.isOperator(text, span.from())
                    ? of.get(0)
                    : Expression.of(Kind.OTHER, span, of);
        }

        /** Reads an operand with its signs. */
        private void operand() {
            for (; cursor.atOperator(); cursor.position++) {
                computed = true;
            }
            operands.add(primary());
        }

        /** Notes an operator that compares, which began at a position and has been read. */
        private void comparison(Kind found, int begin) {
            kind = found;
            comparisons++;
            left = operands.size();
            end = begin;
            right = cursor.position;
        }

        /** Reads an operator with what is behind it; false, and at its position, if none is there. */
        private boolean operator() {
            int begin = cursor.position;
            if (cursor.atOperator() || cursor.is("OPERATOR", "(")) {
                symbol(begin);
            } else if (open > 0 && cursor.accept("AND")) {
                open--;
                operand();
            } else if (cursor.accept("AT", "TIME", "ZONE") || cursor.accept("ESCAPE")) {
                operand();
            } else if (cursor.accept("IS", "NOT", "DISTINCT", "FROM")) {
                comparison(Kind.NOT_DISTINCT, begin);
                operand();
            } else if (cursor.acceptAny("ISNULL", "NOTNULL")) {
                comparison(Kind.OTHER, begin);
            } else if (cursor.is("IS") && !cursor.is("IS", "DISTINCT")) {
                cursor.position++;
                cursor.accept("NOT");
                cursor.expectAny("NULL", "TRUE", "FALSE", "UNKNOWN");
                comparison(Kind.OTHER, begin);
            } else {
                return word(begin);
            }
            return true;
        }

        /**
         * Reads an operator of symbols, or {@code OPERATOR(schema.=)}, and what is behind it. Of the latter,
         * only the one of {@code pg_catalog} is an equality.
         */
        private void symbol(int begin) {
            boolean equals = cursor.is("=") || cursor.is("OPERATOR", "(", "PG_CATALOG", ".", "=");
            boolean compares = equals || cursor.isAny("<>", "!=", "<", ">", "<=", ">=");
            if (cursor.accept("OPERATOR", "(")) {
                cursor.position = cursor.lastName();
                cursor.require(cursor.atOperator() && text.is(cursor.position + 1, ")"));
                cursor.position++;
            }
            cursor.position++;
            if (compares) {
                comparison(equals ? Kind.EQUALS : Kind.OTHER, begin);
            }
            boolean all = cursor.is("ALL");
            if (cursor.acceptAny("ANY", "SOME", "ALL")) {
                kind = equals && !all ? Kind.EQUALS_ANY : Kind.OTHER;
                operands.add(primary());
            } else {
                operand();
            }
        }

        /** Reads an operator that is a word, or several. */
        private boolean word(int begin) {
            boolean not = cursor.accept("NOT");
            if (withIn && cursor.accept("IN")) {
                comparison(Kind.OTHER, begin);
                Expression list = listOrSelect();
                operands.add(list);
                kind = not ? Kind.OTHER : list.select() == null ? Kind.IN_LIST : Kind.IN_SELECT;
                return true;
            } else if (cursor.accept("BETWEEN")) {
                cursor.acceptAny("SYMMETRIC", "ASYMMETRIC");
                open++;
            } else if (!cursor.acceptAny("LIKE", "ILIKE")
                    && !cursor.accept("SIMILAR", "TO")
                    && (not || !(cursor.accept("OVERLAPS") || cursor.accept("IS", "DISTINCT", "FROM")))) {
                cursor.position = begin;
                return false;
            }
            comparison(Kind.OTHER, begin);
            operand();
            return true;
        }
    }

    /** Reads an operand with the casts, subscripts and collations behind it, which bind strongest. */
    private Expression primary() {
        int start = cursor.position;
        Expression primary = unary(start);
        while (true) {
            if (cursor.accept("::")) {
                primary = cast(start, primary, type());
            } else if (cursor.accept("[")) {
                primary = subscript(start, primary);
            } else if (cursor.accept("COLLATE")) {
                List<String> collation = cursor.path();
                primary = new Expression(Kind.COLLATED, cursor.since(start), collation, List.of(primary), null);
            } else {
                return primary;
            }
        }
    }

    /** Reads {@code [1]} or {@code [1:2]}. */
    private Expression subscript(int start, Expression array) {
        List<Expression> parts = new ArrayList<>(List.of(array));
        while (!cursor.accept("]")) {
            if (!cursor.accept(":")) {
                parts.add(read());
            }
        }
        return other(start, parts);
    }

    /** Reads a type. */
    private SqlSpan type() {
        int start = cursor.position;
        cursor.require(skipType());
        return cursor.since(start);
    }

    private Expression cast(int start, Expression value, SqlSpan type) {
        return new Expression(Kind.CAST, cursor.since(start), List.of(type.sql()), List.of(value), null);
    }

    /**
     * Reads an operand without what is behind it. A field of a row in parentheses is not read, as it may be a
     * call.
     */
    private Expression unary(int start) {
        if (cursor.is("(")) {
            Expression inner = listOrSelect();
            cursor.require(!cursor.is("."));
            return inner;
        } else if (cursor.atLiteral() || cursor.is("?")) {
            boolean literal = cursor.atLiteral();
            cursor.position++;
            return Expression.of(literal ? Kind.LITERAL : Kind.OTHER, cursor.since(start), List.of());
        } else if (cursor.accept("CASE")) {
            return caseOf(start);
        } else if (cursor.is("EXISTS", "(")) {
            cursor.position++;
            Select select = listOrSelect().select();
            cursor.require(select != null);
            return new Expression(Kind.EXISTS, cursor.since(start), List.of(), List.of(), select);
        } else if (cursor.accept("CAST", "(")) {
            Expression value = read();
            cursor.expect("AS");
            SqlSpan type = type();
            cursor.expect(")");
            return cast(start, value, type);
        } else if (cursor.accept("ARRAY")) {
            return array(start);
        }
        return named(start);
    }

    /** Reads what is in parentheses: an expression, without them; several; or a subselect. */
    private Expression listOrSelect() {
        int start = cursor.position;
        cursor.expect("(");
        Select select = cursor.is("SELECT") ? selects.read() : null;
        List<Expression> list = select == null ? list() : List.of();
        cursor.expect(")");
        return select != null
                ? new Expression(Kind.SELECT, cursor.since(start), List.of(), List.of(), select)
                : list.size() == 1 ? list.get(0) : other(start, list);
    }

    private Expression array(int start) {
        if (cursor.is("(")) {
            return other(start, List.of(listOrSelect()));
        }
        cursor.expect("[");
        List<Expression> elements = cursor.is("]") ? List.of() : list();
        cursor.expect("]");
        return other(start, elements);
    }

    /** Reads a CASE; nothing follows from its conditions. */
    private Expression caseOf(int start) {
        List<Expression> parts = new ArrayList<>();
        if (!cursor.is("WHEN")) {
            parts.add(read());
        }
        while (cursor.accept("WHEN")) {
            parts.add(read());
            cursor.expect("THEN");
            parts.add(read());
        }
        if (cursor.accept("ELSE")) {
            parts.add(read());
        }
        cursor.expect("END");
        return other(start, parts);
    }

    /** Reads a column, a call, a typed literal, or a value that is a word. */
    private Expression named(int start) {
        if (isTypedLiteral(start)) {
            return other(start, List.of());
        } else if (SqlKeywords.isValue(text, start) && !text.is(start + 1, ".")) {
            cursor.position++;
            cursor.require(!cursor.is("("));
            return other(start, List.of());
        } else if (SYNTAX.contains(text.at(start)) && text.is(start + 1, "(")) {
            cursor.position += 2;
            List<Expression> arguments = arguments(!text.is(start, "POSITION"));
            cursor.expect(")");
            return other(start, arguments);
        }
        boolean column = SqlKeywords.isColumnName(text, start);
        cursor.require(SqlKeywords.isFunctionName(text, start));
        List<String> path = cursor.path();
        if (cursor.is("(")) {
            return call(start, path);
        }
        cursor.require(column);
        return new Expression(Kind.COLUMN, cursor.since(start), path, List.of(), null);
    }

    /** Reads {@code date '2024-01-01'}, a type and a literal; else stays at the position. */
    private boolean isTypedLiteral(int start) {
        boolean literal = skipType() && text.isString(cursor.position);
        cursor.position = literal ? cursor.position + 1 : start;
        return literal;
    }

    /** Reads a call. The rows of a window, and the order of a group, are in all shards, and are not read. */
    private Expression call(int start, List<String> path) {
        cursor.require(!text.is(start, "VALUES"));
        cursor.expect("(");
        List<Expression> parts = cursor.accept("*") ? new ArrayList<>() : arguments(true);
        cursor.expect(")");
        if (cursor.accept("FILTER", "(")) {
            cursor.expect("WHERE");
            parts.add(read());
            cursor.expect(")");
        }
        return new Expression(Kind.CALL, cursor.since(start), path, List.copyOf(parts), null);
    }

    /**
     * Reads the arguments of a call, with commas between them, or the words of some functions. In any order:
     * PostgreSQL refuses what is wrong.
     *
     * @param withIn false where IN is such a word
     */
    private List<Expression> arguments(boolean withIn) {
        List<Expression> parts = new ArrayList<>();
        cursor.acceptAny("DISTINCT", "ALL", "BOTH", "LEADING", "TRAILING");
        while (!cursor.isAny(")", "ORDER")) {
            cursor.require(cursor.acceptAny(",", "FROM", "FOR", "PLACING", "IN") || parts.isEmpty());
            parts.add(withIn ? read() : operand(false));
        }
        if (cursor.accept("ORDER", "BY")) {
            selects.sortItems().forEach(key -> parts.add(key.expression()));
        }
        return parts;
    }

    /** Steps over a type; false, and somewhere behind, if none is there. */
    private boolean skipType() {
        int start = cursor.position;
        if (!SqlKeywords.isFunctionName(text, start)) {
            return false;
        }
        cursor.position++;
        boolean time = (text.is(start, "TIMESTAMP") || text.is(start, "TIME")) && !cursor.is(".");
        if (!cursor.acceptAny("PRECISION", "VARYING")) {
            while (cursor.is(".") && text.isName(cursor.position + 1)) {
                cursor.position += 2;
            }
        }
        skipModifiers();
        boolean zone = time && cursor.acceptAny("WITH", "WITHOUT");
        return (!zone || cursor.accept("TIME", "ZONE")) && skipArray();
    }

    /** Steps over {@code (10, 2)}: numbers only, and nothing at all if something else is there. */
    private void skipModifiers() {
        int start = cursor.position;
        if (cursor.accept("(")) {
            while (cursor.atLiteral()) {
                cursor.position++;
                cursor.accept(",");
            }
            if (!cursor.accept(")")) {
                cursor.position = start;
            }
        }
    }

    /** Steps over the brackets of an array's type; false if one is not closed. */
    private boolean skipArray() {
        cursor.accept("ARRAY");
        while (cursor.accept("[")) {
            cursor.position += cursor.atLiteral() ? 1 : 0;
            if (!cursor.accept("]")) {
                return false;
            }
        }
        return true;
    }
}
