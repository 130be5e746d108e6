package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.hibernate.internal.unique.ClaimTable.Claimant;
import io.github.shardedid.hibernate.internal.unique.ClaimTable.StoredClaim;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.Cluster;
import jakarta.persistence.TransactionRequiredException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.exception.LockTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Claims the values of rows that a transaction is about to write. A value is unique over all shards because at any time its claim names each
 * committed row that has it, as the claim's row or as one of its prior ones, or will once the claim's transaction has ended.
 *
 * <ol>
 *   <li>The writing transaction gets its transaction id, and a lock that keeps its shard where it is.
 *   <li>In the shard of the value's hash, and in a transaction of its own, which is committed before the row is sent, the claim is inserted: the
 *       value, the row's id, and the transaction with its database and the generation of the shard there. If the row is in the same shard, this is
 *       a part of the writing transaction.
 *   <li>If the value is claimed already, the claim is judged. Its transaction is waited for, by the database that has its shard, for at most the
 *       lock timeout, also if the claim is of the same row: two transactions may set one row to the same value, and either may be rolled back. A
 *       shard that has moved since has waited for it, and an id from before a crash or a restore is taken for ended.
 *   <li>Then the committed rows decide, whatever the status of the transaction says: ids of transactions are used again after a crash. If the
 *       claim's row or a prior one has the value, it is a duplicate. Otherwise the claim is taken over, without prior rows. A row that has the
 *       value itself takes the claim over from itself: so a take-over that is under way fails.
 *   <li>If the writing transaction itself has changed or removed the row, which its own connection sees, the claim is taken over with that row as
 *       the prior one: a rollback gives the value back to it.
 *   <li>A claim of the writing transaction itself is judged by its own connection, and never waited for: the row may have been removed, or
 *       rolled back to a savepoint. After a take-over, its rows are prior ones: a rollback to a savepoint could give the value back to any of
 *       them.
 *   <li>A take-over compares the id, the prior rows and the transaction with those that were judged. If they differ, the value is claimed
 *       again.
 * </ol>
 *
 * <p>No timeout decides who has a value. A claim whose row is gone, or was never committed, is taken over by the next row with that value. Two
 * transactions that wait for claims of each other are no deadlock that PostgreSQL could see: the lock timeout ends it.
 *
 * <p>For one thread at a time.
 */
public final class Claims {
    /** If {@code jakarta.persistence.lock.timeout} is not set. */
    private static final int DEFAULT_LOCK_TIMEOUT = 10_000;

    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final RoutingDataSource source;
    private final Cluster cluster;
    private final SharedSessionContractImplementor session;
    private final Connection connection;
    private final int lockTimeout;

    /** Creates the claims of a session, whose connection is not used yet. */
    public Claims(RoutingDataSource source, SharedSessionContractImplementor session) {
        this.source = source;
        this.cluster = source.cluster();
        this.session = session;
        this.connection = session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection();
        Object set = session.getFactory().getProperties().get(AvailableSettings.JAKARTA_LOCK_TIMEOUT);
        int configured = set == null ? 0 : Integer.parseInt(set.toString());
        this.lockTimeout = configured > 0 ? configured : DEFAULT_LOCK_TIMEOUT;
    }

    /**
     * Returns the ids of the rows that may have a value: only the rows tell which one has it. Read by one round trip to the shard of the
     * claim, over the session's connection. If that has a snapshot, what the session itself has claimed since is not in it, except in the shard
     * that it writes; so a connection of its own reads the claims of other shards.
     *
     * @param values one for each attribute of the key; null gives no row
     */
    public List<Long> ownersOf(UniqueKey key, @Nullable Object... values) {
        String text = key.textOf(values, session);
        if (text == null) {
            return List.of();
        }
        try {
            Target written = connection.unwrap(RoutingControl.class).declaredWrite();
            boolean hidden = written != null
                    && !written.equals(Target.shard(shardOf(text)))
                    && connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
            return new ClaimTable(source, shardOf(text), hidden ? null : connection, lockTimeout).owners(key, text);
        } catch (SQLException e) {
            throw failed(e, "The claim of a value of " + key + " could not be read");
        }
    }

    private int shardOf(String text) {
        return UniqueKey.shardOf(text, cluster.keyShards());
    }

    /**
     * Claims values for rows of one shard, which the session's transaction is about to write.
     *
     * @param shard the shard of the rows
     * @throws DuplicateValueException if another row has one of the values; nothing of the rows was sent
     * @throws LockTimeoutException if a transaction that has claimed one of them has not ended in time
     */
    public void take(int shard, List<Claim> wanted) {
        requireDifferent(wanted);
        try {
            if (connection.getAutoCommit()) {
                throw new TransactionRequiredException("A row with a value that is unique over all shards, "
                        + wanted.get(0).key()
                        + ", is written in a transaction only: its end says whether the value is taken."
                        + " Nothing was sent.");
            }
            new Round(shard).take(wanted);
        } catch (SQLException e) {
            throw failed(
                    e,
                    "A value of "
                            + wanted.stream()
                                    .map(claim -> claim.key().toString())
                                    .distinct()
                                    .collect(Collectors.joining(", "))
                            + " could not be claimed; the rows were not sent");
        }
    }

    private RuntimeException failed(SQLException e, String message) {
        return session.getJdbcServices().getSqlExceptionHelper().convert(e, message);
    }

