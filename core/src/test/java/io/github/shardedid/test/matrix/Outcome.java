package io.github.shardedid.test.matrix;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.topology.UnknownShardException;
import org.jspecify.annotations.Nullable;

/** What can come of an operation in a situation: the words of the page's tables. */
public enum Outcome {
    /** It works, and its row's shard alone was asked. */
    WORKS("works", null, ""),
    /** It works without asking a server. */
    NOT_SENT("not sent", null, ""),
    /** It works in a shard that the placement has chosen. */
    PLACED("placed", null, ""),
    /** There is no such row, and no server was asked. */
    ABSENT("absent", null, ""),
    /** There is no such row, as some shard has said. */
    EMPTY("empty", null, ""),
    /** The entity is found, but belongs to no session any more: its change is nobody's. */
    DETACHED("detached", null, ""),
    /** It was written and taken back; what the transaction wrote before stays. */
    ROLLED_BACK("rolled back", null, ""),
    LAZY("LazyInitialization", org.hibernate.LazyInitializationException.class, "no session"),
    NO_SHARD("NoShard", NoShardException.class, "ShardContext.run(shard, "),
    UNKNOWN_SHARD("UnknownShard", UnknownShardException.class, "numbered 0 to 7"),
    SECOND_WRITE_SHARD("SecondWriteShard", SecondWriteShardException.class, "A transaction writes to one shard"),
    KEY_MISMATCH("WrongShard", WrongShardException.class, "the shard key"),
    NOT_FOUND("NotFound", RuntimeException.class, "o row "),
    STALE("OptimisticLock", jakarta.persistence.OptimisticLockException.class, ""),
    TRANSACTION_REQUIRED("TransactionRequired", jakarta.persistence.TransactionRequiredException.class, "transaction"),
    READ_ONLY("ReadOnly", RuntimeException.class, "in a read-only transaction"),
    ROLLBACK_ONLY("RollbackOnly", RuntimeException.class, "rollback-only"),
    /** The statement was sent and cancelled; or, if the machine was slow, the transaction's time was over before. */
    TIMED_OUT("Timeout", RuntimeException.class, "canceling statement due to user request"),
    LOCKED("Locked", RuntimeException.class, "lock"),
    UNDECLARED("UndeclaredWrite", SecondWriteShardException.class, "within a statement that looks like a read");

    private final String word;
    private final @Nullable Class<? extends Throwable> exception;
    private final String message;

    Outcome(String word, @Nullable Class<? extends Throwable> exception, String message) {
        this.word = word;
        this.exception = exception;
        this.message = message;
    }

    /** As on the page. */
    public String word() {
        return word;
    }

    /** What is thrown, null if nothing is. */
    public @Nullable Class<? extends Throwable> exception() {
        return exception;
    }

    /** Whether it is of the kind, and its message says what it must. */
    boolean isSaidBy(Throwable thrown) {
        String said = String.valueOf(thrown.getMessage());
        return said.contains(message) || (this == TIMED_OUT && said.contains("timed out"));
    }

    /** Whether the server refuses it, so that its statement is sent. */
    boolean isOfServer() {
        return this == READ_ONLY || this == ROLLBACK_ONLY;
    }

    static Outcome of(String word) {
        for (Outcome outcome : values()) {
            if (outcome.word.equals(word)) {
                return outcome;
            }
        }
        throw new AssertionError("The page has the word “" + word + "”, which no outcome has");
    }
}
