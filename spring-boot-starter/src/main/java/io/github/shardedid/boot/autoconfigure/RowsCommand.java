package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/**
 * A command on rows, which needs their mappings: on those of one key, such as {@code --sharded-id.erase-rows=User:123}, or on the claims of unique values.
 * It logs its progress and a report.
 */
record RowsCommand(String property, String value, BeanFactory beans) {
    private static final Logger LOG = LoggerFactory.getLogger(RowsCommand.class);

    /** Rows have no claims of their values, or have one value. */
    private static final class UnclaimedException extends ShardedIdException {
        private static final long serialVersionUID = 1L;

        UnclaimedException(String message) {
            super(message);
        }
    }

    void run() {
        try {
            switch (property.substring("sharded-id.".length())) {
                case "count-rows" -> log(rows().count(rows().entity(part(0, 2)), part(1, 2)));
                case "erase-rows" -> log(rows().erase(rows().entity(part(0, 2)), part(1, 2)));
                case "export-rows" -> export(Path.of(part(2, 3)));
                case "restore-rows" -> restore(Path.of(value));
                case "build-claims" -> requireNone(claims("").build(LOG::info));
                case "check-claims" -> requireNone(claims("remove").check(value.equals("remove"), LOG::info));
                default -> throw new IllegalStateException(property);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(property + " failed: " + e.getMessage(), e);
        }
    }

    private KeyRows rows() {
        return beans.getBean(KeyRows.class);
    }

    private UniqueAcrossShards.Claims claims(String option) {
        UniqueAcrossShards.Claims claims =
                beans.getBeanProvider(UniqueAcrossShards.Claims.class).getIfAvailable();
        if (claims == null || !List.of("", option).contains(value)) {
            throw new ShardedIdPropertiesException(property + " cannot be \"" + value
                    + "\" here. It needs Hibernate, and has no value, but for --sharded-id.check-claims=remove.");
        }
        return claims;
    }

    private static void requireNone(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new UnclaimedException(String.join(System.lineSeparator(), problems) + System.lineSeparator()
                    + "Change or delete one row of each two with one value, in the application. Then run"
                    + " --sharded-id.build-claims, which claims the values of rows without a claim.");
        }
    }

    /** A file of that name is not overwritten. */
    private void export(Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW)) {
            log(rows().export(rows().entity(part(0, 3)), part(1, 3), out));
        }
    }

    /** Each export of the file is restored, or none of its rows. */
    private void restore(Path file) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (boolean more = true; more; in.reset()) {
                log(rows().restore(in));
                in.mark(1);
                more = in.read() >= 0;
            }
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
