package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Where shards are that may be on their way from one database to another: who can wait waits until they have arrived. Safe for
 * use by several threads.
 */
final class Homes {
    /**
     * What PostgreSQL says where a shard's schema has another name by now: no such table, schema, function or type; and what the
     * triggers on the copies of a shard say.
     */
    private static final Set<String> LEFT = Set.of("42P01", "3F000", "42883", "42704", "ID002");

    private static final String COPY = "ID002";

    /** Of a statement that may take as long as it wants. */
    static final long NO_TIMEOUT = Long.MAX_VALUE;

    /** Whoever waits asks so often by itself: perhaps nobody listens to what the databases notify. */
    private static final long BETWEEN_QUESTIONS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Databases databases;
    private final CurrentShardMap map;
    private final long longestWait;
    private final long mapAge;
    private final RoutingListener listener;

    Homes(Databases databases, CurrentShardMap map, RoutingOptions options) {
        this.databases = databases;
        this.map = map;
        this.longestWait = options.fenceWait().toNanos();
        this.mapAge = options.mapAge().toNanos();
        this.listener = options.listener();
    }

    /** What one execution of a statement has gone through because its shard was not where it was sent. */
    final class Search {
        private final long begun;
        private final long most;
        /** Whether the statement's own timeout is what ends it. */
        private final boolean timed;
        /** The version of the map by which it was sent to the same database again. */
        private long repeatedAt;

        Search(boolean overdue, long timeout) {
            this.begun = System.nanoTime() - (overdue ? longestWait : 0);
            this.timed = timeout < longestWait;
            this.most = timed ? timeout : longestWait;
        }

        boolean isOver() {
            return left() <= 0;
        }

        private long left() {
            return most - (System.nanoTime() - begun);
        }

        /** Something may be sent once more to where it has failed: perhaps the move was given up meanwhile. */
        void requireFirst(SQLException failure) throws SQLException {
            long version = map.version();
            if (repeatedAt == version || (repeatedAt > 0 && isOver())) {
                throw failure;
            }
            repeatedAt = version;
        }
    }

    /**
     * A new one.
     *
     * @param overdue whether the statement has waited long enough before, so that it is over at once
     * @param timeout the statement's own, in nanoseconds, or {@link #NO_TIMEOUT}; it counts if it is less than the longest wait
     */
    Search search(boolean overdue, long timeout) {
        return new Search(overdue, timeout);
    }

    /**
     * Before anything is sent by the map: one that nobody has asked about for long may be so old that a database which it names as
     * a shard's home has lost the shard since, and is just being given a new copy of it.
     */
    void requireYoungMap() {
        if (!map.isRefreshedSince(System.nanoTime() - mapAge)) {
            map.refreshSince(System.nanoTime());
        }
    }

    /** Whether a statement for a place may go to a database at once, as far as is known. */
    boolean isServed(int place, String database) {
        return place == Place.GLOBAL || map.get().isServedBy(place, database);
    }

    /** Whether any home of a place is known. */
    boolean isKnown(int place) {
        return place == Place.GLOBAL || map.get().generationOf(place) > 0;
    }

    /** Whether a statement for a place had better wait. */
    boolean isFenced(int place) {
        return place != Place.GLOBAL && map.get().isFenced(place);
    }

    /** Whether a failure is what a statement meets at a home that its shard has left. */
    static boolean mayBeLeft(int place, SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return place != Place.GLOBAL && (LEFT.contains(state) || isOfEndedSequence(state, failure));
    }

    /** A call that has waited for the fence has its sequence at hand, whatever the schema is called by now: the fence has ended it. */
    private static boolean isOfEndedSequence(String state, SQLException failure) {
        if (state.equals("22003") && failure instanceof PSQLException said) {
            ServerErrorMessage message = said.getServerErrorMessage();
            return message != null && "do_setval".equals(message.getRoutine());
        }
        return state.equals("2200H");
    }

    /** Waits for a shard that is on its way, until it has arrived or the longest wait is over. */
    Outcome await(int shard, long timeout) throws SQLException {
        return await(shard, databases.databaseOf(shard), search(false, timeout));
    }

    /** Has a map that was asked for at an instant or later. */
    void askSince(long nanos) {
        map.refreshSince(nanos);
    }

    /**
     * Waits until some home serves a shard.
     *
     * @throws SQLTimeoutException if the statement's own timeout is over before
     */
    Outcome await(int shard, String before, Search search) throws SQLException {
        return await(shard, before, search, null);
    }

    private Outcome await(int shard, String before, Search search, @Nullable SQLException failure) throws SQLException {
        Outcome outcome = databases.executions().await(shard, before, () -> waited(shard, before, search));
        if (outcome == Outcome.TIMED_OUT && search.timed) {
            throw timedOut(shard, before, search, failure);
        }
        return outcome;
    }

