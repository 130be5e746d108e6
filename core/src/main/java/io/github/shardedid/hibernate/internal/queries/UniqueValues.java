package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.queries.RequiredRows.Condition;
import io.github.shardedid.hibernate.internal.queries.StatementReader.ComparedPath;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import io.github.shardedid.routing.NoShardException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.query.sqm.tree.domain.SqmFunctionPath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFunction;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.spi.NavigablePath;
import org.jspecify.annotations.Nullable;

/**
 * The values that a select requires of unique attributes of its rows. For one thread.
 *
 * <p>A row that fulfils such conditions has the claim of these values, so it is in the shard of the claim's owner:
 *
 * <ol>
 *   <li>All attributes of a unique key are required to equal a parameter or a constant, of one and the same row.
 *   <li>If the key ignores case, either side may be in {@code lower} or {@code upper}: rows that fulfil it have equal claims still. Else
 *       rows with several values may fulfil it, which are in several shards.
 *   <li>Where the row is, is read from its claim when the statement is executed. Whether the row still has the values is decided
 *       by the statement itself, since it is executed with its conditions.
 * </ol>
 */
final class UniqueValues {
    private static final Set<String> FOLDING = Set.of("lower", "upper");

    /** A row of the statement, by its path, and one of its keys. */
    private record KeyOfRow(NavigablePath row, UniqueKey key) {}

    /** In the order of the attributes of the key; null for one that is not compared. */
    private final Map<KeyOfRow, @Nullable SqmExpression<?>[]> compared = new LinkedHashMap<>();

    /** The path in an expression that is a path or folds its case; null for others. */
    static @Nullable SqmPath<?> path(SqmExpression<?> expression) {
        return unfolded(expression) instanceof SqmPath<?> path && !(path instanceof SqmFunctionPath<?>) ? path : null;
    }

    /** The text in an expression that folds its case, or the expression itself. */
    private static SqmTypedNode<?> unfolded(SqmExpression<?> expression) {
        return expression instanceof SqmFunction<?> function
                        && FOLDING.contains(function.getFunctionName())
                        && function.getArguments().size() == 1
                ? function.getArguments().get(0)
                : expression;
    }

    /** Adds an equality of an attribute, perhaps folded, with an expression. */
    void add(ComparedPath attribute, SqmExpression<?> one, SqmExpression<?> other, AttributeRules shards) {
        SqmTypedNode<?> value = unfolded(other);
        boolean known = value instanceof SqmParameter<?>
                || value instanceof SqmLiteralNull<?>
                || (value instanceof SqmExpression<?> constant && Constants.value(constant) != null);
        if (attribute.row() == null || !known) {
            return;
        }
        boolean folded = unfolded(one) != one || value != other;
        List<UniqueKey> keys =
                attribute.row().getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type
                        ? shards.uniqueKeys(type)
                        : List.of();
        for (UniqueKey key : keys) {
            int index = key.attributes().indexOf(attribute.name());
            if (index >= 0 && (!folded || (key.ignoreCase() && !key.isConverted()))) {
                compared.computeIfAbsent(
                                        new KeyOfRow(attribute.row().getNavigablePath(), key),
                                        none -> new SqmExpression<?>
                                                [key.attributes().size()])[index] =
                        (SqmExpression<?>) value;
            }
        }
    }

    /** Returns the condition of a key whose attributes are all compared; empty if there is none. */
    Optional<Condition> condition() {
        return compared.entrySet().stream()
                .filter(each -> Arrays.stream(each.getValue()).allMatch(Objects::nonNull))
                .findFirst()
                .map(each -> new Condition(
                        each.getKey().key().toString(),
                        new ByClaim(each.getKey().key()),
                        List.of(each.getValue()),
                        false));
    }

    /** The rule of values that are unique: their claim names the shard, which only a session can read. */
    record ByClaim(UniqueKey key) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            throw NoShardException.ofValue("The value " + value + " of " + key
                    + " names no shard by itself: its claim does, which is read when" + " a query is executed.");
        }
    }
}
