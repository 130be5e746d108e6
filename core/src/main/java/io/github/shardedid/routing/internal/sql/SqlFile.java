package io.github.shardedid.routing.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Reads the queries of the catalogs, which are files beside the classes that send them, so that they can be tried in {@code psql}. */
public final class SqlFile {
    private SqlFile() {}

    /**
     * Returns the text of a file.
     *
     * @param beside a class of the package that has the file
     */
    public static String read(Class<?> beside, String file) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
