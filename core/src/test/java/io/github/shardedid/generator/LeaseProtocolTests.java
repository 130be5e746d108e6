package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.generator.LeaseTableModel.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores breadth first every interleaving of a few holders with the lease table: acquiring and renewing (also with an
 * answer that gets lost), pausing, making ids anywhere in the window, giving back, dying, the database's clock stepping
 * either way, a failover that loses the latest leases, a move to another server, a change of the division.
 *
 * <p>An id is a value of the sequence field and a timestamp; of the two values, division 1 gives both to node 0, division 2
 * one to each node. No id may be made by two holders.
 */
class LeaseProtocolTests {
    private static final int LEASE = 2;

    /** What a JVM believes: its window, the last timestamp that it used, and its division. */
    private record Holder(int node, int start, int end, int last, int division) {
        boolean leases() {
            return node >= 0;
        }

        Holder without() {
            return new Holder(-1, 0, 0, last, division);
        }
    }

    /** {@code made[value * stamps + stamp]} is who made that id, from 1; 0 if nobody did. */
    private record State(
            LeaseTableModel table,
            LeaseTableModel replica,
            int clock,
            int newestClock,
            List<Holder> holders,
            List<Integer> made,
            int faults) {
        State with(LeaseTableModel other) {
            return new State(other, replica, clock, newestClock, holders, made, faults);
        }

        State with(int holder, Holder changed) {
            List<Holder> others = new ArrayList<>(holders);
            others.set(holder, changed);
            return new State(table, replica, clock, newestClock, List.copyOf(others), made, faults);
        }

        State at(int otherClock) {
            return new State(table, replica, otherClock, Math.max(newestClock, otherClock), holders, made, faults);
        }
    }

    private record Origin(@Nullable State from, String step) {}

    private static final class Duplicate extends RuntimeException {
        private static final long serialVersionUID = 1;

        Duplicate(String trace) {
            super(trace);
        }
    }

    /** Which faults an exploration includes; each is possible once, so that the states stay few. */
    private enum Fault {
        STEP_BACK,
        FAILOVER,
        MOVE,
        DIVISION
    }

    private int holders;
    private int lastClock;
    private int values;
    private final Map<State, Origin> seen = new HashMap<>();
    private final Deque<State> open = new ArrayDeque<>();

    @ParameterizedTest
    @CsvSource({"STEP_BACK, 3, 2", "FAILOVER, 3, 2", "MOVE, 2, 3"})
    void noTwoHoldersMakeTheSameIdWhateverHappensInWhateverOrder(Fault fault, int holders, int lastClock) {
        explore(LeaseTableModel.allRules(), fault, holders, lastClock);

        assertThat(seen).as("states explored").hasSizeGreaterThan(10_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"STEP_BACK, 2, 3", "FAILOVER, 2, 3", "DIVISION, 2, 2"})
    void norDoTheyWithMoreTimeOrAnotherDivision(Fault fault, int holders, int lastClock) {
        noTwoHoldersMakeTheSameIdWhateverHappensInWhateverOrder(fault, holders, lastClock);
    }

    @ParameterizedTest
    @EnumSource
    void anIdComesTwiceWithoutAnyOneOfTheRules(LeaseRule rule) {
        Set<LeaseRule> others = EnumSet.complementOf(EnumSet.of(rule));
        Fault fault =
                switch (rule) {
                    case AFTER_LOST_LEASES -> Fault.FAILOVER;
                    case AFTER_OTHER_DIVISION, ONE_DIVISION -> Fault.DIVISION;
                    default -> Fault.STEP_BACK;
                };

        assertThat(duplicates(others, fault)).isTrue();
    }

    @Test
    void anIdComesTwiceIfAPromotedServersClockIsBehind() {
        clockFollowsAfterFailover = false;

        assertThat(duplicates(LeaseTableModel.allRules(), Fault.FAILOVER)).isTrue();
    }

    private boolean clockFollowsAfterFailover = true;

    private boolean duplicates(Set<LeaseRule> rules, Fault fault) {
        try {
            explore(rules, fault, 2, fault == Fault.DIVISION ? 2 : 3);
            return false;
        } catch (Duplicate found) {
            return true;
        }
    }

    private void explore(Set<LeaseRule> rules, Fault fault, int holderCount, int last) {
        seen.clear();
        open.clear();
        holders = holderCount;
        lastClock = last;
        values = fault == Fault.DIVISION ? 2 : 1;
        LeaseTableModel table = LeaseTableModel.fresh(rules, LEASE, values);
        Holder idle = new Holder(-1, 0, 0, -1, table.nodes());
        List<Integer> nothing = java.util.Collections.nCopies(values * (lastClock + 1), 0);
        reach(null, new State(table, table, 0, 0, java.util.Collections.nCopies(holders, idle), nothing, 0), "start");
        while (!open.isEmpty()) {
            State state = open.remove();
            if (state.clock < lastClock) {
                reach(state, state.at(state.clock + 1), "tick");
            }
            for (int holder = 0; holder < holders; holder++) {
                stepsOf(state, holder, rules);
            }
            if (state.faults == 0) {
                fail(state, fault);
            } else if (fault == Fault.DIVISION) {
                reconfigure(state);
            }
        }
    }

