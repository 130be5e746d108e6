package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads expressions by the part of PostgreSQL's grammar that queries are made of; refuses all else. Operators are distinguished as
 * far as it matters: AND, OR and NOT, an equality between two operands or with the elements of an array, and what is neither.
 */
final class ExpressionReader {
    private final SqlCursor cursor;
    private final SqlText text;
    private final PrimaryReader primaries;

    ExpressionReader(SqlCursor cursor, Subselects selects) {
        this.cursor = cursor;
        this.text = cursor.text;
        this.primaries = new PrimaryReader(cursor, this, selects);
    }

    Expression read() {
        return joined("OR", Kind.OR);
    }

    /** Expressions with commas between them. */
    List<Expression> list() {
        List<Expression> all = new ArrayList<>();
        do {
            all.add(read());
        } while (cursor.accept(","));
        return all;
    }

    private Expression joined(String word, Kind kind) {
        int start = cursor.position;
        List<Expression> parts = new ArrayList<>();
        do {
            parts.add(kind == Kind.OR ? joined("AND", Kind.AND) : negated());
        } while (cursor.accept(word));
        return parts.size() == 1 ? parts.get(0) : Expression.of(kind, cursor.since(start), parts);
    }

    private Expression negated() {
        int start = cursor.position;
        if (cursor.accept("NOT")) {
            Expression negated = negated();
            return Expression.of(Kind.OTHER, cursor.since(start), List.of(negated));
        }
        return new Operations(true).read();
    }

    /** What binds stronger than NOT; without IN where that is a key word of a function. */
    Expression operand(boolean withIn) {
        return new Operations(withIn).read();
    }

    /** Operands with operators between them, to be read once. */
    private final class Operations {
        private final boolean withIn;
        private final int start = cursor.position;
        private final List<Expression> operands = new ArrayList<>();
        /** Of the last operator that binds weaker than those that compute values. */
        private Kind kind = Kind.OTHER;

        private int comparisons;
        /** What is before the comparison, and where the rest begins. */
        private int left;

        private int end;
        private int right;
        private Select subselect = new Select(cursor.since(start));
        private int operators;
        private int open;

        Operations(boolean withIn) {
            this.withIn = withIn;
        }

        Expression read() {
            operand();
            while (binary() || postfix()) {
                operators++;
            }
            cursor.require(open == 0);
            if (operators == 0) {
                return operands.get(0);
            }
            SqlSpan span = cursor.since(start);
            if (comparisons != 1 || kind == Kind.OTHER) {
                return Expression.of(Kind.OTHER, span, operands);
            }
            Expression before = side(new SqlSpan(text, start, end), operands.subList(0, left));
            return kind == Kind.IN_SELECT
                    ? new Expression(kind, span, List.of(), List.of(before), subselect)
                    : Expression.of(
                            kind,
                            span,
                            List.of(before, side(cursor.since(right), operands.subList(left, operands.size()))));
        }

        /** An operand, or what is computed from several or with a sign. */
        private Expression side(SqlSpan span, List<Expression> of) {
            return of.size() == 1 && !SqlCursor.isOperator(text, span.from())
                    ? of.get(0)
                    : Expression.of(Kind.OTHER, span, of);
        }

        /** An operator that compares begins at the position. */
        private void comparison(Kind found) {
            kind = found;
            comparisons++;
            left = operands.size();
            end = cursor.position;
        }

        private void operand() {
            while (cursor.atOperator()) {
                cursor.position++;
                operators++;
            }
            operands.add(primaries.read());
        }

        /** An operator with what is behind it. */
        private boolean binary() {
            boolean differs = cursor.isAny("<>", "!=");
            boolean equals = cursor.is("=") || cursor.is("OPERATOR", "(", "PG_CATALOG", ".", "=");
            if (equals || cursor.isAny("<", ">", "<=", ">=", "<>", "!=")) {
                comparison(equals ? Kind.EQUALS : Kind.OTHER);
            }
            if (cursor.atOperator()) {
                cursor.position++;
            } else if (cursor.accept("OPERATOR", "(")) {
                while (cursor.text.isName(cursor.position) && cursor.text.is(cursor.position + 1, ".")) {
                    cursor.position += 2;
                }
                requireOperator();
                cursor.expect(")");
            } else if (open > 0 && cursor.accept("AND")) {
                open--;
            } else {
                return word();
            }
            right = comparisons == 1 && left == operands.size() ? cursor.position : right;
            if (cursor.acceptAny("ANY", "SOME")) {
                kind = equals ? Kind.EQUALS_ANY : Kind.OTHER;
                operands.add(primaries.read());
            } else if (cursor.accept("ALL")) {
                operands.add(primaries.read());
                kind = differs && operands.get(operands.size() - 1).select() == null ? Kind.IN_NONE : Kind.OTHER;
            } else {
                operand();
            }
            return true;
        }

        private void requireOperator() {
            cursor.require(cursor.atOperator());
            cursor.position++;
        }

        private boolean word() {
            int not = cursor.is("NOT") ? 1 : 0;
            switch (text.at(cursor.position + not)) {
                case "IN" -> {
                    return withIn && in(not);
                }
                case "BETWEEN" -> {
                    comparison(Kind.OTHER);
                    cursor.position += not + 1;
                    cursor.acceptAny("SYMMETRIC", "ASYMMETRIC");
                    open++;
                }
                case "LIKE", "ILIKE" -> {
                    comparison(Kind.OTHER);
                    cursor.position += not + 1;
                    like();
                    return true;
                }
                case "SIMILAR" -> {
                    comparison(Kind.OTHER);
                    cursor.position += not + 1;
                    cursor.expect("TO");
                    like();
                    return true;
                }
                default -> {
                    if (not > 0 || !behindOperand()) {
                        return false;
                    }
                }
            }
            operand();
            return true;
        }

        /** Words with an operand behind them. */
        private boolean behindOperand() {
            if (cursor.accept("AT", "TIME", "ZONE")) {
                return true;
            }
            boolean notDistinct = cursor.is("IS", "NOT", "DISTINCT", "FROM");
            boolean found = notDistinct || cursor.is("OVERLAPS") || cursor.is("IS", "DISTINCT", "FROM");
            if (found) {
                comparison(notDistinct ? Kind.NOT_DISTINCT : Kind.OTHER);
                cursor.position += notDistinct ? 4 : cursor.is("OVERLAPS") ? 1 : 3;
                right = cursor.position;
            }
            return found;
        }

        private void like() {
            operand();
            if (cursor.accept("ESCAPE")) {
                operand();
            }
        }

        private boolean in(int not) {
            comparison(Kind.OTHER);
            cursor.position += not + 1;
            right = cursor.position;
            Expression list = primaries.listOrSelect();
            operands.add(list);
            if (list.select() != null) {
                kind = not == 0 ? Kind.IN_SELECT : Kind.OTHER;
                subselect = list.select();
            } else {
                kind = not == 0 ? Kind.IN_LIST : Kind.IN_NONE;
            }
            return true;
        }

        private boolean postfix() {
            if (cursor.accept("AT", "LOCAL")) {
                return true;
            } else if (!cursor.isAny("IS", "ISNULL", "NOTNULL")) {
                return false;
            }
            comparison(Kind.OTHER);
            if (cursor.accept("IS")) {
                cursor.accept("NOT");
                cursor.expectAny("NULL", "TRUE", "FALSE", "UNKNOWN");
            } else {
                cursor.position++;
            }
            return true;
        }
    }
}
