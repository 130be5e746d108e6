package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The claims in the schema of one shard, by the functions of schema {@code sharded_id}: one round trip for each method. For one thread at
 * a time.
 *
 * <p>Without a connection, each call takes one of its own, in autocommit, so that what it has claimed is committed when it returns. It is given
 * back before anything is waited for: the transaction that is waited for may need it.
 *
 * @param connection the one of the transaction that writes the rows, if they are in this shard, too; else null
 * @param lockTimeout the longest wait for a lock, in milliseconds
 */
record ClaimTable(RoutingDataSource source, int shard, @Nullable Connection connection, int lockTimeout) {
    private static final String TABLE =
            RoutingControl.generated(RoutingDataSource.SCHEMA_PLACEHOLDER) + ".sharded_id_claim";

    private static final String CLAIMANT =
            "SELECT by_transaction, by_database, by_generation FROM sharded_id.claimant_transaction('" + TABLE + "')";
    private static final String CLAIM =
            "SELECT key, value, id, prior, by_transaction, by_database, by_generation FROM sharded_id.claim_unique('"
                    + TABLE + "', cast(? AS text[]), cast(? AS text[]), cast(? AS bigint[]), ?, ?, ?, ?)";
    private static final String TAKE =
            "SELECT sharded_id.take_claim('" + TABLE + "', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String ENDED = "SELECT sharded_id.has_claimant_ended('" + TABLE + "', ?, ?, ?)";
    private static final String ISOLATION = "SELECT pg_catalog.current_setting('transaction_isolation') LIKE 'read %'";
    private static final String OWNERS = "SELECT id, prior FROM " + TABLE + " WHERE attribute = ? AND value = ?";

    /**
     * A transaction that writes rows of a shard.
     *
     * @param id the number that its server gave it
     * @param database the name under which the database was provisioned
     * @param generation of the shard of its rows there
     */
    record Claimant(long id, String database, long generation) {}

    /**
     * A claim as it is stored.
     *
     * @param prior another row, or the same one, that has the value if the transaction was rolled back; null if there is none
     */
    record StoredClaim(String key, String text, long id, @Nullable Long prior, Claimant by) {
        boolean isOf(Claim claim) {
            return key.equals(claim.key().name()) && text.equals(claim.text());
        }
    }

    /** What {@link #claim} has found. */
    record Answer(Claimant claimant, List<StoredClaim> lost) {}

    /** Binds parameters, and reads the result. */
    @FunctionalInterface
    private interface Call<T> {
        T on(PreparedStatement statement) throws SQLException;
    }

    /** Executes a statement in the shard. */
    private <T> T call(String sql, Call<T> call) throws SQLException {
        try (ShardContext.Scope scope = RoutedScope.open(shard)) {
            if (connection != null) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    return call.on(statement);
                }
            }
            try (Connection own = source.getConnection()) {
                own.unwrap(RoutingControl.class).useBeside();
                try (PreparedStatement statement = own.prepareStatement(sql)) {
                    return call.on(statement);
                }
            }
        }
    }

    /** Returns the transaction of the connection, which gets an id by that. The shard stays where it is until it ends. */
    Claimant claimant() throws SQLException {
        return call(CLAIMANT, statement -> {
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return claimant(row, 1);
            }
        });
    }

    private static Claimant claimant(ResultSet row, int column) throws SQLException {
        return new Claimant(row.getLong(column), row.getString(column + 1), row.getLong(column + 2));
    }

    /**
     * Claims values.
     *
     * @param claimant the transaction that writes the rows; null for that of the connection
     * @return the claims that other rows have, and those behind which there may be another row
     */
    Answer claim(List<Claim> claims, @Nullable Claimant claimant) throws SQLException {
        return call(CLAIM, statement -> {
            statement.setString(1, array(claims, claim -> claim.key().name()));
            statement.setString(2, array(claims, Claim::text));
            statement.setString(3, array(claims, claim -> Long.toString(claim.id())));
            statement.setObject(4, claimant == null ? null : claimant.id(), java.sql.Types.BIGINT);
            statement.setString(5, claimant == null ? null : claimant.database());
            statement.setObject(6, claimant == null ? null : claimant.generation(), java.sql.Types.BIGINT);
            statement.setInt(7, lockTimeout);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Claimant by = claimant(row, 5);
                List<StoredClaim> lost = new ArrayList<>();
                while (row.next()) {
                    lost.add(new StoredClaim(
                            row.getString(1),
                            row.getString(2),
                            row.getLong(3),
                            row.getObject(4, Long.class),
                            claimant(row, 5)));
                }
                return new Answer(by, lost);
            }
        });
    }

    /** A literal, as {@code createArrayOf} would need another connection. */
    private static String array(List<Claim> claims, Function<Claim, String> element) {
        return claims.stream()
                .map(claim -> "\"" + element.apply(claim).replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * Takes a claim over if it is still as it was judged.
     *
     * @param prior the row that has the value if the taking transaction is rolled back; null if there is none
     * @return false if somebody else has taken or renewed it since
     */
    boolean take(StoredClaim judged, Claim claim, @Nullable Long prior, Claimant claimant) throws SQLException {
        return call(TAKE, statement -> {
            statement.setString(1, judged.key());
            statement.setString(2, judged.text());
            statement.setLong(3, judged.id());
            statement.setObject(4, judged.prior(), java.sql.Types.BIGINT);
            statement.setLong(5, judged.by().id());
            statement.setString(6, judged.by().database());
            statement.setLong(7, judged.by().generation());
            statement.setLong(8, claim.id());
            statement.setObject(9, prior, java.sql.Types.BIGINT);
            statement.setLong(10, claimant.id());
            statement.setString(11, claimant.database());
            statement.setLong(12, claimant.generation());
            statement.setInt(13, lockTimeout);
            return is(statement);
        });
    }

    /** Returns whether a transaction has ended that has written a row of this shard. */
    boolean hasEnded(Claimant claimant) throws SQLException {
        return call(ENDED, statement -> {
            statement.setLong(1, claimant.id());
            statement.setString(2, claimant.database());
            statement.setLong(3, claimant.generation());
            return is(statement);
        });
    }

    private static boolean is(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** Returns whether the transaction of the connection sees what others have committed since it began. */
    boolean seesCommitted() throws SQLException {
        return call(ISOLATION, ClaimTable::is);
    }

    /** Returns whether a row of this shard has a value, as the connection sees it. */
    boolean hasRow(UniqueKey key, String text, long id) throws SQLException {
        return call(key.rowQuery(), statement -> {
            statement.setLong(1, id);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return false;
                }
                List<@Nullable String> columns = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    columns.add(row.getString(i));
                }
                return text.equals(key.text(columns));
            }
        });
    }

    /** Returns the rows that may have a value: none, one or, after a transaction has taken the value from a row, two. */
    List<Long> owners(UniqueKey key, String text) throws SQLException {
        return call(OWNERS, statement -> {
            statement.setString(1, key.name());
            statement.setString(2, text);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return List.of();
                }
                long id = row.getLong(1);
                Long prior = row.getObject(2, Long.class);
                return prior == null || Objects.equals(prior, id) ? List.of(id) : List.of(id, prior);
            }
        });
    }
}