    private void stepsOf(State state, int holder, Set<LeaseRule> rules) {
        Holder jvm = state.holders.get(holder);
        Answer answer = state.table.lease(holder, jvm.node, jvm.division, state.clock, LEASE);
        if (answer.node() >= 0) {
            Holder granted = new Holder(answer.node(), answer.start(), answer.end(), jvm.last, jvm.division);
            reach(state, state.with(answer.table()).with(holder, granted), holder + " leases");
            if (values == 1) {
                reach(state, state.with(answer.table()), holder + " leases, but hears nothing");
            }
        } else {
            reach(state, state.with(answer.table()), holder + " is refused");
        }
        if (!jvm.leases()) {
            return;
        }
        for (int stamp = Math.max(jvm.start, jvm.last); stamp < Math.min(jvm.end, lastClock + 1); stamp++) {
            make(state, holder, stamp);
        }
        int end = rules.contains(LeaseRule.RELEASE_AFTER_LAST_ID) ? jvm.last + 1 : state.clock;
        LeaseTableModel released = state.table.release(holder, jvm.node, end);
        boolean sealed = rules.contains(LeaseRule.RELEASE_AFTER_LAST_ID);
        reach(state, state.with(released).with(holder, sealed ? jvm.without() : jvm), holder + " gives back");
        if (!rules.contains(LeaseRule.RELEASE_BY_HOLDER)) {
            // Its release was under way since before the lease ran out.
            reach(state, state.with(state.table.release(holder, jvm.node, end)).with(holder, jvm.without()), "late");
        }
    }

    /** The counter of the JVM lets it use a value once; here, that its timestamps grow unless the value differs. */
    private void make(State state, int holder, int stamp) {
        if (values > 1 && state.made.stream().filter(maker -> maker != 0).count() > 2) {
            return; // keeps the states few: a duplicate needs no more
        }
        Holder jvm = state.holders.get(holder);
        int per = values / jvm.division;
        for (int value = jvm.node * per; value < (jvm.node + 1) * per && value < values; value++) {
            int index = value * (lastClock + 1) + stamp;
            int maker = state.made.get(index);
            if (maker == holder + 1) {
                continue;
            }
            if (maker != 0) {
                throw new Duplicate(path(state) + holder + " makes " + stamp + "/" + value + ", too");
            }
            List<Integer> made = new ArrayList<>(state.made);
            made.set(index, holder + 1);
            State next = new State(
                    state.table,
                    state.replica,
                    state.clock,
                    state.newestClock,
                    state.holders,
                    List.copyOf(made),
                    state.faults);
            reach(
                    state,
                    next.with(holder, new Holder(jvm.node, jvm.start, jvm.end, stamp, jvm.division)),
                    holder + " makes " + stamp);
        }
    }

    private void fail(State state, Fault fault) {
        switch (fault) {
            case STEP_BACK -> {
                for (int clock = 0; clock < state.clock; clock++) {
                    reach(state, faulty(state.at(clock)), "clock steps back");
                }
            }
            case FAILOVER -> {
                if (state.replica.equals(state.table)) {
                    return;
                }
                LeaseTableModel promoted = state.replica.on(state.table.server() + 1);
                int clock = clockFollowsAfterFailover ? state.newestClock : 0;
                reach(state, faulty(state.with(promoted).at(clock)), "failover");
            }
            case MOVE -> reach(state, faulty(state.with(state.table.on(1))), "move");
            case DIVISION -> reach(state, faulty(state.with(state.table.dividedInto(1))), "division");
        }
        if (fault == Fault.FAILOVER && !state.replica.equals(state.table)) {
            reach(
                    state,
                    new State(state.table, state.table, state.clock, state.newestClock, state.holders, state.made, 0),
                    "replicate");
        }
    }

    private static State faulty(State state) {
        return new State(state.table, state.table, state.clock, state.newestClock, state.holders, state.made, 1);
    }

    /** A JVM is started again with the new division; its counters start anew, its old lease is forgotten. */
    private void reconfigure(State state) {
        for (int holder = 0; holder < holders; holder++) {
            Holder jvm = state.holders.get(holder);
            if (jvm.division != state.table.nodes() && jvm.last < 0) {
                reach(state, state.with(holder, new Holder(-1, 0, 0, -1, state.table.nodes())), "configure " + holder);
            }
        }
    }

    private void reach(@Nullable State from, State next, String step) {
        if (seen.putIfAbsent(next, new Origin(from, step)) == null) {
            open.add(next);
        }
    }

    private String path(State state) {
        StringBuilder path = new StringBuilder();
        for (State at = state; at != null; at = seen.get(at).from) {
            path.insert(0, seen.get(at).step + "; ");
        }
        return path.toString();
    }
}
