package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.RoutingListener.Watch;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.routing.internal.connection.Executions;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * The shards that may be on their way from one database to another: a statement waits until its shard has
 * arrived. Safe for use by several threads.
 *
 * <p>A move stops nothing: no call of the application fails, and it learns of a move by its map or by a
 * failure. The map can be old, and a failure can have other causes, so neither is believed alone:
 *
 * <ol>
 *   <li>If the map says that a shard is fenced, its statements wait, up to the configured time. They ask for a
 *       new map by themselves, in case that notifications of the databases are not received.
 *   <li>If a statement fails as it does where a shard is not there, the databases are asked until the one that
 *       should know has answered.
 *   <li>If the shard is elsewhere, the statement is sent there.
 *   <li>If it is said to be where the statement has failed, the statement is sent there once more, since the
 *       move may have been given up meanwhile. If that fails, too, the failure has to do with no move.
 *   <li>If a shard has been fenced for longer than statements wait, they do not wait at all: a mover that died
 *       behind its fence would otherwise let them queue up one behind another.
 * </ol>
 *
 * @param databases the shard map, and what is configured
 * @param options how long statements wait, and who listens
 */
public record Relocations(Databases databases, RoutingOptions options) {
    /**
     * The SQLStates of a statement that meets no shard: where a shard's schema has another name by now, there
     * is no such table, schema, function or type; and the triggers on the copies of a shard have a state of
     * their own.
     */
    private static final Set<String> SHARD_IS_ABSENT = Set.of("42P01", "3F000", "42883", "42704", "ID002");

    /** The state of the triggers on a copy of a shard that does not own it. */
    private static final String COPY = "ID002";

    /** The interval at which a waiting statement asks for a new map by itself. */
    private static final long BETWEEN_QUESTIONS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The interval at which statements for a shard that are not waiting refresh the map in the background. */
    private static final long BETWEEN_PROBES = TimeUnit.MILLISECONDS.toNanos(500);

    /** The maximum age at which the map's fence state is trusted. */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(1);

    /** Returns the holder of the shard map. */
    public CurrentShardMap map() {
        return databases.cluster().map();
    }

    /**
     * Returns a new search for the shard of one statement.
     *
     * @param waitExceeded whether the statement has waited long enough before, so that the search is over at
     *     once
     */
    public ShardSearch search(boolean waitExceeded) {
        return new ShardSearch(options.fenceWait().toNanos(), waitExceeded);
    }

    /** Returns whether a statement for a target may go to a database at once, as far as is known. */
    public boolean isServed(Target.Single target, String database) {
        return !(target instanceof Target.Shard shard) || map().get().isServedBy(shard.number(), database);
    }

    /** Returns whether the database of a target is known. */
    public boolean isKnown(Target.Single target) {
        return !(target instanceof Target.Shard shard) || map().get().generationOf(shard.number()) > 0;
    }

    /**
     * Returns whether a shard has been fenced, or about to be, for longer than statements wait: then none waits
     * for it.
     */
    boolean isStuck(int shard) {
        return map().isFencedFor(shard, options.fenceWait());
    }

    /**
     * Returns whether a failure is one that a statement meets on a database that its shard has left. It may
     * have other causes, such as a table that does not exist anywhere.
     */
    public static boolean mayHaveMoved(Target.Single target, SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return target instanceof Target.Shard && (SHARD_IS_ABSENT.contains(state) || isOfEndedSequence(state, failure));
    }

    /**
     * Returns whether a failure is that of a sequence which the fence has ended. A call of it that has waited
     * for the fence has found the sequence before, whatever the schema is called by now.
     */
    private static boolean isOfEndedSequence(String state, SQLException failure) {
        if (state.equals("22003") && failure instanceof PSQLException said) {
            ServerErrorMessage message = said.getServerErrorMessage();
            return message != null && "do_setval".equals(message.getRoutine());
        }
        return state.equals("2200H");
    }

    /**
     * Waits until some database serves a shard.
     *
     * @param before the database that has had the shard
     * @param search the search of the statement, which knows how long it may still take
     * @throws ShardFencedException if no database would execute a statement at the end of the wait; nothing was
     *     sent
     */
    public Outcome await(int shard, String before, ShardSearch search) throws SQLException {
        return await(shard, before, search, null);
    }

    /**
     * Waits, and notifies the listener.
     *
     * @param failure by which the statement has learnt of the move; null if it has not been sent
     */
    private Outcome await(int shard, String before, ShardSearch search, @Nullable SQLException failure)
            throws SQLException {
        Outcome outcome;
        if (isStuck(shard)) {
            map().refreshSoon(map().nanoTime() - BETWEEN_PROBES);
            outcome = Outcome.TIMED_OUT;
        } else {
            Watch watch = options.listener().waiting(shard, before);
            outcome = Executions.watched(watch, () -> {
                Outcome ended = waited(shard, before, search);
                watch.waited(ended);
                return ended;
            });
        }
        if (outcome == Outcome.TIMED_OUT && isBlocked(shard)) {
            throw ShardFencedException.of(shard, before, map().get().unreachableDatabases(), failure);
        }
        return outcome;
    }

    /**
     * Returns whether no database would execute a statement. If the map cannot tell, the statement is sent, and
     * the databases answer.
     */
    private boolean isBlocked(int shard) {
        return map().get().isBlocked(shard)
                && map().lastFailure() == null
                && map().isRefreshedSince(map().nanoTime() - YOUNG);
    }

