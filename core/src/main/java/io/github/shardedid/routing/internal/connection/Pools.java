package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.pool.Lease;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.Target;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The data sources of the databases. Safe for use by several threads. */
public record Pools(Map<String, DataSource> sources, Map<String, DataSource> readPools, Outages outages) {
    public Set<String> names() {
        return sources.keySet();
    }

    /**
     * Takes a connection from a database's pool.
     *
     * @param target for which it is wanted, for the message and for pools that prefer some connections for it; null for none
     *     in particular
     * @param forPlainQuery whether only a plain query of a transaction needs it
     * @param held what the routed connection holds already
     */
    public Lease connect(
            String database, Target.@Nullable Single target, boolean forPlainQuery, PhysicalConnection... held)
            throws DatabaseUnavailableException {
        DataSource source = sources.get(database);
        if (source == null) {
            throw new DatabaseUnavailableException(
                    (target == null ? "A shard" : target) + " is on database " + database
                            + ", but this application has data sources only for " + sources.keySet()
                            + ". Configure one for " + database + ".",
                    null);
        }
        outages.requireNone(database, source, target, held);
        DataSource readPool = forPlainQuery && held.length > 0 ? readPools.get(database) : null;
        try {
            Lease lease = Lease.from(readPool == null ? source : readPool, shardOf(target));
            outages.end(database);
            return lease;
        } catch (SQLException | RuntimeException e) {
            throw unavailable(database, target, e, held);
        }
    }

    /** The shard whose connections are preferred, if it is one. */
    public static OptionalInt shardOf(Target.@Nullable Single target) {
        return target instanceof Target.Shard shard ? OptionalInt.of(shard.number()) : OptionalInt.empty();
    }

    /** After a pool had no connection, or a broken one. */
    DatabaseUnavailableException unavailable(
            String database, Target.@Nullable Single target, Exception cause, PhysicalConnection[] held) {
        outages.begin(database, cause);
        return NoConnection.to(database, target, cause, held);
    }
}
