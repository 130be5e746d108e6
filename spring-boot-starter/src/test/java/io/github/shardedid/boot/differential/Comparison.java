package io.github.shardedid.boot.differential;

import io.github.shardedid.ShardedIdException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Takes steps on both sides, and says where they differ. */
final class Comparison implements AutoCloseable {
    private final Galleries galleries = new Galleries();
    private final Tables tables = new Tables(galleries);
    private final List<String> beginning;
    private boolean changed;

    /** What happened how often, to be looked at: a test that only fails in the same way on both sides tests little. */
    final Map<String, Integer> counts = new TreeMap<>();

    Comparison() {
        tables.reset();
        beginning = tables.plain();
        if (beginning.isEmpty() || !beginning.equals(tables.sharded())) {
            throw new IllegalStateException("Unequal from the beginning");
        }
    }

    /** The difference that the steps show, or null. */
    @Nullable
    String difference(List<Step> steps) {
        begin();
        for (int i = 0; i < steps.size(); i++) {
            String difference = difference(steps.get(i));
            if (difference != null) {
                rollbackAll();
                return "Step " + (i + 1) + ", " + steps.get(i).code() + "\n" + difference;
            }
        }
        rollbackAll();
        return difference(tables.sharded(), tables.plain());
    }

    private void begin() {
        if (changed) {
            tables.reset();
        }
        changed = true;
        galleries.sharded.forget();
        galleries.plain.forget();
    }

    private @Nullable String difference(Step step) {
        galleries.plain.numbers.beginStep();
        Outcome sharded = galleries.sharded.on(() -> Outcome.of(galleries.sharded, step));
        ShardedIdException refusal = sharded.refusal();
        if (refusal != null) {
            return unjustified(step, refusal);
        }
        Outcome plain = galleries.plain.on(() -> Outcome.of(galleries.plain, step));
        count(plain.thrown() == null ? step.getClass().getSimpleName() : plain.text());
        boolean broken = sharded.thrown() instanceof AssertionError || plain.thrown() instanceof AssertionError;
        if (broken || !sharded.text().equals(plain.text())) {
            return "sharded: " + said(sharded) + "\nplain:   " + said(plain);
        }
        if (plain.thrown() != null) {
            rollbackAll();
        }
        return null;
    }

    private static String said(Outcome outcome) {
        Throwable thrown = outcome.thrown();
        return outcome.text() + (thrown == null ? "" : ": " + trace(thrown));
    }

    private static String trace(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append("\n    ").append(cause);
        }
        return text.toString();
    }

    /** Nothing of the transaction remains on either side, so the sequence goes on from equal states. */
    private @Nullable String unjustified(Step step, ShardedIdException refusal) {
        Outcome plain = galleries.plain.on(() -> tried(step));
        boolean justified = galleries.plain.on(
                () -> plain.thrown() != null || Outcome.justified(refusal, step, galleries.plain.written()));
        String written = galleries.plain.written().possible.toString();
        rollbackAll();
        count("refused: " + refusal.getClass().getSimpleName());
        return justified ? null : "refused without a reason (plain writes in " + written + "): " + trace(refusal);
    }

    /** What the plain side would have done, up to the flush. */
    private Outcome tried(Step step) {
        Side plain = galleries.plain;
        if (!plain.inside()) {
            plain.begin("REQUIRED", false);
        }
        return Outcome.of(plain, side -> {
            if (!(step instanceof Tx.End || step instanceof Tx.Begin || step instanceof Tx.Savepoint)) {
                step.run(side);
            }
            side.em.flush();
            return null;
        });
    }

    private void rollbackAll() {
        for (Side side : List.of(galleries.sharded, galleries.plain)) {
            side.on(() -> {
                side.rollbackAll();
                return null;
            });
        }
    }

    private @Nullable String difference(List<String> sharded, List<String> plain) {
        if (sharded.equals(plain)) {
            changed = !plain.equals(beginning);
            return null;
        }
        List<String> only = new ArrayList<>(sharded);
        plain.forEach(only::remove);
        List<String> missing = new ArrayList<>(plain);
        sharded.forEach(missing::remove);
        return "The tables differ in the end (shard, table, row).\nsharded only: " + only + "\nplain only:   "
                + missing;
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    @Override
    public void close() {
        tables.close();
        galleries.close();
    }
}
