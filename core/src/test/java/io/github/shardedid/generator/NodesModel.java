package io.github.shardedid.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A shard with one table while {@code jvm_nodes} is changed between 0 and 1, as a value: each step leads to further ones. The
 * sequence field has two values: 0 is the database's, 1 is that of the only node or, without nodes, the database's, too. The
 * clocks show anything at any time.
 *
 * @param step of the change: see {@link #change}
 * @param nodes what the cluster says
 * @param changing whether it is noted that the change is under way
 * @param functions those that a call gets to begin with
 * @param call of a transaction that is open: the functions that it began with; null if there is none
 * @param headNodes row -1: by how many nodes leases are granted
 * @param headEnd row -1: the first timestamp at which a window may start
 * @param row the lease of the node, or null
 * @param granting the JVM whose grant has found no obstacle and not committed, or -1
 * @param windows what each JVM believes to have
 * @param last the last id made from the sequence: twice its timestamp, and the value
 * @param made who made the id of value 1, by timestamp
 */
record NodesModel(
        Set<NodesRule> rules,
        int step,
        int nodes,
        boolean changing,
        Functions functions,
        @Nullable Functions call,
        int headNodes,
        int headEnd,
        @Nullable Lease row,
        int granting,
        List<Lease> windows,
        int last,
        List<Integer> made) {
    static final int NOBODY = -1;
    static final int DATABASE = 9;
    private static final int LEASE = 2;
    private static final Lease NONE = new Lease(NOBODY, 0, 0);

    record Lease(int holder, int start, int end) {}

    /** Whether they make ids of the whole sequence, and not of which timestamps. */
    record Functions(boolean whole, int earliest) {}

    /** An id that somebody has made before. */
    static final class Duplicate extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static NodesModel fresh(Set<NodesRule> rules, int nodes, int jvms, int timestamps) {
        Functions functions = new Functions(nodes == 0, 0);
        List<Integer> nothing = java.util.Collections.nCopies(timestamps, NOBODY);
        List<Lease> none = java.util.Collections.nCopies(jvms, NONE);
        return new NodesModel(rules, 0, nodes, false, functions, null, nodes, 0, null, NOBODY, none, -2, nothing);
    }

    /** Tells all that may come next. */
    void next(BiConsumer<String, NodesModel> steps) {
        change(steps);
        for (int jvm = 0; jvm < windows.size(); jvm++) {
            leases(jvm, steps);
            for (int stamp = windows.get(jvm).start; stamp < Math.min(windows.get(jvm).end, made.size()); stamp++) {
                if (made.get(stamp) != jvm) {
                    steps.accept(jvm + " makes " + stamp, withMade(stamp, jvm));
                }
            }
        }
        for (int clock = 0; clock < made.size(); clock++) {
            calls(functions, clock, steps);
            if (call != null) {
                calls(call, clock, steps);
            }
        }
        steps.accept("a call begins or ends", with(call == null ? functions : null));
    }

    /** To none: 0 note, 1 close, 2 store. From none: 0 note, 1 wait for calls, 2 close, 3 store. Then all the way back. */
    private void change(BiConsumer<String, NodesModel> steps) {
        boolean toNone = nodes == 1;
        if (step == 0) {
            Functions lower = new Functions(!rules.contains(NodesRule.LOWER_HALF_FIRST), functions.earliest);
            steps.accept("note", changed(1, true, nodes, toNone ? functions : lower, headNodes, headEnd, row));
        } else if (step == 1 && !toNone) {
            if (call == null || !rules.contains(NodesRule.AFTER_OLD_CALLS)) {
                steps.accept("calls have ended", changed(2, true, nodes, functions, headNodes, headEnd, row));
            }
        } else if (step == (toNone ? 1 : 2)) {
            if (granting == NOBODY || !rules.contains(NodesRule.AFTER_GRANTS)) {
                steps.accept("close", changed(3, true, nodes, functions, 1 - nodes, closedEnd(toNone), null));
            }
        } else if (step == 3) {
            Functions others =
                    new Functions(toNone, toNone ? Math.max(functions.earliest, headEnd) : functions.earliest);
            steps.accept("store", changed(0, false, 1 - nodes, others, headNodes, headEnd, row));
        }
    }

    private int closedEnd(boolean toNone) {
        int end = headEnd;
        if (row != null && rules.contains(NodesRule.WINDOWS_REMEMBERED)) {
            end = Math.max(end, row.end);
        }
        return toNone || !rules.contains(NodesRule.AFTER_LAST_IDS) ? end : Math.max(end, (last >> 1) + 1);
    }

    private void leases(int jvm, BiConsumer<String, NodesModel> steps) {
        boolean closed = (changing || headNodes == 0) && rules.contains(NodesRule.NO_LEASE_MEANWHILE);
        boolean refused = nodes == 0 || closed;
        if (granting == NOBODY && !refused) {
            steps.accept(jvm + " may lease", granting(jvm));
        }
        for (int clock = headEnd; granting == jvm && clock < made.size(); clock++) {
            Lease lease = granted(jvm, clock);
            steps.accept(
                    jvm + (lease == null ? " finds no node" : " leases"),
                    lease == null ? granting(NOBODY) : with(lease));
        }
        if (granting == jvm) {
            steps.accept(jvm + " is refused", granting(NOBODY));
        }
    }

    private @Nullable Lease granted(int jvm, int clock) {
        if (row == null) {
            return new Lease(jvm, clock, clock + LEASE);
        }
        if (row.holder == jvm) {
            return new Lease(jvm, Math.max(row.start, headEnd), Math.max(row.end, clock + LEASE));
        }
        return row.end <= clock ? new Lease(jvm, clock, clock + LEASE) : null;
    }

    /** An id of the database, by the way of hop() that waits for the lock, and by the one that does not. */
    private void calls(Functions by, int clock, BiConsumer<String, NodesModel> steps) {
        int present = rules.contains(NodesRule.NOT_EARLIER) ? Math.max(clock, by.earliest) : clock;
        boolean room = by.whole && last >= 0 && (last & 1) == 0;
        boolean late = last >> 1 >= by.earliest || !rules.contains(NodesRule.NO_EARLIER_ROOM);
        if (room && (last >> 1 >= present || late)) {
            steps.accept(
                    "the database makes " + (last >> 1) + "/1",
                    withMade(last >> 1, DATABASE).at(last + 1));
        }
        int stamp = Math.max((last >> 1) + 1, present);
        if (stamp < made.size()) {
            steps.accept("the database makes " + stamp + "/0", at(stamp << 1));
        }
    }

    private NodesModel withMade(int stamp, int maker) {
        if (made.get(stamp) != NOBODY) {
            throw new Duplicate();
        }
        List<Integer> more = new ArrayList<>(made);
        more.set(stamp, maker);
        return copy(granting, row, windows, call, last, List.copyOf(more));
    }

    private NodesModel at(int id) {
        return copy(granting, row, windows, call, id, made);
    }

    private NodesModel with(@Nullable Functions begun) {
        return copy(granting, row, windows, begun, last, made);
    }

    private NodesModel granting(int jvm) {
        return copy(jvm, row, windows, call, last, made);
    }

    private NodesModel with(Lease lease) {
        List<Lease> others = new ArrayList<>(windows);
        others.set(lease.holder, lease);
        return copy(NOBODY, lease, List.copyOf(others), call, last, made);
    }

    private NodesModel copy(
            int grant, @Nullable Lease leased, List<Lease> held, @Nullable Functions begun, int id, List<Integer> ids) {
        return new NodesModel(
                rules, step, nodes, changing, functions, begun, headNodes, headEnd, leased, grant, held, id, ids);
    }

    private NodesModel changed(
            int to, boolean noted, int number, Functions installed, int head, int end, @Nullable Lease leased) {
        return new NodesModel(
                rules, to, number, noted, installed, call, head, end, leased, granting, windows, last, made);
    }
}
