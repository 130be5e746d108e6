package io.github.shardedid.boot.autoconfigure;

import static java.util.Map.entry;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.ThrowingConsumer;

/**
 * A command on rows, which needs their mappings: on those of one key, such as {@code --sharded-id.erase-rows=User:123}, or on the claims of unique values.
 * It logs its progress and a report.
 */
record RowsCommand(String property, String value, BeanFactory beans) {
    private static final Logger LOG = LoggerFactory.getLogger(RowsCommand.class);

    /** The commands on rows, by their names. */
    static final Map<String, ThrowingConsumer<RowsCommand>> COMMANDS = Map.ofEntries(
            entry("count-rows", command -> log(command.rows().count(command.entity(2), command.part(1, 2)))),
            entry("erase-rows", command -> log(command.rows().erase(command.entity(2), command.part(1, 2)))),
            entry("export-rows", command -> command.export(Path.of(command.part(2, 3)))),
            entry("restore-rows", command -> command.restore(Path.of(command.value))),
            entry("build-claims", command -> requireNone(command.claims("").build(LOG::info))),
            entry(
                    "check-claims",
                    command -> requireNone(command.claims("remove").check(command.value.equals("remove"), LOG::info))));

    /** Rows have no claims of their values, or have one value. */
    private static final class UnclaimedException extends ShardedIdException {
        private static final long serialVersionUID = 1L;

        UnclaimedException(String message) {
            super(message);
        }
    }

    void run() {
        Objects.requireNonNull(COMMANDS.get(property.substring("sharded-id.".length())))
                .throwing((message, e) -> new IllegalStateException(property + " failed: " + e.getMessage(), e))
                .accept(this);
    }

    private Class<?> entity(int parts) {
        return rows().entity(part(0, parts));
    }

    private KeyRows rows() {
        return beans.getBean(KeyRows.class);
    }

    private UniqueAcrossShards.Claims claims(String option) {
        UniqueAcrossShards.Claims claims =
                beans.getBeanProvider(UniqueAcrossShards.Claims.class).getIfAvailable();
        if (claims == null || !List.of("", option).contains(value)) {
            throw new ClusterConfigurationException(property + " cannot be \"" + value
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
            log(rows().export(entity(3), part(1, 3), out));
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
            throw new ClusterConfigurationException(property + " cannot be \"" + value
                    + "\". Write an entity, a colon and an id"
                    + (count == 2 ? ", such as User:123." : ", a colon and a file, such as User:123:rows.jsonl."));
        }
        return parts[index].strip();
    }

    private static void log(Report report) {
        report.lines().forEach(LOG::info);
    }
}
