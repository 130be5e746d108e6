package io.github.shardedid.benchmarks.measure;

import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The figures of a part, as the lines of Markdown tables, and the raw measurements behind them. */
public final class Section {
    private static final Logger LOG = LoggerFactory.getLogger(Section.class);
    private static final String RATIOS =
            "| what | goal | median of the ratios | spread, 10–90 % (rounds) | ours | theirs | |\n|---|---|---|---|---|---|---|\n";
    private static final String OTHERS = "| what | goal | measured |\n|---|---|---|\n";
    /** Ratios that differ less than this from 1 are reported as even. */
    private static final double EVEN = 0.05;

    private final String part;
    private final List<String> rows = new ArrayList<>();
    private final Map<String, String> drawings = new TreeMap<>();
    private final List<String> ratios = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final List<String> compared = new ArrayList<>();
    private final Set<String> peers = new TreeSet<>();
    private final StringBuilder raw = new StringBuilder();
    private boolean durable;

    Section(String part) {
        this.part = part;
    }

    String part() {
        return part;
    }

    /** Notes that the servers wrote to disk what they committed. */
    public void durable() {
        durable = true;
    }

    /** Whether the servers wrote to disk what they committed, if they do not otherwise. */
    public boolean isDurable() {
        return durable;
    }

    /** Starts the table of {@link #row rows}, which comes first. */
    public void columns(String... names) {
        row(names);
        rows.add("|" + "---|".repeat(names.length));
    }

    /** Adds a row to the first table. */
    public void row(String... cells) {
        rows.add("| " + String.join(" | ", cells) + " |");
        LOG.info("{}", rows.get(rows.size() - 1));
    }

    /** Adds a drawing, an SVG, to be written to a file. */
    public void drawing(String file, String svg) {
        drawings.put(file, svg);
    }

    Map<String, String> drawings() {
        return drawings;
    }

    /**
     * Adds a ratio.
     *
     * @param goal the largest ratio allowed, or null if none was set
     * @param unit of the absolute costs, after scaling them
     */
    public void ratio(String what, @Nullable Double goal, Rounds rounds, String ours, String theirs, String unit) {
        Rounds.Ratio ratio = rounds.ratio(ours, theirs);
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
                verdict(goal, ratio.median())));
        LOG.info("{}", ratios.get(ratios.size() - 1));
    }

    private static String verdict(@Nullable Double goal, double ratio) {
        if (goal != null) {
            return ratio <= goal ? "met" : "**missed**";
        }
        if (Math.abs(ratio - 1) <= EVEN) {
            return "even";
        }
        return ratio < 1 ? "ahead" : "**behind**";
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }

    /** Adds a figure that is not a ratio. */
    public void other(String what, String goal, String value) {
        others.add("| " + what + " | " + goal + " | " + value + " |");
        LOG.info("{}", others.get(others.size() - 1));
    }

    /** Starts a table of {@link #compared} figures, with a column for each implementation. */
    public void ways(List<String> names) {
        compared.add("| what | " + String.join(" | ", names) + " |\n|---|" + "---|".repeat(names.size()));
    }

    /** Adds the cost of each implementation, in the order of the names. The lowest cost and those even with it are in bold. */
    public void compared(String what, List<Double> costs) {
        double smallest = costs.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        compared.add(costs.stream()
                .map(cost -> cost <= smallest * (1 + EVEN) || figure(cost).equals(figure(smallest))
                        ? "**" + figure(cost) + "**"
                        : figure(cost))
                .collect(Collectors.joining(" | ", "| " + what + " | ", " |")));
        LOG.info("{}", compared.get(compared.size() - 1));
    }

    /** Notes the measurements behind a figure. */
    public void raw(String title, Object measured) {
        raw.append("## ").append(title).append('\n').append(measured).append('\n');
    }

    /** Notes the name and the release of a peer, which are those of the jar that a class of it comes from. */
    public void peer(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        String path = source == null ? type.getName() : source.getLocation().getPath();
        String jar = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.jar$", "");
        peers.add(jar.replaceFirst("-(?=[0-9])", " "));
    }

    /** Notes what a peer is, and its release. */
    public void peer(String nameAndVersion) {
        peers.add(nameAndVersion);
    }

    String peers() {
        return peers.stream().map(peer -> " · " + peer).collect(Collectors.joining());
    }

    /** The lines of all tables. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(rows.subList(Math.min(2, rows.size()), rows.size()));
        lines.addAll(ratios);
        lines.addAll(others);
        lines.addAll(compared.subList(Math.min(1, compared.size()), compared.size()));
        return lines;
    }

    String raw() {
        return raw.toString();
    }

    /** What stands between the marks of the page. */
    String tables() {
        List<String> tables = new ArrayList<>();
        if (!rows.isEmpty()) {
            tables.add(String.join("\n", rows) + "\n");
        }
        if (!ratios.isEmpty()) {
            tables.add(RATIOS + String.join("\n", ratios) + "\n");
        }
        if (!others.isEmpty()) {
            tables.add(OTHERS + String.join("\n", others) + "\n");
        }
        if (!compared.isEmpty()) {
            tables.add(String.join("\n", compared) + "\n");
        }
        return String.join("\n", tables);
    }
}
