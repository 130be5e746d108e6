package io.github.shardedid.hibernate.internal.conditions;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a statement reads or changes: of an entity and what is associated with it, or of a subselect. A group of relations is joined by
 * keys, so that each row of the result is made of rows of one shard. For one thread.
 */
final class Relation {
    /** For messages. */
    private final String name;

    /** The select to which it belongs. */
    private final Object level;

    private final List<KeyCondition> conditions = new ArrayList<>();

    /** Whether its rows are in the shard of other rows, which have conditions themselves. */
    private boolean bound;

    /** Whether it is the result of a subselect, whose own rows have conditions themselves. */
    private boolean ofSelect;

    private Relation group = this;
    private final List<Relation> joined = new ArrayList<>(List.of(this));

    Relation(String name, Object level) {
        this.name = name;
        this.level = level;
    }

    boolean isOf(Object select) {
        return level.equals(select);
    }

    void add(KeyCondition condition) {
        conditions.add(condition);
    }

    void bind() {
        bound = true;
    }

    void isOfSelect() {
        ofSelect = true;
    }

    /** Makes one group of two. */
    void join(Relation other) {
        Relation into = other.group;
        if (into.equals(group)) {
            return;
        }
        List<Relation> moved = group.joined;
        into.joined.addAll(moved);
        moved.forEach(each -> each.group = into);
    }

    /** Whether nothing says where the rows of a group are. Only one relation of a group answers. */
    boolean isLoose() {
        return isGroup()
                && joined.stream().noneMatch(each -> each.bound || each.ofSelect)
                && conditionsOfGroup().isEmpty();
    }

    /**
     * Whether the conditions of a group say where the rows of the statement are. Only one relation of a group answers.
     *
     * @param loose whether the conditions of the rows that a subselect returns count, too: those of its own rows are not enough
     */
    boolean requires(boolean loose) {
        return isGroup()
                && joined.stream().noneMatch(each -> each.bound || (each.ofSelect && !loose))
                && !conditionsOfGroup().isEmpty();
    }

    private boolean isGroup() {
        return group.equals(this);
    }

    List<KeyCondition> conditionsOfGroup() {
        return joined.stream().flatMap(Relation::conditions).toList();
    }

    /** The attribute that is compared with a value which is not known; null if there is none. */
    @Nullable
    String computed() {
        return joined.stream()
                .flatMap(each -> each.conditions.stream())
                .filter(condition -> !condition.isKnown())
                .map(condition -> condition.alternatives().get(0).attribute())
                .findFirst()
                .orElse(null);
    }

    private Stream<KeyCondition> conditions() {
        return conditions.stream().filter(KeyCondition::isKnown);
    }

    @Override
    public String toString() {
        return name;
    }
}
