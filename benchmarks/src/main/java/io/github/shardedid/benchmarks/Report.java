package io.github.shardedid.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The figures of a run, as the lines of two Markdown tables, and the raw measurements behind them. */
final class Report {
    private static final Logger LOG = LoggerFactory.getLogger(Report.class);
    private static final String BEGIN = "<!-- figures: written by the benchmarks -->";
    private static final String END = "<!-- end of the figures -->";

    private final List<String> ratios = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final StringBuilder raw = new StringBuilder();

    /**
     * Notes a ratio.
     *
     * @param goal the largest ratio allowed, or null if none was set
     * @param unit of the absolute costs, after scaling them
     */
    void ratio(String what, @Nullable Double goal, Rounds rounds, String ours, String theirs, String unit) {
        Rounds.Ratio ratio = rounds.ratio(ours, theirs);
        String verdict = goal == null ? "–" : ratio.median() <= goal ? "met" : "**missed**";
        ratios.add(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s %s | %s %s | %s |",
                what,
                goal == null ? "–" : goal.toString(),
                ratio,
                figure(rounds.median(ours)),
                unit,
                figure(rounds.median(theirs)),
                unit,
                verdict));
        LOG.info("{}", ratios.get(ratios.size() - 1));
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }

    /** Notes a figure that is no ratio. */
    void other(String what, String goal, String value) {
        others.add("| " + what + " | " + goal + " | " + value + " |");
        LOG.info("{}", others.get(others.size() - 1));
    }

    void raw(String title, Object measured) {
        raw.append("## ").append(title).append('\n').append(measured).append('\n');
    }

    List<String> ratios() {
        return List.copyOf(ratios);
    }

    List<String> others() {
        return List.copyOf(others);
    }

    /** Writes the raw output into a directory, and the tables between the marks of a page. */
    void write(Path directory, Path page, String environment) throws IOException {
        String tables = BEGIN + "\n" + environment + "\n\n"
                + "| what | at most | median of the ratios | spread, 10–90 % (rounds) | ours | theirs | |\n"
                + "|---|---|---|---|---|---|---|\n" + String.join("\n", ratios) + "\n\n"
                + "| what | goal | measured |\n|---|---|---|\n" + String.join("\n", others) + "\n" + END;
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("raw.txt"), raw);
        Files.writeString(directory.resolve("tables.md"), tables + "\n");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException("The page " + page + " has no lines '" + BEGIN + "' and '" + END + "'");
        }
        Files.writeString(page, text.substring(0, begin) + tables + text.substring(end + END.length()));
    }
}
