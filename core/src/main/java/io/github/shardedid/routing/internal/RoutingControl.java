package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.SingleTripCommit;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlFile;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a routed connection beyond JDBC, for the id generators and the integration with Hibernate;
 * reached by {@code connection.unwrap(RoutingControl.class)}, also through a proxy. For one thread at a time.
 *
 * <p>JDBC has no words for them: that a shard is about to be written, that a write is the last one, that ids
 * are reserved outside of the transaction. Applications need none of them.
 */
public record RoutingControl(
        RoutingConnection connection,
        SharedRouting shared,
        ConnectionSettings settings,
        PhysicalConnections connections,
        Transaction transaction,
        Router router) {
    /**
     * Returns a placeholder of a schema as it is written into generated texts, in which all tables have their
     * schema. Other texts are executed with the search path of their shard; such a one only if a catalog has
     * more than PostgreSQL's own of what it names or runs.
     *
     * @param placeholder {@code RoutingDataSource.SCHEMA_PLACEHOLDER} or {@code GLOBAL_PLACEHOLDER}
     * @return another spelling of it, which means the same schema
     */
    public static String generated(String placeholder) {
        return SchemaPlaceholder.generated(placeholder);
    }

    /** Returns the text of a file of SQL that is beside a class. */
    public static String fileOf(Class<?> beside, String file) {
        return SqlFile.read(beside, file);
    }

    /**
     * A column that names the transaction of a query in claims of values that are unique over all shards: its id, which it gets by that, its database,
     * and the generation of the shard there, as an array of texts. It also keeps the shard there until the transaction ends.
     */
    public static final String CLAIMANT = "sharded_id.claimant_transaction('"
            + generated(RoutingDataSource.SCHEMA_PLACEHOLDER) + ".sharded_id_claim')";

    /**
     * Declares that this transaction is about to write to a shard, or to the global database, before anything
     * is sent. In autocommit it only checks that there is one.
     *
     * <p>A flush declares its target once, so that a second shard is refused before the statements of the first
     * one are sent.
     *
     * @param target what will be written to
     * @param what says what will be written, a statement, or an entity and its id; asked only if the write is
     *     refused
     * @throws io.github.shardedid.routing.SecondWriteShardException if the transaction has written, or declared
     *     to write, elsewhere
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     * @throws io.github.shardedid.routing.NoShardException if there is no global database
     */
    public void declareWrite(Target.Single target, Supplier<String> what) {
        if (target.equals(declaredWrite())) {
            return; // as for each row of a flush; a statement after the transaction's last one is refused when it is
            // prepared
        } else if (target instanceof Target.Shard shard) {
            shared.databases().cluster().requireShard(shard.number());
        } else {
            shared.databases().schemaOf(target); // fails if there is no global database
        }
        router.write(target, what, null);
    }

    /** Returns where this transaction has written, or declared to write; null if it has not, or in autocommit. */
    public Target.@Nullable Single declaredWrite() {
        return transaction.writtenTarget();
    }

    /**
     * Returns whether the connection that this transaction has to a shard's database, and keeps to its end, was
     * open at an instant already. If so the server has not crashed since, for a crash ends all connections; if
     * not it may have. Takes the connection from its pool if the transaction has none, without a round trip.
     *
     * <p>The rest of a block of ids may be used only if a crash that lost its reservation would be noticed. It
     * would be, by the loss of this connection.
     *
     * @param shard the shard that will be written
     * @param nanos the instant, of {@link System#nanoTime()}
     * @return false also in autocommit, where each statement may have another connection
     * @throws SQLException if no connection is available
     */
    public boolean isOpenSince(int shard, long nanos) throws SQLException {
        connection.requireOpen();
        PhysicalConnection pinned = router.pinned(shard);
        if (pinned == null
                || !shared.databases().cluster().map().isUnchangedSince(shard, nanos)
                || !pinned.session().isOpenSince(nanos)) {
            return false;
        }
        pinned.reservedIds = true;
        return true;
    }

    /**
     * Takes a connection as {@link #isOpenSince} does, for a reservation of ids that follows. If the
     * transaction has done nothing there yet but plain queries, the reservation is committed at once, so that
     * the write may commit in its own round trip.
     *
     * @param shard the shard that will be written
     * @param apart false to reserve the ids in the transaction, if there is one, in any case
     * @return whether the reservation is committed at once. It need not wait for the disk, as the write's
     *     commit does, and as the write uses the same connection, which a crash would have closed
     * @throws SQLException if no connection is available
     */
    public boolean beginReservation(int shard, boolean apart) throws SQLException {
        connection.requireOpen();
        PhysicalConnection pinned = router.pinned(shard);
        if (pinned == null || pinned.isInTransaction() || !apart) {
            return false;
        }
        pinned.reservedIds = true;
        settings.reserving = true;
        return true;
    }

    /**
     * Ends what {@link #beginReservation} has begun. Does nothing otherwise, so that it can be called in any
     * case.
     */
    public void endReservation() {
        settings.reserving = false;
    }

    /**
     * Announces that nothing but the commit follows the writing of so many rows by a statement, and that
     * nothing but the database can refuse the transaction any more, so that the commit may be sent together
     * with it: see {@link SingleTripCommit}.
     *
     * @param rows how many rows are about to be written, at least 1; 0 to take the announcement back. More than
     *     20 have no effect
     * @param sql the text with which the statement will be prepared; others belong to this transaction
     */
    public void announceLastWrite(int rows, String sql) {
        transaction.lastWrite = SingleTripCommit.after(rows, sql);
    }

    /**
     * Notes that this transaction will claim values that are unique over all shards. If it reserves ids, it begins with that, and {@link #CLAIMANT}
     * is asked for in the same round trip. Does nothing in autocommit.
     */
    public void expectClaims() {
        settings.claiming = !settings.autoCommit;
    }

    /** Returns whether a query of replicated tables reads their copies now, rather than the global database. */
    public boolean readsCopies() {
        Target scope = ShardContext.target();
        return scope instanceof ShardSet || settings.targetIn(scope) instanceof Target.Shard;
    }

    /** Returns whether a reservation of ids of a shard is to ask for {@link #CLAIMANT}, too. */
    public boolean needsClaimant(int shard) {
        return settings.claiming && claimant(shard) == null;
    }

    /** Returns what {@link #CLAIMANT} has returned in this transaction, if it still holds; else null. */
    public @Nullable List<String> claimant(int shard) {
        PhysicalConnection used = connectionTo(shard);
        return used == null ? null : used.claimant;
    }

    /** Notes what {@link #CLAIMANT} has returned in this transaction. */
    public void setClaimant(int shard, List<String> claimant) {
        PhysicalConnection used = connectionTo(shard);
        if (used != null) {
            used.claimant = claimant;
        }
    }

    private @Nullable PhysicalConnection connectionTo(int shard) {
        return connections.thatUsed(Target.shard(shard));
    }

    /**
     * Notes that this connection is used for short statements of a caller that holds another one meanwhile: it
     * takes physical connections from the read pools where there are any.
     */
    public void useBeside() {
        settings.beside = true;
    }

    /**
     * Sets whether prepared statements go after a shard that has moved, as they do by default, which may take
     * another connection from a pool. If not, a statement that could is not sent again, but fails with a {@link
     * ShardMovedException} that {@linkplain ShardMovedException#isStatementOnly() says so}, and {@link
     * #isOpenSince} takes no connection. That is for callers with a lock for which callers with connections
     * wait.
     *
     * @param following false to stay with the first database
     */
    public void setFollowing(boolean following) {
        settings.following = following;
    }
}
