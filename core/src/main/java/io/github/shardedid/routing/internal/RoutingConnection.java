package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.LoneStatement;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.relocation.Relocations;
import io.github.shardedid.routing.internal.replica.ReplicaReads;
import io.github.shardedid.routing.internal.replica.Replicas;
import io.github.shardedid.routing.internal.scatter.Scatters;
import io.github.shardedid.routing.internal.statement.LoneExecution;
import io.github.shardedid.routing.internal.statement.MetaDataFacade;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * A connection that is bound to no database. Its statements go where the current target is when they are prepared, plain
 * ones where it is when they are executed.
 */
final class RoutingConnection extends StatementFactory {
    private static final String NO_TRANSACTION = "25P01";

    RoutingConnection(SharedRouting shared, Replicas replicas, Scatters scatters, ConnectionSettings settings) {
        super(shared, scatters, settings, new ReplicaReads(replicas, settings));
    }

    private void requireTransaction() throws SQLException {
        requireOpen();
        if (settings.autoCommit) {
            throw new SQLException("Not allowed in autocommit mode: there is no transaction.", NO_TRANSACTION);
        }
    }

    @Override
    public void declareWrite(Target.Single target, Supplier<String> what) {
        if (target instanceof Target.Shard shard) {
            shared.databases().requireShard(shard.number());
        } else {
            shared.databases().requireGlobal();
        }
        router.rules().write(target, what, null);
    }

    @Override
    public Target.@Nullable Single declaredWrite() {
        return router.rules().binding().target();
    }

    @Override
    public boolean isOpenSince(int shard, long nanos) throws SQLException {
        PhysicalConnection held = held(shard);
        if (held == null
                || !shared.databases().isUnmovedSince(shard, nanos)
                || !held.session().isOpenSince(nanos)) {
            return false;
        }
        held.use().takeIds();
        return true;
    }

    /** The connection to a shard's database, which stays with the transaction. While nothing is followed, none is taken. */
    private @Nullable PhysicalConnection held(int shard) throws SQLException {
        requireOpen();
        shared.databases().requireShard(shard);
        Target.Shard target = Target.shard(shard);
        if (settings.following) {
            router.relocation().await(target, Relocations.NO_TIMEOUT);
        }
        if (settings.autoCommit) {
            return null;
        }
        String database = router.relocation().databaseAsKnown(target);
        if (!settings.following) {
            return physical.keptOn(database);
        }
        boolean apart = settings.defersBegin() && !settings.isReadOnly();
        return apart ? physical.keep(database, target) : physical.on(database, target, true);
    }

    @Override
    public boolean beginReservation(int shard, boolean apart) throws SQLException {
        PhysicalConnection held = held(shard);
        if (held == null || held.isInTransaction() || !apart) {
            return false;
        }
        held.use().takeIds();
        settings.reserving = true;
        return true;
    }

    @Override
    public void endReservation() {
        settings.reserving = false;
    }

    @Override
    public void setFollowing(boolean following) {
        settings.following = following;
    }

    @Override
    public void setEnding(int rows, String sql) {
        settings.ending = rows == 0 || rows > LoneExecution.MOST_ROWS ? null : new LoneStatement(rows, sql);
    }

    /** Where statements go outside any scope of a {@code ShardContext}; null for nowhere. */
    @Override
    public void setShardingKey(@Nullable ShardingKey key) throws SQLException {
        requireOpen();
        if (key == null) {
            settings.keyed = null;
        } else {
            int shard = RoutedShardingKey.of(key).shard();
            shared.databases().requireShard(shard);
            settings.keyed = Target.shard(shard);
        }
    }

    /** Whether it is a key of this cluster's; no database is asked. */
    @Override
    public boolean setShardingKeyIfValid(@Nullable ShardingKey key, int timeoutSeconds) throws SQLException {
        requireOpen();
        requireTimeout(timeoutSeconds);
        if (key != null
                && !(key instanceof RoutedShardingKey routed
                        && routed.shard() < shared.databases().map().shardCount())) {
            return false;
        }
        setShardingKey(key);
        return true;
    }

    @Override
    public void setShardingKey(@Nullable ShardingKey key, @Nullable ShardingKey superKey) throws SQLException {
        RoutedShardingKey.requireNoSuperKey(superKey);
        setShardingKey(key);
    }

    @Override
    public boolean setShardingKeyIfValid(@Nullable ShardingKey key, @Nullable ShardingKey superKey, int timeoutSeconds)
            throws SQLException {
        RoutedShardingKey.requireNoSuperKey(superKey);
        return setShardingKeyIfValid(key, timeoutSeconds);
    }

    private static void requireTimeout(int seconds) throws SQLException {
        if (seconds < 0) {
            throw new SQLException("A timeout is not negative: " + seconds + " s.", INVALID_PARAMETER);
        }
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        requireOpen();
        if (settings.autoCommit == autoCommit) {
            return;
        }
        physical.requireOneHandedOut();
        try {
            if (autoCommit) {
                transaction.commit();
            }
        } finally {
            settings.autoCommit = autoCommit;
        }
        physical.beginTransaction();
        PhysicalConnection handedOut = physical.handedOut();
        if (handedOut != null && !autoCommit && !settings.isReadOnly()) {
            // The application may write over the driver's connection.
            router.rules()
                    .write(
                            Objects.requireNonNull(handedOut.handedOutFor(), "handed out"),
                            () -> "the driver's connection",
                            handedOut.database());
        }
    }

    @Override
    public void commit() throws SQLException {
        requireTransaction();
        transaction.commit();
    }

    @Override
    public void rollback() throws SQLException {
        requireTransaction();
        transaction.rollback();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        requireTransaction();
        return transaction.setSavepoint(null);
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        requireTransaction();
        return transaction.setSavepoint(name);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        requireTransaction();
        transaction.rollback(savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        requireTransaction();
        transaction.release(savepoint);
    }

    @Override
    public void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        scatters.close();
        if (settings.autoCommit) {
            physical.releaseAll();
        } else {
            transaction.rollback();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Whether the databases that it holds now answer; one that holds none is valid. */
    @Override
    public boolean isValid(int timeoutSeconds) throws SQLException {
        requireTimeout(timeoutSeconds);
        boolean valid = !closed;
        for (PhysicalConnection each : physical.all()) {
            valid = valid && each.connection().isValid(timeoutSeconds);
        }
        return valid;
    }

    @Override
    public void abort(@Nullable Executor executor) throws SQLException {
        if (executor == null) {
            throw new SQLException("An executor is needed, not null.");
        } else if (!closed) {
            closed = true;
            scatters.abort();
            physical.abort(executor);
        }
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        requireOpen();
        return MetaDataFacade.of(this, current);
    }

    /** For a type of the driver: the current shard's connection, held until the transaction ends or this is closed. */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        requireOpen();
        if (!isWrapperFor(type)) {
            throw new SQLException("A routed connection wraps no " + type.getName() + ".");
        }
        return current.handOut(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        requireOpen();
        return type.isInstance(this) || type.isAssignableFrom(PgConnection.class);
    }

    @Override
    public String toString() {
        return "routed connection over " + shared.pools().names();
    }
}