    private static SQLTimeoutException timedOut(
            int shard, String database, Search search, @Nullable SQLException failure) {
        return new SQLTimeoutException(
                "Shard " + shard + " is on its way from database " + database + " to another one, and has not arrived"
                        + " within the " + TimeUnit.NANOSECONDS.toMillis(search.most)
                        + " ms that the statement's timeout allows. Nothing of the statement was done. Run its"
                        + " transaction again, or give it more time.",
                "57014",
                failure);
    }

    private Outcome waited(int shard, String before, Search search) throws SQLException {
        while (true) {
            long version = map.version();
            Outcome now = outcome(map.get(), shard, before);
            if (now != null) {
                return now;
            }
            databases.requireConfigured(shard, before, map.get().successorOf(shard));
            databases.requireOwned(shard);
            long left = search.left();
            if (left <= 0) {
                return Outcome.TIMED_OUT;
            }
            if (!changes(version, Math.min(left, BETWEEN_QUESTIONS))) {
                map.refreshSince(System.nanoTime() - BETWEEN_QUESTIONS);
            }
        }
    }

    private boolean changes(long version, long nanos) throws SQLException {
        try {
            return map.awaitChange(version, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException(
                    "The thread was interrupted while its statement waited for a shard that is on its way to another"
                            + " database. Nothing was sent.",
                    "57014",
                    e);
        }
    }

    /** Null while it is on its way. */
    private @Nullable Outcome outcome(ShardMap now, int shard, String before) {
        if (now.isServedBy(shard, before)) {
            return Outcome.STAYED;
        }
        if (!now.isFenced(shard) && now.generationOf(shard) > 0) {
            return Outcome.MOVED;
        }
        return null;
    }

    /**
     * After a statement has failed on a database for the want of its shard, and nothing of it stays: asks where the shard is, and
     * waits until it is somewhere.
     *
     * @throws SQLException if it cannot be repeated: the failure itself, if it has to do with no move
     */
    void find(int shard, String database, Search search, SQLException failure) throws SQLException {
        if (!ask(database, search)) {
            if (search.timed) {
                throw timedOut(shard, database, search, failure);
            }
            throw refused(shard, database, "may have moved, which cannot be found out", failure);
        }
        if (!map.get().isServedBy(shard, database) && await(shard, database, search, failure) == Outcome.TIMED_OUT) {
            throw refused(shard, database, "is on its way to another database for longer than is waited", failure);
        }
        String home = databases.databaseOf(shard);
        if (home.equals(database)) {
            search.requireFirst(failure);
        } else if (search.isOver()) {
            throw refused(shard, database, "moves again and again", failure);
        }
        listener.repeated(shard, database, home);
    }

    /** Asks where shards are until a database that should know has answered, and the answers make a map. */
    private boolean ask(String database, Search search) throws SQLException {
        map.refreshSince(System.nanoTime());
        while (!isCertain(database) && !search.isOver()) {
            changes(map.version(), Math.min(search.left(), BETWEEN_QUESTIONS));
            map.refreshSince(System.nanoTime() - BETWEEN_QUESTIONS);
        }
        return isCertain(database);
    }

    private boolean isCertain(String database) {
        return map.lastFailure() == null && !map.get().unreachableDatabases().contains(database);
    }

    /** What to throw for a statement that cannot be repeated, as more than itself has failed, or its values are gone. */
    SQLException unrepeatable(int shard, String database, SQLException failure) {
        map.refreshSince(System.nanoTime());
        boolean quiet = isCertain(database)
                && map.get().isServedBy(shard, database)
                && map.isUnchangedSince(System.nanoTime() - longestWait)
                && !COPY.equals(failure.getSQLState());
        return quiet ? failure : refused(shard, database, "has moved, or is about to", failure);
    }

    private ShardMovedException refused(int shard, String database, String what, SQLException failure) {
        listener.refused(shard, database);
        String home = serving(shard, database);
        String noMap = map.lastFailure();
        return new ShardMovedException(
                "Shard " + shard + " " + what + "; a statement for it has failed on database " + database
                        + (home == null ? "" : ", its home is " + home + " now")
                        + ": " + failure.getMessage()
                        + (noMap == null ? "" : ". No new shard map could be made: " + noMap)
                        + ". Nothing of this transaction stays. Run it again, as a whole.",
                shard,
                database,
                home,
                failure);
    }

    private @Nullable String serving(int shard, String but) {
        try {
            String home = databases.databaseOf(shard);
            return home.equals(but) ? null : home;
        } catch (DatabaseUnavailableException e) {
            return null;
        }
    }
}
