package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import java.time.Instant;
import java.util.Arrays;

/** Many ids of one place, each with the number of its writer, as sorted numbers: time, sequence, writer. */
final class PackedIds {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT;
    private static final int WRITER_BITS = 16;
    private static final int SEQUENCE_BITS = 10;

    /** Enough for four years: ids of one attack differ in the lower bits of their time. */
    private static final int TIME_BITS = 37;

    private long[] values = new long[1024];
    private int size;

    void add(long id, int writer) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = pack(id, writer);
    }

    static long pack(long id, int writer) {
        if (writer >>> WRITER_BITS != 0) {
            throw new IllegalArgumentException("Too many writers: " + writer);
        }
        long time = (id >>> (SEQUENCE_BITS + LAYOUT.shardBits())) & ((1L << TIME_BITS) - 1);
        return (((time << SEQUENCE_BITS) | sequence(id)) << WRITER_BITS) | writer;
    }

    private static int sequence(long low) {
        return (int) low & ((1 << SEQUENCE_BITS) - 1);
    }

    /** Whether two packed ids are of one id. */
    static boolean sameId(long one, long other) {
        return one >>> WRITER_BITS == other >>> WRITER_BITS;
    }

    /** The id, which is of a time near to now. */
    static long unpack(long packed, int shard) {
        long now = LAYOUT.timestampOf(Instant.now());
        long turn = 1L << TIME_BITS;
        long time = packed >>> (WRITER_BITS + SEQUENCE_BITS);
        time += Math.floorDiv(now - time + turn / 2, turn) * turn;
        return LAYOUT.encode(time, shard, sequence(packed >>> WRITER_BITS));
    }

    /** Whether a JVM made the id, under a lease. */
    static boolean isOfJvm(long packed) {
        return sequence(packed >>> WRITER_BITS) >= LAYOUT.databaseSequences();
    }

    void sort() {
        Arrays.sort(values, 0, size);
    }

    int size() {
        return size;
    }

    long get(int index) {
        return values[index];
    }

    /** Where the first entry of an id is or would be, after {@link #sort}. */
    int indexOf(long packed) {
        int index = Arrays.binarySearch(values, 0, size, packed >>> WRITER_BITS << WRITER_BITS);
        return index < 0 ? -index - 1 : index;
    }

    boolean contains(long packed) {
        return Arrays.binarySearch(values, 0, size, packed) >= 0;
    }
}
