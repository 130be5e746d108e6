package io.github.shardedid.hibernate.internal.conditions;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.jspecify.annotations.Nullable;

/**
 * What a statement requires of the ids and shard keys of its rows. Rows are grouped: those of a group are of one shard, since they are
 * joined by keys. Immutable.
 *
 * @param groups the conditions of each group, of which each row fulfils all
 * @param loose rows of the statement for which there is no condition, for messages; null if the conditions fix all of its rows
 * @param computed the key of such rows that is compared with a value which the database computes, for messages; null if there is none
 * @param inserts whether the rows are new, so that the values are theirs
 * @param references the rows that a statement makes its rows refer to, of which nothing that is sent says where they are
 */
public record KeyConditions(
        List<List<KeyCondition>> groups,
        @Nullable String loose,
        @Nullable String computed,
        boolean inserts,
        List<KeyCondition> references) {
    /** Empty if a statement requires none. */
    public static Optional<KeyConditions> of(SqmStatement<?> statement, AttributeRules shards) {
        KeyConditions read = StatementReader.read(statement, shards);
        return read.groups.isEmpty() && read.references.isEmpty() && read.computed == null
                ? Optional.empty()
                : Optional.of(read);
    }

    /** The conditions of a group that decide: an equality does alone, else each of the others is needed. */
    public static List<KeyCondition> deciding(List<KeyCondition> group) {
        return group.stream()
                .filter(condition -> !condition.byList() && !condition.optional())
                .findFirst()
                .map(List::of)
                .orElse(group);
    }

    /** The attributes of the conditions, for messages. */
    public String attributes() {
        return groups.stream()
                .flatMap(List::stream)
                .flatMap(condition -> condition.alternatives().stream())
                .map(KeyCondition.Values::attribute)
                .distinct()
                .collect(Collectors.joining(" and "));
    }
}
