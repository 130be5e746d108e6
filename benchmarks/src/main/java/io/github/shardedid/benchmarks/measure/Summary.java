package io.github.shardedid.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of the page: the figures that decide, each copied from a row in the tables of a part. */
final class Summary {
    private static final Pattern CELL = Pattern.compile("\\{([0-9]+)}");

    private static final List<Line> LINES = List.of(
            wait("find by id ÷ plain JPA", "find by id | plain JPA"),
            wait("find by id ÷ ShardingSphere-JDBC", "find by id | ShardingSphere-JDBC"),
            wait("save, id of the JVM, ÷ plain JPA", "save, id of the JVM |"),
            wait("200 threads: find two, update one, ÷ plain JPA", "200 threads"),
            wait("newest 20 rows of 64 shards ÷ one table", "newest 20 of 64 shards"),
            ratio("find by id ÷ plain JPA", "find", "find by id in a transaction ÷"),
            ratio(
                    "1,000 saves, ids of the JVM, ÷ a pooled sequence",
                    "save",
                    "1,000 entities saved, strategy `JVM`, ÷"),
            ratio("find by id, 2,000 shards ÷ 2", "scale", "find by id in a transaction 2000 shards ÷"),
            ratio(
                    "save, id of the database, 2,000 shards ÷ 2",
                    "scale",
                    "save of an entity, id of the database, 2000 shards ÷"),
            ratio("newest 20 rows of 2,000 shards ÷ one table", "queries-many", "newest 20 of 2000 shards"),
            ratio("id of the JVM, 1 thread, ÷ the best TSID", "jvm", "one JVM id, 1 thread, one hot shard, ÷ the best"),
            ratio(
                    "`next_id` once in 1.3 ms ÷ Instagram's function",
                    "next_id",
                    "one id, isolated: calls in the server"),
            new Line(
                    "primary key's index ÷ UUIDv7's, bytes per row",
                    "index",
                    "bytes of the primary key",
                    "{1} ÷ {5}",
                    "–"),
            other("pause of writes in a move, median, longest", "move", "pause of writes"),
            other("longest write of 20 moves (other shards); failed calls", "move", "longest write"),
            other("move of a shard ÷ `pg_dump \\| psql`", "dump", "move of a shard ÷"),
            new Line("start with 2,000 shards (2 shards; plain JPA), s", "start", "start, s", "{4} ({2}; {1})", "–"),
            other("start, 1,000 shards × 20 tables, beyond plain JPA", "start", "start of 1000 shards"),
            new Line("heap with 2,000 shards (2 shards; plain JPA), MB", "start", "heap in use", "{4} ({2}; {1})", "–"),
            other(
                    "backend after inserts into 2,000 shards × 5 tables (before)",
                    "memory",
                    "memory of a backend that has inserted into 2000 shards × 5"));

    private Summary() {}

    /**
     * A line of the table.
     *
     * @param row how the row begins
     * @param measured the figure, with numbers of the row's cells in braces
     * @param goal the goal, in the same form
     */
    private record Line(String what, String part, String row, String measured, String goal) {
        String of(Path directory) throws IOException {
            Path file = directory.resolve(part + ".md");
            String[] cells = Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith("| " + row))
                    .findFirst()
                    .orElseThrow(() -> new IOException("No table of " + file + " has a row that begins with: " + row))
                    .substring(2)
                    .split(" \\| ?", -1);
            return "| " + what + " | " + filled(measured, cells) + " | " + filled(goal, cells) + " | [" + part
                    + "](benchmarks/" + part + ".md) |\n";
        }

        private static String filled(String template, String[] cells) {
            return CELL.matcher(template)
                    .replaceAll(cell -> Matcher.quoteReplacement(cells[Integer.parseInt(cell.group(1))]))
                    .replace("**", "");
        }
    }

    private static Line wait(String what, String row) {
        return new Line(what + ", 0.5 ms away", "wait", row, "{4}", "{6}");
    }

    private static Line ratio(String what, String part, String row) {
        return new Line(what, part, row, "{2} ({4}, {5})", "{1}, {6}");
    }

    private static Line other(String what, String part, String row) {
        return new Line(what, part, row, "{2}", "{1}");
    }

    /** Returns the table, whose figures are those of the files in a directory. */
    static String of(Path directory) throws IOException {
        StringBuilder table = new StringBuilder("| what | measured | goal | all |\n|---|---|---|---|\n");
        for (Line line : LINES) {
            table.append(line.of(directory));
        }
        return table.toString();
    }
}
