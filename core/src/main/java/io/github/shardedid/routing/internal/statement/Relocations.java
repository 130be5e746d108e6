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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * The shards that may be on their way from one database to another: a statement waits until its shard has arrived. Safe for
 * use by several threads.
 */
public record Relocations(Databases databases, RoutingOptions options) {
    /**
     * What PostgreSQL says where a shard's schema has another name by now: no such table, schema, function or type; and what the
     * triggers on the copies of a shard say.
     */
    private static final Set<String> LEFT = Set.of("42P01", "3F000", "42883", "42704", "ID002");

    private static final String COPY = "ID002";

    /** A waiting statement asks so often by itself: perhaps notifications of the databases are not received. */
    private static final long BETWEEN_QUESTIONS = TimeUnit.MILLISECONDS.toNanos(100);

    /** While statements do not wait for a shard, its next one has the map refreshed in the background. */
    private static final long BETWEEN_PROBES = TimeUnit.MILLISECONDS.toNanos(500);

    /** By an older map nobody knows whether a shard is fenced. */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(1);

    private CurrentShardMap map() {
        return databases.cluster().map();
    }

    /** Returns a new search; one whose statement has waited long enough before is over at once. */
    public ShardSearch search(boolean waitExceeded) {
        return new ShardSearch(options.fenceWait().toNanos(), waitExceeded);
    }

    /**
     * Before anything is sent by the map: one that was not refreshed for long may be so old that a database which it names as
     * a shard's has lost the shard since, and is just receiving a new copy of it.
     */
    public void requireYoungMap() {
        if (!map().isRefreshedSince(map().nanoTime() - options.mapAge().toNanos())) {
            map().refreshSince(map().nanoTime());
        }
    }

    /** Whether a statement for a target may go to a database at once, as far as is known. */
    public boolean isServed(Target.Single target, String database) {
        return !(target instanceof Target.Shard shard) || map().get().isServedBy(shard.number(), database);
    }

    /** Whether the database of a target is known. */
    public boolean isKnown(Target.Single target) {
        return !(target instanceof Target.Shard shard) || map().get().generationOf(shard.number()) > 0;
    }

    /** Returns whether a statement for a shard should wait. */
    public boolean isFenced(int shard) {
        return map().get().isFenced(shard);
    }

    /** Whether a shard has been fenced, or about to be, for longer than is waited: then no statement waits for it. */
    boolean isStuck(int shard) {
        return map().isFencedFor(shard, options.fenceWait());
    }

