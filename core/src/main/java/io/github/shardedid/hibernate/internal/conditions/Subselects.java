package io.github.shardedid.hibernate.internal.conditions;

import java.util.ArrayList;
import java.util.List;
import org.hibernate.query.sqm.tree.domain.SqmFunctionPath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.select.SqmQueryGroup;
import org.hibernate.query.sqm.tree.select.SqmQueryPart;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelectableNode;
import org.hibernate.query.sqm.tree.select.SqmSelection;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;

/** The forms of subselects. */
final class Subselects {
    private Subselects() {}

    /** Whether a condition on the result of a subselect could as well stand in its WHERE: each of its rows comes of one row of each table. */
    static boolean isPlain(SqmSubQuery<?> subselect) {
        return subselect.getCteStatements().isEmpty()
                && subselect.getQueryPart() instanceof SqmQuerySpec<?> spec
                && spec.getFetchExpression() == null
                && spec.getOffsetExpression() == null
                && spec.getGroupByClauseExpressions().isEmpty()
                && spec.getHavingClausePredicate() == null
                && spec.getOrderByClause() == null
                && spec.getSelectClause().getSelections().stream().allMatch(item -> isPlain(item.getSelectableNode()));
    }

    /** Any call may be one of an aggregate. */
    private static boolean isPlain(SqmSelectableNode<?> item) {
        return (item instanceof SqmPath<?> && !(item instanceof SqmFunctionPath<?>))
                || item instanceof SqmLiteral<?>
                || item instanceof SqmHqlNumericLiteral<?>
                || item instanceof SqmParameter<?>;
    }

    /** The selects of a UNION and the like, or the only one. */
    static List<SqmQuerySpec<?>> specs(SqmQueryPart<?> select) {
        return select instanceof SqmQuerySpec<?> spec
                ? List.of(spec)
                : ((SqmQueryGroup<?>) select)
                        .getQueryParts().stream()
                                .flatMap(part -> specs(part).stream())
                                .toList();
    }

    /** The selected expressions; none if one of the items is something else. */
    static List<SqmExpression<?>> items(SqmQuerySpec<?> select) {
        List<SqmExpression<?>> items = new ArrayList<>();
        for (SqmSelection<?> selection : select.getSelectClause().getSelections()) {
            if (!(selection.getSelectableNode() instanceof SqmExpression<?> item)) {
                return List.of();
            }
            items.add(item);
        }
        return items;
    }
}
