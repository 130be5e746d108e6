package io.github.shardedid.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one thread does while shards move, a line each: what it is about to write, what it was told is committed, how long each
 * call took, and what failed. Written by system calls: a line outlives the process. For one thread.
 */
final class Deeds {
    static final String SUFFIX = ".deeds";
    private static final int TOKENS = 32;

    private final FileChannel file;
    private final long writer;
    private long tokens;

    Deeds(Path directory, int writer) {
        this.writer = writer;
        try {
            file = FileChannel.open(
                    directory.resolve(writer + SUFFIX), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A number that no other row has, in no table. */
    long token() {
        return (writer + 1) << TOKENS | ++tokens;
    }

    void tries(String table, List<Long> some) {
        if (!some.isEmpty()) {
            line(Deed.Kind.TRIES, table, some);
        }
    }

    void wrote(String table, long token, long id) {
        line(Deed.Kind.WROTE, table, List.of(token, id));
    }

    void triesVersion(long holder, int version) {
        line(Deed.Kind.TRIES_VERSION, "holder", List.of(holder, (long) version));
    }

    void wroteVersion(long holder, int version) {
        line(Deed.Kind.WROTE_VERSION, "holder", List.of(holder, (long) version));
    }

    /** A call that wrote to a shard, or read of it. */
    void took(boolean write, int shard, long startNanos) {
        long nanos = System.nanoTime() - startNanos;
        line(
                write ? Deed.Kind.WRITE : Deed.Kind.READ,
                "call",
                List.of((long) shard, System.currentTimeMillis(), nanos / 1000));
    }

    /** Something was read that is not as it was written. */
    void wrong(@Nullable String what) {
        write(Deed.Kind.WRONG + " call " + what);
    }

    /** A call has failed. */
    void failed(String what) {
        write(Deed.Kind.FAILED + " call " + what.replaceAll("\\s+", " "));
    }

    /** A call was refused, as calls may be. */
    void refused(Exception by) {
        write(Deed.Kind.REFUSED + " call " + by.getClass().getSimpleName());
    }

    private void line(Deed.Kind kind, String table, List<Long> numbers) {
        StringBuilder line = new StringBuilder(kind + " " + table);
        numbers.forEach(number -> line.append(' ').append(number));
        write(line.toString());
    }

    private void write(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
