package io.github.shardedid.boot.differential;

import jakarta.persistence.FlushModeType;
import org.jspecify.annotations.Nullable;

/** Steps about transactions and the persistence context. Without a transaction most do nothing. */
final class Tx {
    private static final int DEEPEST = 3;

    private Tx() {}

    /** Begins one, within the open one if there is one; that one is flushed first, lest its rows be missed. */
    record Begin(String propagation, boolean readOnly) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.depth() >= DEEPEST) {
                return "deep enough";
            }
            side.flush();
            side.begin(side.inside() ? propagation : "REQUIRED", readOnly);
            return null;
        }
    }

    /** Ends the innermost one. */
    record End(boolean commit) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.inside()) {
                side.end(commit);
            }
            return null;
        }
    }

    record Savepoint() implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.inside()) {
                side.savepoint();
            }
            return null;
        }
    }

    record BackToSavepoint() implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.inside()) {
                side.backToSavepoint();
            }
            return null;
        }
    }

    record RollbackOnly() implements Step {
        @Override
        public @Nullable Object run(Side side) {
            side.rollbackOnly();
            return null;
        }
    }

    record Flush() implements Step {
        @Override
        public @Nullable Object run(Side side) {
            side.flush();
            return null;
        }
    }

    record Clear() implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.inside()) {
                side.em.clear();
            }
            return null;
        }
    }

    record FlushAtCommit(boolean commit) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.inside()) {
                side.em.setFlushMode(commit ? FlushModeType.COMMIT : FlushModeType.AUTO);
            }
            return null;
        }
    }

    record Detach(Kind kind, int number) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            Row row = side.inside() ? side.find(kind, number) : null;
            if (row != null) {
                side.em.detach(row);
            }
            return row;
        }
    }
}