    /**
     * Waits until the map says where the shard is. The version is read before the map, so that no change is
     * missed in between.
     */
    private Outcome waited(int shard, String before, ShardSearch search) throws SQLException {
        while (true) {
            long version = map().version();
            Outcome now = outcome(map().get(), shard, before);
            if (now != null) {
                return now;
            }
            databases.requireConfigured(shard, before, map().get().successorOf(shard));
            databases.requireOwned(shard);
            long left = search.remainingNanos();
            if (left <= 0 || isStuck(shard)) {
                return Outcome.TIMED_OUT;
            }
            map().refreshSoon(map().nanoTime() - BETWEEN_QUESTIONS);
            changes(version, Math.min(left, BETWEEN_QUESTIONS));
        }
    }

    /**
     * Waits for a change of the map.
     *
     * @throws SQLException if the thread is interrupted, with the SQLState of a cancelled statement
     */
    private boolean changes(long version, long nanos) throws SQLException {
        try {
            return map().awaitChange(version, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException(
                    "The thread was interrupted while its statement waited for a shard that is on its way to another"
                            + " database. Nothing was sent.",
                    "57014",
                    e);
        }
    }

    /** Returns where a shard is by a map; null while it is on its way. */
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
     * Asks where the shard of a failed statement is, and waits until it is somewhere. Nothing of the statement
     * must remain, as it is repeated afterwards.
     *
     * @param database where it has failed
     * @throws SQLException if it cannot be repeated: the failure itself, if it has to do with no move
     */
    public void find(int shard, String database, ShardSearch search, SQLException failure) throws SQLException {
        if (!ask(database, search)) {
            throw refused(shard, database, "may have moved; its current database is unknown", failure);
        }
        if (!map().get().isServedBy(shard, database) && await(shard, database, search, failure) == Outcome.TIMED_OUT) {
            throw refused(shard, database, "is on its way to another database for longer than is waited", failure);
        }
        if (databases.databaseOf(shard).equals(database)) {
            search.requireNewMap(map().version(), failure);
        } else if (!search.mayFollow(shard)) {
            throw refused(shard, database, "moves again and again", failure);
        }
    }

    /**
     * Asks where shards are, until a database that should know has answered, and the answers make a map.
     *
     * @return false if the search is over before
     */
    private boolean ask(String database, ShardSearch search) throws SQLException {
        map().refreshSince(map().nanoTime());
        while (!isCertain(database) && !search.isOver()) {
            changes(map().version(), Math.min(search.remainingNanos(), BETWEEN_QUESTIONS));
            map().refreshSince(map().nanoTime() - BETWEEN_QUESTIONS);
        }
        return isCertain(database);
    }

    /** Returns whether the map was made with the answer of a database. */
    private boolean isCertain(String database) {
        return map().lastFailure() == null
                && !map().get().unreachableDatabases().contains(database);
    }

    /**
     * Returns what to throw for a statement that cannot be repeated, as more than itself has failed, or its
     * values are gone: the failure itself, if the shard is known not to have moved, else one that says that the
     * transaction can be run again.
     */
    public SQLException unrepeatable(int shard, String database, SQLException failure) {
        map().refreshSince(map().nanoTime());
        boolean certain = isCertain(database)
                && map().get().isServedBy(shard, database)
                && map().isUnchangedSince(
                                shard, map().nanoTime() - options.fenceWait().toNanos())
                && !COPY.equals(failure.getSQLState());
        return certain ? failure : refused(shard, database, "has moved, or is about to", failure);
    }

    /** Returns what to throw for a statement that is not repeated. */
    private ShardMovedException refused(int shard, String database, String what, SQLException failure) {
        String home = serving(shard, database);
        String noMap = map().lastFailure();
        return new ShardMovedException(
                "Shard " + shard + " " + what + "; a statement for it has failed on database " + database
                        + (home == null ? "" : ", its home is " + home + " now")
                        + ": " + failure.getMessage()
                        + (noMap == null ? "" : ". No new shard map could be made: " + noMap)
                        + ". Nothing of this transaction stays. Run it again, as a whole.",
                false,
                failure);
    }

    /** Returns the database that serves a shard; null if it is unknown, or the one that is given. */
    private @Nullable String serving(int shard, String but) {
        try {
            String home = databases.databaseOf(shard);
            return home.equals(but) ? null : home;
        } catch (DatabaseUnavailableException e) {
            return null;
        }
    }

    /**
     * The search of one execution of a statement for its shard, which was not where the statement was sent. It
     * limits how long that takes, over all attempts together. For one thread at a time.
     */
    public static final class ShardSearch {
        /** The instant at which it began, of {@code System.nanoTime}. */
        private final long begun;
        /** The longest time that it may take, in nanoseconds. */
        private final long longest;

        /** The version of the map by which it was sent to the same database again; 0 if it was not. */
        private long repeatedAt;
        /** The shards that it has followed to another database. */
        private final Set<Integer> followed = new HashSet<>();

        ShardSearch(long longestWait, boolean waitExceeded) {
            this.begun = System.nanoTime() - (waitExceeded ? longestWait : 0);
            this.longest = longestWait;
        }

        boolean isOver() {
            return remainingNanos() <= 0;
        }

        long remainingNanos() {
            return longest - (System.nanoTime() - begun);
        }

        /**
         * Throws a failure, unless something may be sent once more to where it has failed: perhaps the move was
         * given up meanwhile.
         */
        public void requireNewMap(long version, SQLException failure) throws SQLException {
            if (repeatedAt == version || (repeatedAt > 0 && isOver())) {
                throw failure;
            }
            repeatedAt = version;
        }

        /**
         * Returns whether it may be sent to where a shard is now. The first time it may, however long that took:
         * the process may have been suspended meanwhile, or does not wait at all.
         */
        boolean mayFollow(int shard) {
            return followed.add(shard) || !isOver();
        }
    }
}
