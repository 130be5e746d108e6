package io.github.shardedid.test.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables of {@code docs/features.md} that are the matrix: a section's rows, and for each the word in each column. */
public final class FeaturesPage {
    private static final Path PAGE = Path.of("docs", "features.md");
    private static final String NO_TRANSACTION = "no transaction";

    private FeaturesPage() {}

    /** The rows under a heading, by operation: a row lists those with the same outcomes, separated by semicolons. */
    static Map<String, Row> section(String heading) {
        Map<String, Row> rows = new LinkedHashMap<>();
        List<String> columns = List.of();
        boolean within = false;
        for (String line : text().lines().toList()) {
            if (line.startsWith("#")) {
                within = line.replaceFirst("#+ ", "").equals(heading);
            } else if (within && line.startsWith("| ")) {
                List<String> cells = cells(line);
                if (columns.isEmpty()) {
                    columns = cells;
                } else {
                    Row row = new Row(asMap(columns, cells));
                    List.of(cells.get(0).split("; ", -1)).forEach(operation -> rows.put(operation, row));
                }
            }
        }
        return rows;
    }

    /** Returns the whole page. A module's tests run in its directory, which is one or two levels below the project. */
    public static String text() {
        Path parent = Path.of("..");
        try {
            return Files.readString(
                    Files.exists(parent.resolve(PAGE))
                            ? parent.resolve(PAGE)
                            : parent.resolve("..").resolve(PAGE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> cells(String line) {
        return List.of(line.substring(2, line.lastIndexOf(" |")).split(" \\| ", -1));
    }

    private static Map<String, String> asMap(List<String> columns, List<String> cells) {
        Map<String, String> words = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            words.put(columns.get(i), cells.get(i));
        }
        return words;
    }

    /** A row: column → word. */
    record Row(Map<String, String> words) {
        /** What is to come of it. Without a transaction, what works within one may be refused. */
        Outcome expected(Situation situation, boolean transaction) {
            Outcome within = Outcome.of(word(situation));
            boolean same = transaction || !isOtherwise() || within == Outcome.ABSENT || within.exception() != null;
            return same ? within : Outcome.of(word(NO_TRANSACTION));
        }

        /** What may come of it as well: two things are wrong, and either may be noticed first. */
        Outcome or(Situation situation, boolean transaction) {
            Outcome expected = expected(situation, transaction);
            return transaction || !isOtherwise() || expected.exception() == null
                    ? expected
                    : Outcome.of(word(NO_TRANSACTION));
        }

        boolean isAbsent(Situation situation) {
            return Outcome.of(word(situation)) == Outcome.ABSENT;
        }

        private boolean isOtherwise() {
            return !word(NO_TRANSACTION).equals("same");
        }

        /** Where the database of the shard written before matters, the page says what comes of it on the same / on the other. */
        private String word(Situation situation) {
            String[] words = word(situation.column()).split(" / ", -1);
            return words[situation == Situation.WROTE_ELSEWHERE ? words.length - 1 : 0];
        }

        private String word(String column) {
            String word = words.get(column);
            if (word == null) {
                throw new AssertionError("The page has no column “" + column + "”");
            }
            return word;
        }
    }
}
