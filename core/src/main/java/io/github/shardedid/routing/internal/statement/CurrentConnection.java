package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.ShardTypes;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connection to the database of the current target, for what is not a statement. */
public record CurrentConnection(
        SharedRouting shared, Router router, PhysicalConnections physical, ConnectionSettings settings) {
    /** The connection for something that asks no shard, and needs no transaction: nothing is waited for. */
    public PhysicalConnection get(String what) throws SQLException {
        Target.Single target = settings.requireTarget(what);
        return physical.on(
                router.relocation().databaseAsKnown(target, shared.databases().map()), target, !settings.defersBegin());
    }

    private PhysicalConnection of(Target.Single target, boolean begins) throws SQLException {
        return physical.on(router.relocation().database(target), target, begins);
    }

    public PhysicalConnection described(String what) throws SQLException {
        return of(settings.requireTarget(what), !settings.defersBegin());
    }

    /** The current target's connection if there is one, else any that can be had: for what is the same everywhere. */
    public PhysicalConnection any() throws SQLException {
        return settings.currentTarget() != null
                ? described("the database's properties")
                : physical.any(!settings.defersBegin());
    }

    /** Returns the name of a type, with the schema of the current shard if it is one of that shard. */
    public @Nullable String typeName(@Nullable String name) throws SQLException {
        if (name == null || name.isEmpty() || ShardContext.target() instanceof ShardSet) {
            return name;
        }
        String schema = shared.databases().schemaOf(settings.requireTarget("a type"));
        return ShardTypes.named(name, schema, get("a type"));
    }

    /** Gives the application the driver's own connection, whose unqualified names mean the current shard's tables. */
    public <T> T handOut(Class<T> type) throws SQLException {
        String what = "unwrap to " + type.getName();
        Target.Single target = settings.requireTarget(what);
        physical.requireOwn(target);
        PhysicalConnection current = of(target, true);
        try {
            if (!settings.isReadOnly()) { // what is done over it is not seen
                router.rules().write(target, () -> what, current.database());
            }
            router.transaction().settingsFor(current, false);
            current.pathAlignment().align(shared.databases().schemaOf(target), true);
            return current.handOut(type, target);
        } finally {
            router.releaseIfUnused(current);
        }
    }

    /** A result of what was taken here is closed. */
    void closed(PhysicalConnection current) {
        router.closed(current);
    }
}
