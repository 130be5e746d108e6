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
 * The names that the catalogs of the databases have. Safe for use by several threads.
 *
 * <p>Whether a statement needs its search path, and whether a function writes, depends on objects of the
 * application. To ask for each statement would be a round trip. So the catalogs are read as a whole, and what
 * they say is used for all databases together:
 *
 * <ol>
 *   <li>A catalog is read with the first session of its database, in the round trip that each new session needs
 *       anyway, and again with a new one after a minute.
 *   <li>It is read before a statement that relies on it, after a statement over this data source has defined
 *       objects, or has failed for want of one.
 *   <li>What others define meanwhile is not known until then.
 * </ol>
 */
public final class NameCatalogs {
    /** The age from which a new session reads the catalog again. */
    private static final long YOUNG = TimeUnit.MINUTES.toNanos(1);

    /**
     * The age up to which a catalog is not read again for want of an object: a misspelt name must not have it
     * read for each statement.
     */
    private static final long VERY_YOUNG = TimeUnit.SECONDS.toNanos(10);

    private final String sql;
    private final ReentrantLock lock = new ReentrantLock();
    /** The catalogs that were read, by the name of the database, or of its replica. */
    private final Map<String, Read> read = new ConcurrentHashMap<>();

    /**
     * The names of all databases together, replaced as a whole when one of them has changed. Unchanged, it
     * stays the same object, so that verdicts of texts stay valid.
     */
    private volatile KnownNames known = KnownNames.NONE;

    /** The names of one database, and whether they are to be read again. */
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

    /** Returns what is known now of all databases together. */
    public KnownNames known() {
        return known;
    }

    /** Returns whether nothing has been read from a database. */
    public boolean isUnread(String database) {
        return !read.containsKey(database);
    }

    /** Returns whether nothing has been read from a database, or it has changed since. */
    public boolean isOutdated(String database) {
        Read last = read.get(database);
        return last == null || last.outdated;
    }

    /** Notes that objects were defined, or dropped. */
    public void changed(String database) {
        Read last = read.get(database);
        if (last != null) {
            last.outdated = true;
        }
    }

    /**
     * Notes that a statement has failed for want of an object, which may be one that was defined by others, or
     * misspelt.
     */
    public void missed(String database) {
        Read last = read.get(database);
        if (last != null && last.isOlderThan(VERY_YOUNG)) {
            last.outdated = true;
        }
    }

    /** Reads a catalog, in one round trip. */
    public void refresh(String database, Connection connection) throws SQLException {
        long start = System.nanoTime();
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            put(database, statement, start);
        }
    }

    /**
     * Returns the text that a new session asks together with its first question; empty if the catalog need not
     * be read.
     */
    String question(String database) {
        Read last = read.get(database);
        return last == null || last.outdated || last.isOlderThan(YOUNG) ? "; " + sql : "";
    }

    /**
     * Takes the answer of a catalog.
     *
     * @param statement at the first result of what was asked
     * @param start when it was asked for, of {@code System.nanoTime}: what was defined later may be missing
     */
    void put(String database, Statement statement, long start) throws SQLException {
        statement.getMoreResults();
        Read now;
        try (ResultSet rows = statement.getResultSet()) {
            now = new Read(NamesQuery.read(rows), start);
        }
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
