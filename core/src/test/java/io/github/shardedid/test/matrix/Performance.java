package io.github.shardedid.test.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.RollbackException;
import jakarta.persistence.TransactionRequiredException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.HibernateException;
import org.jspecify.annotations.Nullable;

/** What came of one operation in one situation. Filled, then checked, by one thread. */
final class Performance {
    private final Operation<?> operation;
    private final Situation situation;
    private final Outcome expected;
    private final Outcome or;

    @Nullable
    Object result;

    @Nullable
    Throwable thrown;

    ServerWatch.Sent sent = new ServerWatch.Sent(List.of(), Set.of(), Set.of(), Set.of());
    Set<Integer> changed = Set.of();

    Performance(Operation<?> operation, Situation situation, Outcome expected, Outcome or) {
        this.operation = operation;
        this.situation = situation;
        this.expected = expected;
        this.or = or;
    }

    void check() {
        if (expected.exception() != null) {
            wasRefused();
        } else {
            assertThat(thrown).as("sent: %s", sent).isNull();
            switch (expected) {
                case ABSENT -> wasAbsent();
                case EMPTY -> wasEmpty();
                case NOT_SENT -> wasNotSent();
                case PLACED -> wasPlaced();
                case DETACHED -> wasDetached();
                case ROLLED_BACK -> wasRolledBack();
                default -> worked();
            }
        }
    }

    /** Nothing was written, nor sent to other shards. */
    private void wasRefused() {
        Throwable reason = reason();
        assertThat(reason)
                .as("sent: %s; returned: %s", sent, result)
                .satisfiesAnyOf(is -> refusedAs(expected, is), is -> refusedAs(or, is));
        assertThat(sent.written()).as("%s", sent).isEqualTo(expected.isOfServer() ? own() : Set.of());
        if (!(reason instanceof TransactionRequiredException)) {
            assertThat(Set.of(situation.shard())).as("%s", sent).containsAll(sent.asked());
            assertThat(sent.messages()).noneMatch(message -> message.contains("next_id"));
        }
        assertThat(changed).as("shards changed").isEmpty();
    }

    private static void refusedAs(Outcome outcome, @Nullable Throwable reason) {
        assertThat(reason).isInstanceOf(outcome.exception()).matches(thrown -> outcome.isSaidBy(thrown), "says so");
    }

    /** What was thrown, or, if that is about a failed commit, its reason. */
    private @Nullable Throwable reason() {
        Throwable failed = thrown;
        boolean aboutCommit = failed instanceof RollbackException || isOfCommitCallback(failed);
        return aboutCommit && failed != null && failed.getCause() != null ? failed.getCause() : failed;
    }

    private static boolean isOfCommitCallback(@Nullable Throwable failed) {
        return failed instanceof HibernateException
                && String.valueOf(failed.getMessage()).contains("beforeTransactionCompletion callback");
    }

    private void wasAbsent() {
        assertThat(result).satisfiesAnyOf(nothing -> assertThat(nothing).isNull(), nothing -> assertThat(nothing)
                .isEqualTo(""));
        assertThat(sent.asked()).as("%s", sent).isEmpty();
        assertThat(changed).as("shards changed").isEqualTo(writtenBefore());
    }

    private void wasEmpty() {
        assertThat(result).isIn(null, "none", "");
        assertThat(sent.asked()).as("%s", sent).isEqualTo(Set.of(0));
        assertThat(sent.written()).as("%s", sent).isEmpty();
        assertThat(changed).as("shards changed").isEmpty();
    }

    private void wasNotSent() {
        assertThat(result).isEqualTo(operation.gives());
        assertThat(sent.asked()).as("%s", sent).isEmpty();
        assertThat(changed).as("shards changed").isEqualTo(writtenBefore());
    }

    private void wasDetached() {
        assertThat(sent.asked()).as("%s", sent).isEqualTo(Set.of(situation.shard()));
        assertThat(sent.written()).as("%s", sent).isEmpty();
        assertThat(changed).as("shards changed").isEmpty();
    }

    private void wasPlaced() {
        assertThat(sent.written()).as("%s", sent).hasSize(1);
        assertThat(changed).as("shards changed").isEqualTo(sent.written());
    }

    private void wasRolledBack() {
        assertThat(sent.asked()).as("%s", sent).isEqualTo(own());
        assertThat(sent.written()).as("%s", sent).isEqualTo(own());
        assertThat(changed).as("shards changed").isEqualTo(writtenBefore());
    }

    private Set<Integer> own() {
        return Set.of(situation.shard());
    }

    private void worked() {
        Set<Integer> own = own();
        Set<Integer> expectedChanges = writtenBefore();
        if (operation.isWrite()) {
            expectedChanges.add(situation.shard());
        } else {
            assertThat(result).as("%s", sent).isEqualTo(operation.gives());
        }
        assertThat(sent.databases()).as("%s", sent).isEqualTo(Set.of(situation.shard() / 4));
        // SQL that names no schema was found to be sent to this database, and the row is in one shard of it only.
        assertThat(sent.asked()).as("%s", sent).isIn(own, operation.namesNoSchema() ? Set.of() : own);
        boolean seen = operation.isWrite() && !operation.hidesItsWrite();
        assertThat(sent.written()).as("%s", sent).isEqualTo(seen ? own : Set.of());
        assertThat(changed).as("shards changed; %s", sent).isEqualTo(expectedChanges);
    }

    private Set<Integer> writtenBefore() {
        Set<Integer> shards = new HashSet<>();
        if (situation.writtenBefore() != null) {
            shards.add(situation.writtenBefore());
        }
        return shards;
    }
}
