package io.github.shardedid.attack;

import io.github.shardedid.generator.IdSequence;
import io.github.shardedid.generator.IdSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A source that is watched over all threads: an id must be larger than all that were returned before it was asked for. */
final class OrderedSource implements IdSource {
    private static final String SUFFIX = ".disorder";

    private final IdSource source;
    private final Path complaints;
    private final ConcurrentHashMap<Sequence, AtomicLong> highest = new ConcurrentHashMap<>();

    OrderedSource(IdSource source, Path directory, int writer, Maker maker) {
        this.source = source;
        this.complaints = directory.resolve(writer + "." + maker + SUFFIX);
    }

    /** Whether a file holds complaints about a way of making ids. */
    static boolean complains(String file, Maker maker) {
        return file.endsWith("." + maker + SUFFIX);
    }

    @Override
    public long next(int shard, String sequence, Connection connection) throws SQLException {
        AtomicLong last = highest.computeIfAbsent(new Sequence(shard, sequence), place -> new AtomicLong(-1));
        long before = last.get();
        long id = source.next(shard, sequence, connection);
        if (id <= before) {
            complain(shard + " " + sequence + ": " + id + " after " + before);
        }
        last.accumulateAndGet(id, Math::max);
        return id;
    }

    @Override
    public IdSequence sequence(String name) {
        return (shard, connection) -> next(shard, name, connection);
    }

    private void complain(String what) throws SQLException {
        try {
            Files.writeString(complaints, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new SQLException(e);
        }
    }

    private record Sequence(int shard, String name) {}
}
