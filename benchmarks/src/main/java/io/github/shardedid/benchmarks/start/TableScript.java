package io.github.shardedid.benchmarks.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A migration that creates a number of tables with an id, its sequence, another index, and a text. */
final class TableScript {
    private TableScript() {}

    static List<String> names(int tables) {
        return IntStream.range(0, tables).mapToObj(table -> "t" + table).toList();
    }

    /** Returns the directory, which is deleted when the process ends. */
    static Path write(int tables) throws IOException {
        return write(tables, TableScript::create);
    }

    /** The same for plain JPA. */
    static Path writePlain(int tables) throws IOException {
        return write(
                tables,
                table -> create(table).replace(" DEFAULT next_id('" + table + "_id_seq')", "") + "CREATE SEQUENCE "
                        + table + "_seq INCREMENT BY 50;\n");
    }

    private static Path write(int tables, UnaryOperator<String> create) throws IOException {
        Path directory = Files.createTempDirectory("capacity");
        Path script = Files.writeString(
                directory.resolve("V1__tables.sql"),
                names(tables).stream().map(create).collect(Collectors.joining("\n")));
        directory.toFile().deleteOnExit();
        script.toFile().deleteOnExit();
        return directory;
    }

    private static String create(String table) {
        return "CREATE SEQUENCE " + table + "_id_seq MINVALUE 0;\nCREATE TABLE " + table
                + " (id bigint PRIMARY KEY DEFAULT next_id('" + table
                + "_id_seq'), user_id bigint NOT NULL, caption text);\nCREATE INDEX ON " + table + " (user_id);\n";
    }
}
