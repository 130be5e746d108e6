package io.github.shardedid.generator;

import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.HomelessShardException;
import io.github.shardedid.topology.ShardMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many ids this process has made, by maker and by the database that has the shard. Ids are counted where they are made, by
 * shard; how many are new is looked up here when somebody asks, and put down to the database that has the shard then. So an id costs
 * nothing for it, and no figure ever falls, also if a shard moves. Safe for use by several threads.
 */
public final class IdStatistics {
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Cluster cluster;
    private final ReentrantLock looking = new ReentrantLock();
    private final List<Counted> counted = new ArrayList<>();
    private final List<JvmIdSource> jvmSources = new CopyOnWriteArrayList<>();
    private final Map<Maker, Map<String, Long>> byDatabase = new EnumMap<>(Maker.class);
    private long lookedAt;

    /** Who made an id. */
    public enum Maker {
        /** This process, under a lease. */
        JVM,

        /** The database in this process's place, as {@link FallbackReason} tells. */
        JVM_FALLBACK,

        /** The database, in blocks. */
        DATABASE
    }

    /** A source of ids, and what it had made by shard at the last look. */
    private static final class Counted {
        private final Maker maker;
        private final IdCount source;
        private final long[] seen;

        Counted(Maker maker, IdCount source, int shards) {
            this.maker = maker;
            this.source = source;
            this.seen = new long[shards];
        }
    }

    /**
     * Statistics without any source.
     *
     * @param cluster knows where shards are
     */
    public IdStatistics(Cluster cluster) {
        this.cluster = cluster;
        this.lookedAt = System.nanoTime() - BETWEEN_LOOKS;
        for (Maker maker : Maker.values()) {
            byDatabase.put(maker, new HashMap<>());
        }
    }

    /**
     * Counts the ids of a source, those that it has made already, too.
     *
     * @param source of the same cluster; kept for as long as these statistics are
     */
    public void count(JvmIdSource source) {
        jvmSources.add(source);
        count(Maker.JVM, source::addTo);
        count(Maker.JVM_FALLBACK, source.fallbacks());
    }

    /**
     * Counts the ids of a source, those that it has made already, too.
     *
     * @param source of the same cluster; kept for as long as these statistics are
     */
    public void count(DatabaseIdSource source) {
        count(Maker.DATABASE, source::addTo);
    }

    void count(Maker maker, IdCount source) {
        looking.lock();
        try {
            counted.add(new Counted(maker, source, cluster.shardCount()));
        } finally {
            looking.unlock();
        }
    }

    /**
     * How many ids were made. Ids that were reserved and not used are not counted, nor those that a column's default made.
     *
     * @param maker who made them
     * @param database the name of the database that had the shard when the ids were counted
     * @return 0 or more, as of some milliseconds ago at most; never less than before
     */
    public long made(Maker maker, String database) {
        looking.lock();
        try {
            if (System.nanoTime() - lookedAt >= BETWEEN_LOOKS) {
                ShardMap map = cluster.map().get();
                counted.forEach(each -> look(each, map));
                lookedAt = System.nanoTime();
            }
            Map<String, Long> made = byDatabase.get(maker);
            return made == null ? 0 : made.getOrDefault(database, 0L);
        } finally {
            looking.unlock();
        }
    }

    private void look(Counted source, ShardMap map) {
        long[] now = new long[source.seen.length];
        source.source.addTo(now);
        for (int shard = 0; shard < now.length; shard++) {
            long more = now[shard] - source.seen[shard];
            if (more > 0 && putDown(source.maker, shard, more, map)) {
                source.seen[shard] = now[shard];
            }
        }
    }

    /** Ids of a shard whose home is not known are counted when it is. */
    private boolean putDown(Maker maker, int shard, long more, ShardMap map) {
        Map<String, Long> made = byDatabase.get(maker);
        try {
            if (made != null) {
                made.merge(map.databaseOf(shard), more, Long::sum);
            }
            return true;
        } catch (HomelessShardException e) {
            return false;
        }
    }

    /**
     * How far ids that this process made are ahead of the clock of their database, as it was at the last grant plus what has passed
     * since.
     *
     * @return the most of all leases held; zero if no id is ahead
     */
    public Duration ahead() {
        return jvmSources.stream()
                .map(JvmIdSource::ahead)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
