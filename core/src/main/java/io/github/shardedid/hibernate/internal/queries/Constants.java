package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import org.hibernate.query.sqm.UnaryArithmeticOperator;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFieldLiteral;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.expression.SqmUnaryOperation;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * The values that the text of a statement contains.
 *
 * <p>The reader of statements distinguishes three kinds of values that a key is compared with:
 *
 * <ol>
 *   <li>Known: a parameter, or a constant that the key's rule accepts. It determines the shard.
 *   <li>Computed: an expression over such values that only PostgreSQL evaluates, such as {@code cast(:id as Long)}.
 *       The shard exists, but is not known here, so the open scope of one shard must not decide instead of it.
 *   <li>All else: it depends on rows, so the comparison says nothing of the shard.
 * </ol>
 */
final class Constants {
    private Constants() {}

    /**
     * Returns whether the value of an expression is known when the statement is executed. Null is: it equals nothing.
     *
     * <p>A parameter is known whatever its type, since its value is checked when the statement is executed.
     */
    static boolean isKnown(SqmExpression<?> expression, ShardRule rule) {
        if (expression instanceof SqmParameter<?> || expression instanceof SqmLiteralNull<?>) {
            return true;
        }
        Object constant = value(expression);
        return constant != null && rule.accepts(constant.getClass());
    }

    /**
     * Returns whether the database computes the value of an expression, by nothing that is read from a row. A kind of path that is not
     * recognized is taken for a computed value, so that the statement is refused.
     */
    static boolean isComputed(SqmExpression<?> expression) {
        boolean[] reads = {expression instanceof SqmPath<?> || expression instanceof SqmSubQuery<?>};
        expression.accept(new QueryWalker() {
            @Override
            protected Object visitPath(SqmPath<?> path) {
                reads[0] = true;
                return path;
            }
        });
        return !reads[0] && value(expression) == null;
    }

    /**
     * The value of a constant; null for other expressions. A negative number is an operation on a positive
     * literal, and has to be a constant, too: it is an id that no shard has generated.
     */
    static @Nullable Object value(SqmExpression<?> expression) {
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
    static @Nullable Long wholeNumber(String literal) {
        try {
            return Long.valueOf(literal);
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }
}
