package io.github.shardedid.routing.internal.target;

import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.scatter.ShardChunks;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingListener.Kind;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.RoutingListener.Watch;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** Tells a listener of what is executed, and has the log name the shard and the database meanwhile. */
public final class Executions {
    private final RoutingListener listener;

    Executions(RoutingListener listener) {
        this.listener = listener;
    }

    /** A statement is about to be executed where it is routed to. */
    public Watch begin(Router.Route route) {
        int place = route.place();
        String database = route.physical().database();
        Watch logged = LoggedScope.isOn() ? LoggedScope.during(place, database) : Watch.NONE;
        Kind kind = route.analysis().traits().writes() ? Kind.WRITE : Kind.READ;
        Watch watch = listener.statement(kind, place == Place.GLOBAL ? RoutingListener.GLOBAL : place, database);
        return WatchedTwice.of(logged, watch);
    }

    /** Executes a query's statement for some shards. */
    public void execute(PreparedStatement statement, ShardChunks.Chunk chunk) throws SQLException {
        Watch logged = LoggedScope.isOn() ? LoggedScope.during(chunk) : Watch.NONE;
        Watch watch = WatchedTwice.of(logged, listener.statement(chunk.shards(), chunk.database()));
        try {
            statement.execute();
        } catch (SQLException | RuntimeException e) {
            watch.failed(e);
            throw e;
        } finally {
            watch.close();
        }
    }

    /** A query over several shards begins. */
    public Watch begin(SortedMap<String, Queue<ShardChunks.Chunk>> chunks) {
        int shards = 0;
        Set<String> databases = new TreeSet<>();
        for (Queue<ShardChunks.Chunk> queue : chunks.values()) {
            for (ShardChunks.Chunk chunk : queue) {
                shards += chunk.shards().size();
                databases.add(chunk.database());
            }
        }
        return listener.allShards(shards, databases);
    }

    /** A wait for a shard. */
    @FunctionalInterface
    public interface Wait {
        Outcome end() throws SQLException;
    }

    /** Waits for a shard that leaves a database. */
    public Outcome await(int shard, String database, Wait wait) throws SQLException {
        long start = System.nanoTime();
        Watch watch = listener.waiting(shard, database);
        try {
            Outcome outcome = wait.end();
            listener.waited(shard, System.nanoTime() - start, outcome);
            watch.waited(outcome);
            return outcome;
        } catch (SQLException | RuntimeException e) {
            watch.failed(e);
            throw e;
        } finally {
            watch.close();
        }
    }

    /** A query over several shards had to wait for its turn. */
    public void turnAwaited(long nanos, boolean given) {
        listener.turnAwaited(nanos, given);
    }

    /** Two that follow the same work; the second one is the inner one. */
    private record WatchedTwice(Watch outer, Watch inner) implements Watch {
        @SuppressWarnings("ReferenceEquality") // that one does nothing
        static Watch of(Watch outer, Watch inner) {
            return outer == Watch.NONE ? inner : inner == Watch.NONE ? outer : new WatchedTwice(outer, inner);
        }

        @Override
        public void failed(Throwable failure) {
            inner.failed(failure);
        }

        @Override
        public void close() {
            try {
                inner.close();
            } finally {
                outer.close();
            }
        }
    }
}
