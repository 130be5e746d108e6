package io.github.shardedid.benchmarks.waiting;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A drawing of ratios: a bar for each, and a line at 1. */
record RatioChart(List<Bar> bars) {
    private static final int WIDTH = 760;
    private static final int LEFT = 430;
    private static final int RIGHT = 70;
    private static final int TOP = 62;
    private static final int STEP = 27;
    private static final int THICKNESS = 16;
    private static final double EVEN = 0.05;

    /** A ratio of ours to theirs. */
    record Bar(String what, double ratio) {
        private String kind() {
            return ratio > 1 + EVEN ? "behind" : ratio < 1 - EVEN ? "ahead" : "even";
        }

        private String number() {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }
    }

    String svg() {
        String heads = bars.stream().map(bar -> bar.what() + " " + bar.number()).collect(Collectors.joining("; "));
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + height()
                + "\" role=\"img\" aria-labelledby=\"title desc\">\n"
                + "  <title id=\"title\">The time of our calls as a share of others'</title>\n  <desc id=\"desc\">"
                + escaped(heads) + "</desc>\n" + STYLE + "  <rect class=\"page\" width=\"" + WIDTH + "\" height=\""
                + height()
                + "\"/>\n  <text x=\"16\" y=\"26\" class=\"strong\">The time of our calls ÷ the time of others'"
                + "</text>\n  <text x=\"16\" y=\"46\" class=\"small\">Half a millisecond to the server and back; shorter is"
                + " faster</text>\n" + rows() + line() + "</svg>\n";
    }

    private int height() {
        return TOP + bars.size() * STEP + 30;
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int top = TOP + i * STEP;
            rows.append(text(LEFT - 10, top, " end", bar.what()))
                    .append(String.format(
                            Locale.ROOT,
                            "  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                            bar.kind(),
                            LEFT,
                            top,
                            widthOf(bar.ratio()),
                            THICKNESS))
                    .append(text(LEFT + (int) widthOf(bar.ratio()) + 6, top, " strong", bar.number()));
        }
        return rows.toString();
    }

    private String line() {
        int x = LEFT + (int) widthOf(1);
        int bottom = TOP + bars.size() * STEP;
        return "  <line class=\"line\" x1=\"" + x + "\" y1=\"" + (TOP - 8) + "\" x2=\"" + x + "\" y2=\"" + bottom
                + "\"/>\n" + text(x, bottom + 4, " mid", "1: as long");
    }

    private double widthOf(double ratio) {
        double longest = bars.stream().mapToDouble(Bar::ratio).reduce(1, Math::max);
        return ratio / longest * (WIDTH - LEFT - RIGHT);
    }

    private static String text(int x, int top, String kind, String text) {
        return "  <text x=\"" + x + "\" y=\"" + (top + THICKNESS - 4) + "\" class=\"small" + kind + "\">"
                + escaped(text) + "</text>\n";
    }

    private static String escaped(String text) {
        return text.replace("`", "").replace("&", "&amp;").replace("<", "&lt;");
    }

    private static final String STYLE =
            """
              <style>
                text { font: 14px system-ui, "Segoe UI", Roboto, sans-serif; fill: #1f2328 }
                .small { font-size: 12px }
                .strong { font-weight: 600 }
                .mid { text-anchor: middle } .end { text-anchor: end }
                .page { fill: #ffffff }
                .ahead { fill: #0969da } .even { fill: #8c959f } .behind { fill: #bc4c00 }
                .line { stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3 }
                @media (prefers-color-scheme: dark) {
                  text { fill: #e6edf3 }
                  .page { fill: #0d1117 }
                  .ahead { fill: #58a6ff } .even { fill: #6e7681 } .behind { fill: #f0883e }
                  .line { stroke: #9198a1 }
                }
              </style>
            """;
}
