package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingListener.Kind;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.RoutingListener.Watch;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardRanges;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Notifies a listener of what is executed, and has the log name the shard and the database meanwhile. */
public record Executions(RoutingListener listener) {
    /** A statement is about to be executed. */
    public Watch begin(boolean writes, Target.Single target, String database) {
        Watch logged = LoggedTarget.isOn() ? LoggedTarget.during(target, database) : Watch.NONE;
        return WatchedTwice.of(logged, listener.statement(writes ? Kind.WRITE : Kind.READ, target, database));
    }

    /** A query's statement for some shards of a database is about to be executed. */
    public Watch begin(List<Integer> shards, String database) {
        Watch logged = LoggedTarget.isOn() ? LoggedTarget.during(ranges(shards), database) : Watch.NONE;
        return WatchedTwice.of(logged, listener.statement(shards, database));
    }

    private static ShardRanges ranges(List<Integer> shards) {
        return ShardRanges.of(shards.stream().mapToInt(Integer::intValue).toArray());
    }

    /** A query over so many shards of these databases begins. */
    public Watch begin(int shards, Set<String> databases) {
        return listener.allShards(shards, databases);
    }

    /** Something that a watch follows. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    public static <T> T watched(Watch watch, Work<T> work) throws SQLException {
        try {
            return work.run();
        } catch (SQLException | RuntimeException e) {
            watch.failed(e);
            throw e;
        } finally {
            watch.close();
        }
    }

    /** Waits for a shard that leaves a database. */
    public Outcome await(int shard, String database, Work<Outcome> wait) throws SQLException {
        Watch watch = listener.waiting(shard, database);
        return watched(watch, () -> {
            Outcome outcome = wait.run();
            watch.waited(outcome);
            return outcome;
        });
    }

    /** A query over several shards had to wait for others to end. */
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
