package io.github.shardedid.move;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A shard with one table, and all that takes part in its move, as a value.
 *
 * @param limits what may happen how often
 * @param movers processes that move, resume or abort; each may be killed, or lose one of its sessions, at any moment
 * @param writers anybody: applications with a new map or an old one, prepared statements, psql that names any schema
 * @param handed ids that somebody has been given, as bits
 * @param windows windows of leases that somebody has been granted, as bits
 * @param acknowledged rows that somebody was told are committed, as bits
 * @param loader what an application that builds its map has read so far
 */
record MoveModel(
        Set<MoveRule> rules,
        Limits limits,
        Source source,
        Target target,
        List<Mover> movers,
        List<Writer> writers,
        int handed,
        int windows,
        int acknowledged,
        Loader loader) {
    /** A row with an id stands for itself in the log; these are the other entries. */
    static final int EMPTIED = -1;

    private static final int MARKER = 100;

    record Limits(int ids, int windows, int moves, int fences, boolean maps) {}

    enum State {
        NONE,
        RECEIVING,
        ACTIVE,
        MOVING,
        FENCED,
        MOVED
    }

    /** What a mover does, in its order; the last ones are those of an abort. IDLE in a journal: no move is under way. */
    enum Step {
        IDLE,
        PREPARE,
        COPY,
        FENCE,
        AWAIT,
        CARRY,
        DISABLE,
        SWITCH,
        FINISH,
        CLEAN,
        END,
        ASK,
        CLEAR,
        UNFENCE;

        boolean before(Step other) {
            return compareTo(other) < 0;
        }
    }

    record Journal(Step step, boolean aborting) {}

    /**
     * @param fenced renamed, refusing
     * @param log what was committed, in its order
     */
    record Source(
            State state,
            boolean fenced,
            int rows,
            List<Integer> log,
            int sequence,
            int lease,
            Journal journal,
            int moves,
            int fences) {
        boolean hasMarker(int applied, boolean ofThisFence) {
            return log.subList(0, applied).stream()
                    .anyMatch(entry -> ofThisFence ? entry == MARKER + fences : entry >= MARKER);
        }

        Source committed(int id) {
            return new Source(state, fenced, rows | 1 << id, with(id), sequence, lease, journal, moves, fences);
        }

        Source emptied() {
            return new Source(state, fenced, 0, with(EMPTIED), sequence, lease, journal, moves, fences);
        }

        Source raised() {
            List<Integer> marked = with(MARKER + fences + 1);
            return new Source(State.FENCED, true, rows, marked, sequence, lease, journal, moves, fences + 1);
        }

        Source lowered(State to, boolean still) {
            return new Source(to, still, rows, log, sequence, lease, journal, moves, fences);
        }

        Source begun() {
            return new Source(State.MOVING, fenced, rows, log, sequence, lease, journal, moves + 1, fences);
        }

        Source at(Journal other) {
            return new Source(state, fenced, rows, log, sequence, lease, other, moves, fences);
        }

        Source counted(int ids, int leases) {
            return new Source(state, fenced, rows, log, ids, leases, journal, moves, fences);
        }

        private List<Integer> with(int entry) {
            List<Integer> longer = new ArrayList<>(log);
            longer.add(entry);
            return List.copyOf(longer);
        }
    }

    /**
     * @param applied how much of the source's log has arrived
     * @param subscribed whether there is a subscription, enabled or not
     */
    record Target(State state, int rows, int applied, boolean subscribed, boolean enabled, int sequence, int lease) {
        static final Target NOTHING = new Target(State.NONE, 0, 0, false, false, 0, 0);

        Target with(int newRows, int newApplied) {
            return new Target(state, newRows, newApplied, subscribed, enabled, sequence, lease);
        }

        Target subscribed(boolean is, boolean on) {
            return new Target(state, rows, applied, is, on, sequence, lease);
        }

        Target counted(int ids, int leases) {
            return new Target(state, rows, applied, subscribed, enabled, ids, leases);
        }

        Target in(State other) {
            return new Target(other, rows, applied, subscribed, enabled, sequence, lease);
        }
    }

    /**
     * @param half whether the first of journal and step is done
     * @param source whether its session at the source lives, and its lock there with it
     * @param target the same at the target
     */
    record Mover(Step step, boolean half, boolean aborting, boolean source, boolean target) {
        static final Mover NONE = new Mover(Step.IDLE, false, false, false, false);

        Mover at(Step next) {
            return new Mover(next, false, aborting, source, target);
        }

        Mover halfDone() {
            return new Mover(step, true, aborting, source, target);
        }

        Mover cutOff(boolean keepSource, boolean keepTarget) {
            return new Mover(step, half, aborting, source && keepSource, target && keepTarget);
        }
    }

    /** {@code id} is 0 if it has none; {@code open}: its row is written, and not committed. */
    record Writer(int id, Place open) {
        static final Writer NONE = new Writer(0, Place.NOWHERE);
    }

    enum Place {
        NOWHERE,
        SOURCE,
        TARGET
    }

    /** The generation that each database was seen to serve, 0 if none; -1 if it has not been asked yet. */
    record Loader(int source, int target) {
        static final Loader NOTHING = new Loader(-1, -1);
    }

    /** A promise broken. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Broken(String what) {
            super(what);
        }
    }

    static MoveModel fresh(Set<MoveRule> rules, Limits limits, int movers, int writers) {
        Source source = new Source(State.ACTIVE, false, 0, List.of(), 0, 0, new Journal(Step.IDLE, false), 0, 0);
        return new MoveModel(
                rules,
                limits,
                source,
                Target.NOTHING,
                java.util.Collections.nCopies(movers, Mover.NONE),
                java.util.Collections.nCopies(writers, Writer.NONE),
                0,
                0,
                0,
                Loader.NOTHING);
    }

    boolean has(MoveRule rule) {
        return rules.contains(rule);
    }

    /** What must hold in every state. */
    MoveModel checked() {
        if (!source.fenced && target.state == State.ACTIVE) {
            throw new Broken("two writable homes");
        }
        boolean readable = !source.fenced || !has(MoveRule.RENAME_SCHEMA);
        if (readable && (acknowledged & ~source.rows) != 0) {
            throw new Broken("the source is read by the shard's name, and lacks a row");
        }
        if (target.state == State.ACTIVE && (acknowledged & ~target.rows) != 0) {
            throw new Broken("the target serves, and lacks a row");
        }
        boolean traces = (source.fenced && source.state != State.MOVED) || target.state == State.RECEIVING;
        if (source.journal.step == Step.IDLE && (traces || target.subscribed)) {
            throw new Broken("a move has left something that no journal tells of");
        }
        return this;
    }

    /** Exactly one home serves, and nothing of a move is left. */
    boolean isAtRest() {
        boolean atSource = source.state == State.ACTIVE && !source.fenced && target.state == State.NONE;
        boolean atTarget = source.state == State.MOVED && source.fenced && target.state == State.ACTIVE;
        return source.journal.step == Step.IDLE && !target.subscribed && (atSource || atTarget);
    }

    MoveModel with(Source other) {
        return copy(other, target, movers, writers, handed, windows, acknowledged, loader);
    }

    MoveModel with(Target other) {
        return copy(source, other, movers, writers, handed, windows, acknowledged, loader);
    }

    MoveModel with(Loader other) {
        return copy(source, target, movers, writers, handed, windows, acknowledged, other);
    }

    MoveModel with(int mover, Mover other) {
        return copy(source, target, set(movers, mover, other), writers, handed, windows, acknowledged, loader);
    }

    MoveModel with(int writer, Writer other) {
        return copy(source, target, movers, set(writers, writer, other), handed, windows, acknowledged, loader);
    }

    MoveModel acknowledging(int id) {
        return copy(source, target, movers, writers, handed, windows, acknowledged | 1 << id, loader);
    }

    MoveModel handing(int id) {
        if ((handed & 1 << id) != 0) {
            throw new Broken("an id twice");
        }
        return copy(source, target, movers, writers, handed | 1 << id, windows, acknowledged, loader);
    }

    MoveModel granting(int window) {
        if ((windows & 1 << window) != 0) {
            throw new Broken("a window of a lease twice");
        }
        return copy(source, target, movers, writers, handed, windows | 1 << window, acknowledged, loader);
    }

    private MoveModel copy(Source s, Target t, List<Mover> m, List<Writer> w, int ids, int leases, int rows, Loader l) {
        return new MoveModel(rules, limits, s, t, m, w, ids, leases, rows, l);
    }

    private static <T> List<T> set(List<T> list, int index, T value) {
        List<T> other = new ArrayList<>(list);
        other.set(index, value);
        return List.copyOf(other);
    }
}
