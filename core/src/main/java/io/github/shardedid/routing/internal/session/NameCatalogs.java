package io.github.shardedid.routing.internal.session;

import io.github.shardedid.routing.internal.sql.KnownNames;
import io.github.shardedid.routing.internal.sql.KnownNames.Kind;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The names that the catalogs of the databases have. A catalog is read with the first session of its database, and again with a new
 * one after a minute; also before a statement that relies on it, after one that has defined objects over this data source, or has failed
 * for want of one. What others define meanwhile is not known until then. Safe for use by several threads.
 */
public final class NameCatalogs {
    private static final long YOUNG = TimeUnit.MINUTES.toNanos(1);

    private static final long VERY_YOUNG = TimeUnit.SECONDS.toNanos(10);

    private final String sql;
    private final ReentrantLock lock = new ReentrantLock();
    /** By the name of the database, or of its replica. */
    private final Map<String, Read> read = new ConcurrentHashMap<>();

    private volatile KnownNames known = KnownNames.NONE;

    /** What was read, and whether it is to be read again. */
    private static final class Read {
        final Map<Kind, Set<String>> names;
        final long since;
        volatile boolean outdated;

        Read(Map<Kind, Set<String>> names, long since) {
            this.names = names;
            this.since = since;
        }

        boolean isOlderThan(long nanos) {
            return System.nanoTime() - since > nanos;
        }
    }

    NameCatalogs(CommonSchemas common) {
        this.sql = NamesQuery.sql(common);
    }

    /** What is known now of all databases together. */
    public KnownNames known() {
        return known;
    }

    /** Whether nothing has been read from a database. */
    public boolean isUnread(String database) {
        return !read.containsKey(database);
    }

    /** Whether nothing has been read from a database, or it has changed since. */
    public boolean isOutdated(String database) {
        Read last = read.get(database);
        return last == null || last.outdated;
    }

    /** Objects were defined, or dropped. */
    public void changed(String database) {
        Read last = read.get(database);
        if (last != null) {
            last.outdated = true;
        }
    }

    /** A statement has failed for want of an object, which may be one that was defined by others, or misspelt. */
    public void missed(String database) {
        Read last = read.get(database);
        if (last != null && last.isOlderThan(VERY_YOUNG)) {
            last.outdated = true;
        }
    }

    /** Reads a catalog: one round trip. */
    public void refresh(String database, Connection connection) throws SQLException {
        long start = System.nanoTime();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            put(database, rows, start);
        }
    }

    /** What a new session asks together with its first question; empty if the catalog need not be read. */
    String question(String database) {
        Read last = read.get(database);
        return last == null || last.outdated || last.isOlderThan(YOUNG) ? "; " + sql : "";
    }

    void put(String database, ResultSet rows, long start) throws SQLException {
        Read now = new Read(NamesQuery.read(rows), start);
        lock.lock();
        try {
            Read before = read.put(database, now);
            if (before == null || !before.names.equals(now.names)) {
                known = new KnownNames(
                        read.values().stream().map(each -> each.names).toList());
            }
        } finally {
            lock.unlock();
        }
    }
}
