package io.github.shardedid.benchmarks.waiting;

import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.ServerTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of what a user waits for, a row for each comparison, and its drawing. */
public final class Waits {
    private static final int ROUNDS = 30;

    private final Extent extent;
    private final Section section;
    private final Processors processors;
    private final List<RatioChart.Bar> bars = new ArrayList<>();

    /** Of calls to these servers. */
    public Waits(Extent extent, Section section, ServerTime servers) {
        this.extent = extent;
        this.section = section;
        this.processors = new Processors(servers);
        section.columns(
                "what the caller waits for",
                "beside",
                "ours: median / 99th percentile, ms",
                "theirs, ms",
                "ratio",
                "10–90 % of the rounds",
                "goal",
                "processor time of the client, ours / theirs, µs",
                "of the servers, µs");
    }

    /** How much is to be measured. */
    public Extent extent() {
        return extent;
    }

    /** Compares two calls of one client. */
    public void compare(String what, String than, @Nullable Double goal, Runnable ours, Runnable theirs)
            throws Exception {
        compare(what, than, goal, 1, 100, ours, theirs);
    }

    /**
     * Compares two calls.
     *
     * @param clients how many call at the same time; the ratio is then that of the calls that all get done
     * @param calls in a round
     */
    public void compare(
            String what, String than, @Nullable Double goal, int clients, int calls, Runnable ours, Runnable theirs)
            throws Exception {
        Side our = new Side(ours, processors);
        Side their = new Side(theirs, processors);
        int times = Math.max(clients, extent.of(calls));
        try (Clients threads = new Clients(clients)) {
            Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
            ways.put("ours", () -> our.micros(threads, times));
            ways.put("theirs", () -> their.micros(threads, times));
            Rounds.run(extent.rounds(ROUNDS), ways); // by then everything is compiled
            our.begin();
            their.begin();
            Rounds measured = Rounds.runAtOnce(extent.rounds(ROUNDS), ways);
            note(what, than, goal, our, their, measured.ratio("ours", "theirs"));
            section.raw(what + " ÷ " + than + ", µs", measured);
        }
    }

    private void note(String what, String than, @Nullable Double goal, Side our, Side their, Rounds.Ratio ratio) {
        section.row(
                what,
                than,
                our.waits(),
                their.waits(),
                String.format(Locale.ROOT, "**%.2f**", ratio.median()),
                String.format(Locale.ROOT, "%.2f – %.2f", ratio.low(), ratio.high()),
                goal == null
                        ? "–"
                        : String.format(Locale.ROOT, "%.2f, %s", goal, ratio.median() <= goal ? "met" : "**missed**"),
                our.ofClient() + " / " + their.ofClient(),
                our.ofServers() + " / " + their.ofServers());
        bars.add(new RatioChart.Bar(what + " ÷ " + than, ratio.median()));
    }

    /** Draws what has been compared. */
    public void draw(String file) {
        section.drawing(file, new RatioChart(bars).svg());
    }
}
