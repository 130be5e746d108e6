package io.github.shardedid.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A line of {@link Deeds}. */
record Deed(Kind kind, String table, List<Long> numbers, String text) {
    enum Kind {
        /** Tokens of rows that are about to be written. */
        TRIES,
        /** Token and id of a row that is committed. */
        WROTE,
        /** A holder and the version that it is about to get. */
        TRIES_VERSION,
        /** A holder and the version that it has. */
        WROTE_VERSION,
        /** Shard, time at the end in ms, duration in microseconds. */
        WRITE,
        /** The same of a read. */
        READ,
        /** What was read, and how it differs from what was written. */
        WRONG,
        /** The causes of a call's failure. */
        FAILED,
        /** The exception by which a call was refused, as it may be. */
        REFUSED
    }

    private static final Set<Kind> TEXTS = EnumSet.of(Kind.WRONG, Kind.FAILED, Kind.REFUSED);

    /** All lines of all files; the last one of a killed process may be cut off. */
    static void readAll(Path directory, Consumer<Deed> deeds) {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(Deeds.SUFFIX)).toList()) {
                String all = Files.readString(file);
                all.substring(0, all.lastIndexOf('\n') + 1).lines().forEach(line -> deeds.accept(parse(line)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Deed parse(String line) {
        List<String> words = List.of(line.split(" ", 3));
        Kind kind = Kind.valueOf(words.get(0));
        List<Long> numbers = TEXTS.contains(kind)
                ? List.of()
                : Arrays.stream(words.get(2).split(" ")).map(Long::valueOf).toList();
        return new Deed(kind, words.get(1), numbers, words.get(2));
    }
}
