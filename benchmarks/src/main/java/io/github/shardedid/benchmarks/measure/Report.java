package io.github.shardedid.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The page of all figures, and the directory of the raw output. What a run did not measure stays as it was. */
public final class Report {
    private final Path page;
    private final Path directory;

    /** Nothing is written yet. */
    public Report(Path page, Path directory) {
        this.page = page;
        this.directory = directory;
    }

    /** How the begin of a part's figures is marked. */
    public static String begin(String part) {
        return "<!-- figures of " + part + ": written by the benchmarks -->\n";
    }

    private static String end(String part) {
        return "<!-- end of the figures of " + part + " -->";
    }

    /** Checks that the page has the markers of a part, before the measurement, which takes hours. */
    public void check(Part part) throws IOException {
        section(Files.readString(page), part.name());
    }

    /** Writes the figures of a part between its markers in the page. */
    public void write(Section section, String environment) throws IOException {
        Files.createDirectories(directory);
        String measuredOn = environment + section.peers() + "\n\n";
        String tables = measuredOn + section.tables();
        Files.writeString(directory.resolve(section.part() + ".txt"), section.raw() + "\n" + tables);
        Path drawings = Files.createDirectories(page.resolveSibling("drawings"));
        for (Map.Entry<String, String> drawing : section.drawings().entrySet()) {
            Files.writeString(drawings.resolve(drawing.getKey()), drawing.getValue());
        }
        String text = Files.readString(page);
        int[] range = section(text, section.part());
        Files.writeString(page, text.substring(0, range[0]) + tables + text.substring(range[1]));
    }

    private int[] section(String text, String part) throws IOException {
        int begin = text.indexOf(begin(part));
        int end = text.indexOf(end(part));
        if (begin < 0 || end < begin) {
            throw new IOException("The page " + page + " has no lines '"
                    + begin(part).strip() + "' and '" + end(part) + "', between which the figures of " + part + " go");
        }
        return new int[] {begin + begin(part).length(), end};
    }
}
