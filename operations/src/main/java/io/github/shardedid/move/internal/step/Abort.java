package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.operations.internal.StoredShard;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Aborts a move: first at the source, which serves the shard again at once. */
public record Abort(MoveContext moving) {
    private static final Logger LOG = LoggerFactory.getLogger(Abort.class);

    /**
     * Called when it is known that the target does not own the shard.
     *
     * @param reason why, for the journal; null if somebody wants it, or to keep the reason of an abort that goes on
     * @param left what stays at a target that cannot be reached, or null
     */
    public Move run(@Nullable String reason, @Nullable String left) throws SQLException {
        MoveJournal journal = moving.journal();
        Move before = journal.read();
        String why = reason == null && before.step() == MoveStep.ABORTING ? before.failure() : reason;
        if (reason == null) {
            LOG.info("{} is being aborted", moving.move());
        } else {
            LOG.warn("{} is being aborted: {}", moving.move(), reason);
        }
        new Fence(moving).remove(StoredShard.ACTIVE, MoveStep.ABORTING);
        if (why != null) {
            journal.failed(why);
        }
        moving.report(MoveProgress.of(journal.read()));
        if (left == null) {
            Replication.unsubscribe(moving.target(), moving.shard());
            new TargetSchema(moving).remove();
        }
        new Replication(moving).remove(moving.schema());
        journal.end(
                MoveStep.ABORTED,
                Stream.of(why, left).flatMap(Stream::ofNullable).collect(Collectors.joining("; ")));
        Move aborted = journal.read();
        moving.report(MoveProgress.of(aborted));
        return aborted;
    }
}
