package io.github.shardedid.boot.commands;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.RecordedPlan;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on the last line of a terminal: of the plan, or of the only move. The cursor stays at the beginning of the line, so that
 * the next line of the log replaces the bar. Safe for use by several threads.
 */
final class ConsoleProgress implements MoveListener {
    private static final int CELLS = 20;
    private static final int COLUMNS = 100;
    private static final int PERCENT = 100;

    private final PrintWriter terminal;
    private final Map<Integer, MoveProgress> moves = new ConcurrentSkipListMap<>();
    private @Nullable RecordedPlan plan;

    ConsoleProgress(PrintWriter terminal) {
        this.terminal = terminal;
    }

    /** Empty if the output is no terminal: then the lines of the log show the progress. */
    @SuppressWarnings("SystemConsoleNull") // isTerminal knows the console of newer versions
    static List<MoveListener> ofTerminal() {
        Console console = System.console();
        return console == null || !isTerminal(console) ? List.of() : List.of(new ConsoleProgress(console.writer()));
    }

    /** Since Java 22 there is a console without a terminal, too. */
    private static boolean isTerminal(Console console) {
        try {
            Method isTerminal = Console.class.getMethod("isTerminal");
            return Boolean.TRUE.equals(isTerminal.invoke(console));
        } catch (ReflectiveOperationException e) {
            return true; // before Java 22
        }
    }

    @Override
    public synchronized void progress(MoveProgress progress) {
        if (progress.step().ended()) {
            moves.remove(progress.move().shard());
        } else {
            moves.put(progress.move().shard(), progress);
        }
        draw();
    }

    @Override
    public synchronized void stopped(Move move, RuntimeException failure) {
        moves.remove(move.shard());
        draw();
    }

    @Override
    public synchronized void plan(RecordedPlan now) {
        plan = now.state() == RecordedPlan.State.RUNNING ? now : null;
        draw();
    }

    private void draw() {
        String line = line(plan, List.copyOf(moves.values()));
        String shown = line.length() > COLUMNS ? line.substring(0, COLUMNS) : line;
        terminal.print("\r" + shown + " ".repeat(COLUMNS - shown.length()) + "\r");
        terminal.flush();
    }

    static String line(@Nullable RecordedPlan plan, List<MoveProgress> moves) {
        StringJoiner line = new StringJoiner("  ");
        double moving = moves.stream().mapToDouble(MoveFraction::of).sum();
        if (plan != null && plan.total() > 1) {
            line.add(bar((plan.done() + moving) / plan.total())).add(plan.done() + " of " + plan.total() + " moves");
        } else if (moves.size() == 1) {
            line.add(bar(moving));
        }
        for (MoveProgress each : moves) {
            line.add("shard " + each.move().shard() + " " + each.step() + " "
                    + Math.round(MoveFraction.of(each) * PERCENT) + " %"
                    + (each.timeLeft() == null ? "" : ", " + each.timeLeft().toSeconds() + " s left"));
        }
        return line.toString();
    }

    private static String bar(double fraction) {
        int full = (int) Math.round(Math.min(1, fraction) * CELLS);
        return "[" + "#".repeat(full) + "-".repeat(CELLS - full) + "]";
    }
}
