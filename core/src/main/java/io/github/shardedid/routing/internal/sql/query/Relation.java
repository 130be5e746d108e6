package io.github.shardedid.routing.internal.sql.query;

import java.util.Set;

/** Something in a FROM that has a name; relations whose rows meet within a shard only are put into one group. */
final class Relation {
    final String alias;
    /** Whether it has other rows in each shard; else the same ones. */
    final boolean sharded;
    /** The columns with ids of the row's own shard. */
    final Set<String> keys;

    private Relation group = this;

    Relation(String alias, boolean sharded, Set<String> keys) {
        this.alias = alias;
        this.sharded = sharded;
        this.keys = keys;
    }

    private Relation group() {
        Relation found = this;
        while (found.group != found) {
            found = found.group;
        }
        return found;
    }

    /** Puts both groups into one; returns what {@link #leave} must be called on to undo it. */
    Relation join(Relation other) {
        Relation joining = other.group();
        joining.group = group();
        return joining;
    }

    /** Undoes the last {@link #join} of its group to another one. */
    void leave() {
        group = this;
    }

    boolean isWith(Relation other) {
        return group() == other.group();
    }
}
