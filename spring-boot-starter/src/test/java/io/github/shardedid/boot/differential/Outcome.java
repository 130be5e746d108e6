package io.github.shardedid.boot.differential;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.spring.data.PartialWriteException;
import io.github.shardedid.topology.UnknownShardException;
import jakarta.persistence.EntityExistsException;
import java.sql.SQLException;
import org.hibernate.NonUniqueObjectException;
import org.hibernate.TransientObjectException;
import org.jspecify.annotations.Nullable;

/** What a step came to on one side. */
record Outcome(String text, @Nullable Throwable thrown) {
    static Outcome of(Side side, Step step) {
        if (!side.inside()) {
            side.written().clear();
        }
        try {
            String text = Text.of(step.run(side));
            side.noteManaged();
            if (!side.inside()) {
                side.written().committed();
            }
            return new Outcome(text, null);
        } catch (Exception | AssertionError e) {
            return new Outcome("throws " + kind(e), e);
        }
    }

    /**
     * Whether Hibernate or the database tells that a row is twice there, or refers to one that is not, depends on which rows
     * were loaded in batches, and on who makes the id.
     */
    private static String kind(Throwable thrown) {
        String kind = thrown.getClass().getSimpleName();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof NonUniqueObjectException
                    || cause instanceof EntityExistsException
                    || cause instanceof TransientObjectException) {
                return "that a row does not fit";
            }
            if (cause instanceof SQLException failure && failure.getSQLState() != null) {
                String state = failure.getSQLState();
                kind = state.startsWith("23") ? "that a row does not fit" : "SQL state " + state;
            }
        }
        return kind;
    }

    /** The refusal that only the sharded side knows, and that the documentation promises; else null. */
    @Nullable
    ShardedIdException refusal() {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShardedIdException refused) {
                return refused instanceof PartialWriteException ? null : refused;
            }
        }
        return null;
    }

    /** Whether the refusal is right, told from what the plain side would have written instead. */
    static boolean justified(ShardedIdException refusal, Step step, Written written) {
        if (refusal instanceof SecondWriteShardException) {
            return written.possible.size() > 1;
        } else if (refusal instanceof WrongShardException wrong) {
            String said = String.valueOf(wrong.getMessage());
            return said.contains(", but refers to ")
                    ? written.crossed
                    : written.misplaced && !said.contains("(constraint ") && !said.contains("session");
        }
        return (refusal instanceof UnknownShardException || refusal instanceof MalformedIdException)
                && step.code().contains("-");
    }
}
