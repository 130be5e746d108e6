package io.github.shardedid.hibernate.internal.conditions;

import io.github.shardedid.hibernate.ShardRule;
import org.hibernate.query.sqm.UnaryArithmeticOperator;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFieldLiteral;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.expression.SqmUnaryOperation;
import org.jspecify.annotations.Nullable;

/** The values that the text of a statement contains. */
public final class Constants {
    private Constants() {}

    /** Whether the value of an expression is known when the statement is executed. Null is: it equals nothing. */
    static boolean isKnown(SqmExpression<?> expression, ShardRule rule) {
        if (expression instanceof SqmParameter<?> || expression instanceof SqmLiteralNull<?>) {
            return true;
        }
        Object constant = value(expression);
        return constant != null && rule.accepts(constant.getClass());
    }

    /** The value of a constant; null for other expressions. */
    public static @Nullable Object value(SqmExpression<?> expression) {
        if (expression instanceof SqmHqlNumericLiteral<?> number) {
            return wholeNumber(number.getUnparsedLiteralValue());
        } else if (expression instanceof SqmUnaryOperation<?> operation
                && operation.getOperation() == UnaryArithmeticOperator.UNARY_MINUS) {
            return value(operation.getOperand()) instanceof Long number ? Long.valueOf(-number) : null;
        }
        return expression instanceof SqmLiteral<?> literal
                ? literal.getLiteralValue()
                : expression instanceof SqmFieldLiteral<?> field ? field.getValue() : null;
    }

    /** Hibernate parses a number without a suffix as an {@code Integer}, which ids do not fit into. Null for other numbers. */
    public static @Nullable Long wholeNumber(String literal) {
        try {
            return Long.valueOf(literal);
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }
}
