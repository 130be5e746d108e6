package io.github.shardedid.attack;

import java.util.ArrayList;
import java.util.List;

/** The oracle's sums over all places. For one thread. */
final class Verdict {
    private static final int SHOWN = 20;

    private final List<String> faults = new ArrayList<>();
    private long handed;
    private long ofJvm;
    private long rows;
    private long committed;
    private long returned;
    private long published;

    void count(Evidence evidence) {
        handed += evidence.handed().size();
        rows += evidence.rows().size();
        committed += evidence.committed().size();
        for (int i = 0; i < evidence.handed().size(); i++) {
            if (PackedIds.isOfJvm(evidence.handed().get(i))) {
                ofJvm++;
            }
        }
    }

    void fault(String what) {
        faults.add(what);
    }

    /** An id that was returned before a crash but never committed has come again after it: see {@link Oracle}. */
    void returnedAgain() {
        returned++;
    }

    void publishedDuplicates(long count) {
        published += count;
    }

    /** Promises broken, each with its place. */
    List<String> faults() {
        return faults.subList(0, Math.min(SHOWN, faults.size()));
    }

    long ofJvm() {
        return ofJvm;
    }

    long committed() {
        return committed;
    }

    long publishedDuplicates() {
        return published;
    }

    @Override
    public String toString() {
        return "ids handed out " + handed + " (" + ofJvm + " by JVM leases), rows " + rows + ", acknowledged "
                + committed
                + ", faults (duplicates, losses, disorder) " + faults.size()
                + ", uncommitted ids again after a crash " + returned
                + ", duplicates of the published function " + published;
    }
}
