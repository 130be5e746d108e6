package io.github.shardedid.attack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * What one thread of a worker was given, in the order in which it was given, one file per {@link Place}. An id is written
 * before it is used, by a system call: it outlives the process from then on. For one thread.
 */
final class Journal implements AutoCloseable {
    /** Id, then kind, how long ago the writer had begun to ask for it, and time of this machine; milliseconds both. */
    static final int RECORD = 2 * Long.BYTES;

    private static final int TIME_BITS = 42;
    private static final int AGO_BITS = 14;
    private static final long LONGEST_AGO = (1L << AGO_BITS) - 1;
    static final int HANDED = 1;
    static final int COMMITTED = 2;

    private final Path directory;
    private final int writer;
    private final Maker maker;
    private final Map<Place, FileChannel> files = new HashMap<>();
    private long begun = System.currentTimeMillis();

    Journal(Path directory, int writer, Maker maker) {
        this.directory = directory;
        this.writer = writer;
        this.maker = maker;
    }

    int writer() {
        return writer;
    }

    /**
     * What is handed out from now on is asked for from now on. A process that is stopped writes down an id long after the
     * database returned it.
     */
    void begin() {
        begun = System.currentTimeMillis();
    }

    /** These ids were handed out, in this order. */
    void handed(Place place, long... ids) throws IOException {
        write(HANDED, place, ids);
    }

    /** The database has acknowledged the commit of rows with these ids. */
    void committed(Place place, long... ids) throws IOException {
        write(COMMITTED, place, ids);
    }

    private void write(int kind, Place place, long... ids) throws IOException {
        ByteBuffer records = ByteBuffer.allocate(ids.length * RECORD);
        long now = System.currentTimeMillis();
        long ago = Math.min(LONGEST_AGO, Math.max(0, now - begun));
        long meta = (long) kind << (AGO_BITS + TIME_BITS) | ago << TIME_BITS | now;
        for (long id : ids) {
            records.putLong(id).putLong(meta);
        }
        records.flip();
        FileChannel file = file(place);
        while (records.hasRemaining()) {
            file.write(records);
        }
    }

    static long kind(long meta) {
        return meta >>> (AGO_BITS + TIME_BITS);
    }

    static long millis(long meta) {
        return meta & ((1L << TIME_BITS) - 1);
    }

    static long asked(long meta) {
        return millis(meta) - (meta >>> TIME_BITS & LONGEST_AGO);
    }

    private FileChannel file(Place place) throws IOException {
        FileChannel file = files.get(place);
        if (file == null) {
            Path path = directory.resolve(new JournalName(writer, maker, place).toString());
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            files.put(place, file);
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel file : files.values()) {
            file.close();
        }
    }
}
