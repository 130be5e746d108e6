package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command for the rows of one key, such as {@code --sharded-id.erase-rows=User:123}. It logs a report. */
record KeyRowsCommand(String property, String value, KeyRows rows) {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRowsCommand.class);

    void run() {
        try {
            switch (property.substring("sharded-id.".length())) {
                case "count-rows" -> log(rows.count(rows.entity(part(0, 2)), part(1, 2)));
                case "erase-rows" -> log(rows.erase(rows.entity(part(0, 2)), part(1, 2)));
                case "export-rows" -> export(Path.of(part(2, 3)));
                case "restore-rows" -> restore(Path.of(value));
                default -> throw new IllegalStateException(property);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(property + " failed: " + e.getMessage(), e);
        }
    }

    /** A file of that name is not overwritten. */
    private void export(Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW)) {
            log(rows.export(rows.entity(part(0, 3)), part(1, 3), out));
        }
    }

    private void restore(Path file) throws IOException {
        try (Reader in = Files.newBufferedReader(file)) {
            log(rows.restore(in));
        }
    }

    /** A part of a value such as {@code User:123:rows.jsonl}. */
    private String part(int index, int count) {
        String[] parts = value.split(":", count);
        if (parts.length < count || parts[index].isBlank()) {
            throw new ShardedIdPropertiesException(property + " cannot be \"" + value
                    + "\". Write an entity, a colon and an id"
                    + (count == 2 ? ", such as User:123." : ", a colon and a file, such as User:123:rows.jsonl."));
        }
        return parts[index].strip();
    }

    private static void log(Report report) {
        report.lines().forEach(LOG::info);
    }
}
