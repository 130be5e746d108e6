package io.github.shardedid.boot.differential;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The shards in which the plain side's rows would live that a transaction has written: the oracle of refusals. */
final class Written {
    /** Also what was rolled back to a savepoint, what is only locked, and what may be written. */
    final Set<Integer> possible = new HashSet<>();

    final Set<Integer> certain = new HashSet<>();

    /** Whether a row refers to one of another shard. */
    boolean crossed;

    /** Whether a row has a shard key that says another shard. */
    boolean misplaced;

    void row(Object id, Object[] state) {
        if (id instanceof Long row && Numbers.LAYOUT.isId(row)) {
            int shard = Numbers.LAYOUT.shardOf(row);
            possible.add(shard);
            certain.add(shard);
            for (Object value : state) {
                if (value instanceof Row other) {
                    refers(shard, Text.idOf(other));
                }
            }
        }
    }

    /** What no listener sees: locks and statements that change several rows. */
    void touches(long id) {
        if (Numbers.LAYOUT.isId(id)) {
            possible.add(Numbers.LAYOUT.shardOf(id));
        }
    }

    void refers(int shard, @Nullable Long other) {
        crossed |= other != null && Numbers.LAYOUT.isId(other) && Numbers.LAYOUT.shardOf(other) != shard;
    }

    /** A row is where its id says, and where queries by its shard key look for it. What is sent of a mark is its state. */
    void keyed(Object id, Object row, Object[] state) {
        if (row instanceof Mark && id instanceof Long own && Numbers.LAYOUT.isId(own)) {
            for (Object value : state) {
                misplaced |= value instanceof Long key
                        && Numbers.LAYOUT.isId(key)
                        && Numbers.LAYOUT.shardOf(own) != Numbers.LAYOUT.shardOf(key);
            }
        }
    }

    /** What should have been refused, now that it is committed. */
    void committed() {
        if (certain.size() > 1) {
            throw new AssertionError("Rows of the shards " + certain + " written in one transaction");
        } else if (misplaced) {
            throw new AssertionError("A row written whose shard key says another shard than its id");
        }
    }

    void clear() {
        possible.clear();
        certain.clear();
        crossed = false;
        misplaced = false;
    }
}