    /** Whether a failure is what a statement meets on a database that its shard has left. */
    public static boolean mayBeLeft(Target.Single target, SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return target instanceof Target.Shard && (LEFT.contains(state) || isOfEndedSequence(state, failure));
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
    public Outcome await(int shard) throws SQLException {
        return await(shard, databases.databaseOf(shard), search(false));
    }

    /** Has a map that was asked for at an instant or later. */
    public void askSince(long nanos) {
        map().refreshSince(nanos);
    }

    /** Waits until some database serves a shard. */
    public Outcome await(int shard, String before, ShardSearch search) throws SQLException {
        return await(shard, before, search, null);
    }

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
            options.listener().refused(shard, before);
            throw ShardFencedException.of(shard, before, map().get().unreachableDatabases(), failure);
        }
        return outcome;
    }

    /** Whether no database would execute a statement. If the map cannot tell, the databases have to. */
    private boolean isBlocked(int shard) {
        return map().get().isBlocked(shard)
                && map().lastFailure() == null
                && map().isRefreshedSince(map().nanoTime() - YOUNG);
    }

    private Outcome waited(int shard, String before, ShardSearch search) throws SQLException {
        while (true) {
            long version = map().version();
            Outcome now = outcome(map().get(), shard, before);
            if (now != null) {
                return now;
            }
            databases.requireConfigured(shard, before, map().get().successorOf(shard));
            databases.requireOwned(shard);
            long left = search.left();
            if (left <= 0 || isStuck(shard)) {
                return Outcome.TIMED_OUT;
            }
            map().refreshSoon(map().nanoTime() - BETWEEN_QUESTIONS);
            changes(version, Math.min(left, BETWEEN_QUESTIONS));
        }
    }

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
     * After a statement has failed on a database because its shard is not there, and nothing of it stays: asks where the shard is, and
     * waits until it is somewhere.
     *
     * @throws SQLException if it cannot be repeated: the failure itself, if it has to do with no move
     */
    public void find(int shard, String database, ShardSearch search, SQLException failure) throws SQLException {
        if (!ask(database, search)) {
            throw refused(shard, database, "may have moved; its current database is unknown", failure);
        }
        if (!map().get().isServedBy(shard, database) && await(shard, database, search, failure) == Outcome.TIMED_OUT) {
            throw refused(shard, database, "is on its way to another database for longer than is waited", failure);
        }
        String home = databases.databaseOf(shard);
        if (home.equals(database)) {
            requireFirst(search, failure);
        } else if (search.isOver()) {
            throw refused(shard, database, "moves again and again", failure);
        }
        options.listener().repeated(shard, database, home);
    }

    /** Asks where shards are until a database that should know has answered, and the answers make a map. */
    private boolean ask(String database, ShardSearch search) throws SQLException {
        map().refreshSince(map().nanoTime());
        while (!isCertain(database) && !search.isOver()) {
            changes(map().version(), Math.min(search.left(), BETWEEN_QUESTIONS));
            map().refreshSince(map().nanoTime() - BETWEEN_QUESTIONS);
        }
        return isCertain(database);
    }

    private boolean isCertain(String database) {
        return map().lastFailure() == null
                && !map().get().unreachableDatabases().contains(database);
    }

    /** What to throw for a statement that cannot be repeated, as more than itself has failed, or its values are gone. */
    public SQLException unrepeatable(int shard, String database, SQLException failure) {
        map().refreshSince(map().nanoTime());
        boolean certain = isCertain(database)
                && map().get().isServedBy(shard, database)
                && map().isUnchangedSince(
                                shard, map().nanoTime() - options.fenceWait().toNanos())
                && !COPY.equals(failure.getSQLState());
        return certain ? failure : refused(shard, database, "has moved, or is about to", failure);
    }

    private ShardMovedException refused(int shard, String database, String what, SQLException failure) {
        options.listener().refused(shard, database);
        String home = serving(shard, database);
        String noMap = map().lastFailure();
        return new ShardMovedException(
                "Shard " + shard + " " + what + "; a statement for it has failed on database " + database
                        + (home == null ? "" : ", its home is " + home + " now")
                        + ": " + failure.getMessage()
                        + (noMap == null ? "" : ". No new shard map could be made: " + noMap)
                        + ". Nothing of this transaction stays. Run it again, as a whole.",
                shard,
                database,
                home,
                false,
                failure);
    }

    /** Something may be sent once more to where it has failed: perhaps the move was given up meanwhile. */
    public void requireFirst(ShardSearch search, SQLException failure) throws SQLException {
        search.requireFirst(map().version(), failure);
    }

    private @Nullable String serving(int shard, String but) {
        try {
            String home = databases.databaseOf(shard);
            return home.equals(but) ? null : home;
        } catch (DatabaseUnavailableException e) {
            return null;
        }
    }

    /** How long one execution of a statement has looked for its shard, which was not where it was sent. For one thread at a time. */
    public static final class ShardSearch {
        private final long begun;
        private final long longest;

        /** The version of the map by which it was sent to the same database again. */
        private long repeatedAt;

        ShardSearch(long longestWait, boolean waitExceeded) {
            this.begun = System.nanoTime() - (waitExceeded ? longestWait : 0);
            this.longest = longestWait;
        }

        boolean isOver() {
            return left() <= 0;
        }

        long left() {
            return longest - (System.nanoTime() - begun);
        }

        /** Something may be sent once more to where it has failed: perhaps the move was given up meanwhile. */
        void requireFirst(long version, SQLException failure) throws SQLException {
            if (repeatedAt == version || (repeatedAt > 0 && isOver())) {
                throw failure;
            }
            repeatedAt = version;
        }
    }
}
