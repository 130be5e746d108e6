package io.github.shardedid.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The page of the figures, a file of tables for each part in the directory {@code benchmarks} beside it, and the
 * directory of the raw output. What a run did not measure stays as it was.
 */
public final class Report {
    private final Path page;
    private final Path raw;

    /** Nothing is written yet. */
    public Report(Path page, Path raw) {
        this.page = page;
        this.raw = raw;
    }

    /** Returns how the begin of a part's figures is marked. */
    public static String begin(String part) {
        return "<!-- figures of " + part + ": written by the benchmarks -->\n";
    }

    private static String end(String part) {
        return "<!-- end of the figures of " + part + " -->";
    }

    /** Returns the file with the tables of a part. */
    public Path tables(String part) {
        return tables().resolve(part + ".md");
    }

    private Path tables() {
        return page.resolveSibling("benchmarks");
    }

    /** Checks that the file of a part has its markers, before the measurement, which takes hours. */
    public void check(Part part) throws IOException {
        range(tables(part.name()), part.name());
    }

    /** Writes the figures of a part between the markers of its file. */
    public void write(Section section, String environment) throws IOException {
        Files.createDirectories(raw);
        String measuredOn = environment + section.peers() + "\n\n";
        String tables = measuredOn + section.tables();
        Files.writeString(raw.resolve(section.part() + ".txt"), section.raw() + "\n" + tables);
        Path drawings = Files.createDirectories(page.resolveSibling("drawings"));
        for (Map.Entry<String, String> drawing : section.drawings().entrySet()) {
            Files.writeString(drawings.resolve(drawing.getKey()), drawing.getValue());
        }
        replace(tables(section.part()), section.part(), tables);
    }

    /** Writes the table of the page, from the files of all parts. */
    public void summarize() throws IOException {
        replace(page, "summary", Summary.of(tables()));
    }

    private static void replace(Path file, String part, String tables) throws IOException {
        int[] range = range(file, part);
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, range[0]) + tables + text.substring(range[1]));
    }

    private static int[] range(Path file, String part) throws IOException {
        String text = Files.readString(file);
        int begin = text.indexOf(begin(part));
        int end = text.indexOf(end(part));
        if (begin < 0 || end < begin) {
            throw new IOException("The page " + file + " has no lines '"
                    + begin(part).strip() + "' and '" + end(part) + "', between which the figures of " + part + " go");
        }
        return new int[] {begin + begin(part).length(), end};
    }
}