    /** Two rows of one flush with the same value: the statement that claims could not tell which of them gets it. */
    private void requireDifferent(List<Claim> wanted) {
        Map<String, Claim> seen = new TreeMap<>();
        for (Claim claim : wanted) {
            Claim other = seen.putIfAbsent(claim.key().name() + ' ' + claim.text(), claim);
            if (other != null && other.id() != claim.id()) {
                throw duplicate(claim, other.id());
            }
        }
    }

    private DuplicateValueException duplicate(Claim claim, long owner) {
        UniqueKey key = claim.key();
        return new DuplicateValueException(
                "The value of " + key + " in the row with id " + claim.id() + " (shard " + cluster.shardOf(claim.id())
                        + ") is that of the row with id " + owner + " (shard " + cluster.shardOf(owner)
                        + "), but it is unique over all shards. The row was not sent: choose another value, or change the other row"
                        + " and commit that first.",
                key.entityName(),
                key.attributes(),
                key.name(),
                owner);
    }

    /** The claims of one flush, whose rows are in one shard. */
    private final class Round {
        private final int shard;
        private final ClaimTable own;
        private final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lockTimeout);
        private final RoutingControl routed;
        private @Nullable Claimant claimant;

        Round(int shard) throws SQLException {
            this.shard = shard;
            this.own = new ClaimTable(source, shard, connection, lockTimeout);
            this.routed = connection.unwrap(RoutingControl.class);
            List<String> reported = routed.claimant(shard);
            this.claimant = reported == null ? null : new Claimant(reported);
        }

        /** The shard of the rows comes first: the same round trip tells the id of the transaction, if the one of ids has not done so. */
        void take(List<Claim> wanted) throws SQLException {
            Map<Integer, List<Claim>> byShard = Claim.byShard(new LinkedHashSet<>(wanted), cluster.keyShards());
            List<Claim> here = byShard.remove(shard);
            if (here != null) {
                takeIn(own, here);
            } else if (claimant == null) {
                claimant = own.claimant();
            }
            routed.setClaimant(shard, Objects.requireNonNull(claimant).reported());
            for (Map.Entry<Integer, List<Claim>> there : byShard.entrySet()) {
                takeIn(new ClaimTable(source, there.getKey(), null, lockTimeout), there.getValue());
            }
        }

        private void takeIn(ClaimTable table, List<Claim> wanted) throws SQLException {
            List<Claim> left = wanted;
            while (!left.isEmpty()) {
                List<StoredClaim> answer = table.claim(left, table.connection() == null ? claimant : null);
                Claimant writer = answer.get(0).by();
                claimant = writer;
                List<Claim> again = new ArrayList<>();
                for (StoredClaim lost : answer.subList(1, answer.size())) {
                    Claim claim = left.stream().filter(lost::isOf).findFirst().orElseThrow();
                    if (lost.isDeleted() || !table.take(lost, claim, judge(lost, claim), writer)) {
                        requireTime(claim, lost);
                        again.add(claim);
                    }
                }
                left = again;
            }
        }

        /**
         * Returns the rows that have the value if this transaction, or a part of it, is rolled back, after it was found that no other row has it
         * now.
         */
        private List<Long> judge(StoredClaim stored, Claim claim) throws SQLException {
            List<Long> others = stored.rows().filter(row -> row != claim.id()).toList();
            if (stored.by().equals(claimant)) {
                for (long row : others) {
                    if (hasHere(claim, row)) {
                        throw duplicate(claim, row);
                    }
                }
                return others;
            }
            await(stored, claim);
            for (long row : others) {
                if (table(row).hasRow(claim.key(), claim.text(), row)) {
                    if (!isFreed(claim, row)) {
                        throw duplicate(claim, row);
                    }
                    return List.of(row);
                }
            }
            return List.of();
        }

        /**
         * Returns whether this transaction has changed or removed a row that has the value. One that has a snapshot cannot tell: it does not see a
         * row that was committed since.
         */
        private boolean isFreed(Claim claim, long row) throws SQLException {
            return cluster.shardOf(row) == shard && own.seesCommitted() && !hasHere(claim, row);
        }

        /** Returns whether a row of this transaction's shard has the value as the transaction sees it. */
        private boolean hasHere(Claim claim, long row) throws SQLException {
            session.getJdbcCoordinator().executeBatch();
            return own.hasRow(claim.key(), claim.text(), row);
        }

        /** The rows of another transaction, as they are committed. */
        private ClaimTable table(long row) {
            return new ClaimTable(source, cluster.shardOf(row), null, lockTimeout);
        }

        /**
         * Waits for the transaction of a claim. It asks again and again: a connection that waits in the database could be the one that the
         * other transaction needs.
         */
        private void await(StoredClaim stored, Claim claim) throws SQLException {
            long pause = FIRST_PAUSE_NANOS;
            while (!table(stored.id()).hasEnded(stored.by())) {
                requireTime(claim, stored);
                LockSupport.parkNanos(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        }

        private void requireTime(Claim claim, StoredClaim stored) {
            if (System.nanoTime() - deadline > 0) {
                String message =
                        "The value of " + claim.key() + " in the row with id " + claim.id() + " (shard " + shard
                                + ") was claimed by a transaction on database "
                                + stored.by().database() + " for the row with id " + stored.id()
                                + ", which has not ended within " + lockTimeout
                                + " ms (jakarta.persistence.lock.timeout). It may wait for a claim of this transaction in turn. The row was not"
                                + " sent: roll back, and try again.";
                throw new LockTimeoutException(message, new SQLException(message, LOCK_NOT_AVAILABLE), "");
            }
        }
    }
}
