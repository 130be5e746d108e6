package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.internal.changes.Changes;
import io.github.shardedid.move.internal.changes.Relation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds the changed rows to the pending rows of their tables. A table without pending rows is the move's own. */
record ChangedRows(Map<String, PendingRows> pending) implements Changes {
    @Override
    public void row(
            Kind kind,
            Relation relation,
            @Nullable Map<String, @Nullable String> before,
            @Nullable Map<String, @Nullable String> after) {
        PendingRows rows = pending.get(relation.name());
        if (rows != null) {
            rows.changed(before, after);
        }
    }

    @Override
    public void truncate(List<Relation> relations) {
        for (Relation relation : relations) {
            PendingRows rows = pending.get(relation.name());
            if (rows != null) {
                rows.whole();
            }
        }
    }
}
