package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.ShardTypes;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the database of the current target, for what is not a statement: metadata, arrays and large
 * objects that the application creates, the driver's own connection.
 *
 * <p>Such a call has no text that could name its target, so the scope must. It uses the same connection as the
 * statements of the transaction, as what it creates is often a parameter of the next one.
 */
public record CurrentConnection(Router router) {
    /**
     * Returns the connection for something that asks no shard, and needs no transaction: nothing is waited for.
     *
     * @param what what needs it, for the message
     * @throws SQLException if no connection is available
     */
    public PhysicalConnection get(String what) throws SQLException {
        Target.Single target = router.settings.requireTarget(what);
        return router.connections.on(
                router.databaseAsKnown(target, router.shared.databases().map()),
                target,
                !router.settings.defersBegin());
    }

    /** Returns the connection to a target, whose shard is waited for if it moves. */
    private PhysicalConnection of(Target.Single target, boolean begins) throws SQLException {
        return router.connections.on(router.database(target), target, begins);
    }

    /**
     * Returns the connection for a question about the tables of the current target.
     *
     * @param what what needs it, for the message
     */
    public PhysicalConnection described(String what) throws SQLException {
        return of(router.settings.requireTarget(what), !router.settings.defersBegin());
    }

    /**
     * Returns the current target's connection if there is one, else any: for an answer that is the same
     * everywhere. Libraries ask for some of it at the start, when no scope is open and databases may be down.
     */
    public PhysicalConnection any() throws SQLException {
        return router.settings.currentTarget() != null
                ? described("the database's properties")
                : router.connections.any(!router.settings.defersBegin());
    }

    /** Returns the name of a type, with the schema of the current shard if it is one of that shard. */
    public @Nullable String typeName(@Nullable String name) throws SQLException {
        if (name == null || name.isEmpty() || ShardContext.target() instanceof ShardSet) {
            return name;
        }
        String schema = router.shared.databases().schemaOf(router.settings.requireTarget("a type"));
        return ShardTypes.named(name, schema, get("a type"));
    }

    /**
     * Gives the application the driver's own connection, whose unqualified names mean the current shard's
     * tables. It is kept until the transaction ends or, in autocommit, until the routed connection is closed.
     *
     * <p>What is done over it is not seen. So it counts as a write unless the connection is read-only, and
     * everything for other targets is refused meanwhile.
     *
     * @throws SQLException if no connection is available, or another target's was given before
     */
    public <T> T handOut(Class<T> type) throws SQLException {
        String what = "unwrap to " + type.getName();
        Target.Single target = router.settings.requireTarget(what);
        router.connections.requireOwn(target);
        PhysicalConnection current = of(target, true);
        try {
            if (!router.settings.isReadOnly()) { // what is done over it is not seen
                router.write(target, () -> what, current.database());
            }
            router.transaction.settingsFor(current, false);
            current.pathAlignment().align(router.shared.databases().schemaOf(target), true, null);
            return current.handOut(type, target);
        } finally {
            router.releaseIfUnused(current);
        }
    }
}
