package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.operations.internal.schema.StoredShard;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Aborts a move: first at the source, which serves the shard again at once. */
public final class Abort {
    private static final Logger LOG = LoggerFactory.getLogger(Abort.class);

    private final Moving moving;
    private final Journal journal;

    public Abort(Moving moving) {
        this.moving = moving;
        this.journal = moving.journal();
    }

    /**
     * Called when it is known that the target does not own the shard.
     *
     * @param left what stays at a target that cannot be reached, or null
     */
    public Move run(@Nullable String left) throws SQLException {
        LOG.info("{} is being aborted", moving.title());
        new Fence(moving).takeDown(StoredShard.ACTIVE, MoveStep.ABORTING);
        moving.report(MoveProgress.of(journal.read()));
        if (left == null) {
            Replication.unsubscribe(moving.target(), moving.shard());
            new TargetSchema(moving).remove();
        }
        new Replication(moving).remove(moving.names().schema());
        journal.end(MoveStep.ABORTED, left);
        Move aborted = journal.read();
        moving.report(MoveProgress.of(aborted));
        return aborted;
    }
}
