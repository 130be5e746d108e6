package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import java.util.stream.Stream;
import org.hibernate.query.sqm.UnaryArithmeticOperator;
import org.hibernate.query.sqm.tree.SqmVisitableNode;
import org.hibernate.query.sqm.tree.expression.SqmBinaryArithmetic;
import org.hibernate.query.sqm.tree.expression.SqmCaseSearched;
import org.hibernate.query.sqm.tree.expression.SqmCaseSimple;
import org.hibernate.query.sqm.tree.expression.SqmCastTarget;
import org.hibernate.query.sqm.tree.expression.SqmCoalesce;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFieldLiteral;
import org.hibernate.query.sqm.tree.expression.SqmFunction;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.expression.SqmTrimSpecification;
import org.hibernate.query.sqm.tree.expression.SqmTuple;
import org.hibernate.query.sqm.tree.expression.SqmUnaryOperation;
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

    /** Returns whether the database computes the value of an expression, by nothing that is read from a row. */
    static boolean isComputed(SqmExpression<?> expression) {
        return value(expression) == null && operands(expression) != null && isWithoutRows(expression);
    }

    /**
     * Returns whether nothing in an expression is read from a row. It lists the kinds that are known to read
     * none: an expression of a new kind is taken for one that reads a row, and the comparison then decides
     * nothing, which is always right.
     */
    private static boolean isWithoutRows(SqmVisitableNode node) {
        Stream<? extends SqmVisitableNode> operands = operands(node);
        return operands == null
                ? node instanceof SqmParameter<?>
                        || node instanceof SqmLiteral<?>
                        || node instanceof SqmHqlNumericLiteral<?>
                        || node instanceof SqmFieldLiteral<?>
                        || node instanceof SqmCastTarget<?>
                        || node instanceof SqmTrimSpecification
                : operands.allMatch(Constants::isWithoutRows);
    }

    /**
     * Those whose values make that of an expression; null if it has none.
     *
     * <p>The conditions of a CASE are left out: they select one of the results, and whichever it is, the database
     * computes it.
     */
    private static @Nullable Stream<? extends SqmVisitableNode> operands(SqmVisitableNode node) {
        if (node instanceof SqmFunction<?> function) {
            return function.getArguments().stream();
        } else if (node instanceof SqmCoalesce<?> coalesce) {
            return coalesce.getArguments().stream();
        } else if (node instanceof SqmUnaryOperation<?> operation) {
            return Stream.of(operation.getOperand());
        } else if (node instanceof SqmBinaryArithmetic<?> operation) {
            return Stream.of(operation.getLeftHandOperand(), operation.getRightHandOperand());
        }
        if (node instanceof SqmCaseSearched<?> choice) {
            return Stream.concat(
                    choice.getWhenFragments().stream().map(SqmCaseSearched.WhenFragment::getResult),
                    Stream.ofNullable(choice.getOtherwise()));
        } else if (node instanceof SqmCaseSimple<?, ?> choice) {
            return Stream.concat(
                    choice.getWhenFragments().stream().map(SqmCaseSimple.WhenFragment::getResult),
                    Stream.ofNullable(choice.getOtherwise()));
        }
        return node instanceof SqmTuple<?> tuple ? tuple.getGroupedExpressions().stream() : null;
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
