package io.github.shardedid.benchmarks.jvmid;

import io.github.shardedid.benchmarks.measure.Allocation;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The bytes that a thread allocates for ids, after enough calls for JIT compilation. */
public final class JvmIdAllocation {
    /** Prevents the compiler from removing the allocation of ids that are objects. */
    private static volatile @Nullable UUID kept;

    private JvmIdAllocation() {}

    /** How many bytes this thread allocates for so many ids of one shard. */
    public static long ours(Database database, int ids) throws Exception {
        try (LeasedIds leased = new LeasedIds(database.url(), ShardedDatabases.WIDE, 1)) {
            long first = leased.next(0);
            return Allocation.by(() -> {
                long last = first;
                for (int i = 0; i < ids; i++) {
                    long id = leased.next(0);
                    if (id <= last) {
                        throw new IllegalStateException("The id " + id + " came after " + last);
                    }
                    last = id;
                }
            });
        }
    }

    /** Notes what each way allocates. */
    static void note(Section section, Database database, int ids) throws Exception {
        section.other(
                "bytes allocated by " + ids + " JVM ids, and by reading that counter", "0", ours(database, ids) + "");
        PeerIdBenchmark peers = new PeerIdBenchmark();
        note(section, JvmWay.TSID, ids, peers::tsid);
        note(section, JvmWay.TSID_CREATOR, ids, peers::tsidCreator);
        note(section, JvmWay.SNOWFLAKE, ids, peers::cosIdSnowflake);
        note(section, JvmWay.SEGMENTS, ids, peers::cosIdSegments);
        note(section, JvmWay.UUID4, ids, () -> keep(peers.uuid4()));
        note(section, JvmWay.UUID7, ids, () -> keep(peers.uuid7()));
    }

    private static long keep(UUID made) {
        if (made.equals(kept)) {
            throw new IllegalStateException("The id " + made + " came twice");
        }
        kept = made;
        return made.getLeastSignificantBits();
    }

    private static void note(Section section, JvmWay way, int ids, LongSupplier maker) throws Exception {
        make(maker, ids);
        double bytes = (double) Allocation.by(() -> make(maker, ids)) / ids;
        section.other("bytes allocated per id by " + way.label(), "–", String.format(Locale.ROOT, "%.1f", bytes));
    }

    private static void make(LongSupplier maker, int ids) {
        long last = maker.getAsLong();
        for (int i = 0; i < ids; i++) {
            long made = maker.getAsLong();
            if (made == last) {
                throw new IllegalStateException("The id " + made + " came twice");
            }
            last = made;
        }
    }
}
