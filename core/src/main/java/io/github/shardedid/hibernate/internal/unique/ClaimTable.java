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
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    static final String TABLE = RoutingControl.generated(RoutingDataSource.SCHEMA_PLACEHOLDER) + ".sharded_id_claim";

    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final String CLAIMANT = "SELECT " + RoutingControl.CLAIMANT;
    private static final String CLAIM = "SELECT key, value, id, prior::text, claimant FROM sharded_id.claim_unique('"
            + TABLE + "', cast(? AS text[]), cast(? AS text[]), cast(? AS bigint[]), cast(? AS text[]), ?)";
    private static final String TAKE = "SELECT sharded_id.take_claim('" + TABLE
            + "', ?, ?, ?, cast(? AS bigint[]), cast(? AS text[]), ?, cast(? AS bigint[]), cast(? AS text[]), ?)";
    private static final String ENDED = "SELECT sharded_id.has_claimant_ended('" + TABLE + "', cast(? AS text[]))";
    private static final String ISOLATION = "SELECT pg_catalog.current_setting('transaction_isolation') LIKE 'read %'";
    private static final String OWNERS =
            "SELECT DISTINCT pg_catalog.unnest(id || prior) FROM " + TABLE + " WHERE attribute = ? AND value = ?";

    /**
     * A transaction that writes rows of a shard.
     *
     * @param reported by {@link RoutingControl#CLAIMANT}: the number that its server gave it, and when it began; the name under which the database
     *     was provisioned; and the generation of the shard there
     */
    record Claimant(List<String> reported) {
        static Claimant of(ResultSet row, int column) throws SQLException {
            return new Claimant(List.of((String[]) row.getArray(column).getArray()));
        }

        String database() {
            return reported.get(1);
        }

        String asArray() {
            return array(reported, String::toString);
        }
    }

    /**
     * A claim as it is stored.
     *
     * @param prior other rows that have the value if the transaction, or a part of it, was rolled back
     */
    record StoredClaim(String key, String text, long id, List<Long> prior, Claimant by) {
        /** Reads the columns key, value, id, prior rows and transaction. */
        static StoredClaim of(ResultSet row) throws SQLException {
            List<Long> prior = NUMBER.matcher(row.getString(4))
                    .results()
                    .map(id -> Long.valueOf(id.group()))
                    .toList();
            return new StoredClaim(row.getString(1), row.getString(2), row.getLong(3), prior, Claimant.of(row, 5));
        }

        /** Returns the rows that may have the value. */
        Stream<Long> rows() {
            return Stream.concat(Stream.of(id), prior.stream());
        }

        boolean isOf(Claim claim) {
            return key.equals(claim.key().name()) && text.equals(claim.text());
        }

        /** Returns whether it was deleted while its value was claimed, so that the value has to be claimed again. */
        boolean isDeleted() {
            return id < 0;
        }
    }

    /** Reads the row that a result is at. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Executes a statement in the shard, and reads all rows of its result. */
    <T> List<T> list(String sql, Reader<T> reader, @Nullable Object... parameters) throws SQLException {
        try (ShardContext.Scope scope = RoutedScope.open(shard)) {
            if (connection != null) {
                return list(connection, sql, reader, parameters);
            }
            try (Connection own = source.getConnection()) {
                own.unwrap(RoutingControl.class).useBeside();
                return list(own, sql, reader, parameters);
            }
        }
    }

    private static <T> List<T> list(Connection connection, String sql, Reader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> list = new ArrayList<>();
                while (rows.next()) {
                    list.add(reader.read(rows));
                }
                return list;
            }
        }
    }

    /** Executes a statement that returns true if it has done something, or if something is so. */
    boolean is(String sql, @Nullable Object... parameters) throws SQLException {
        return list(sql, row -> row.getBoolean(1), parameters).contains(true);
    }

    /** Returns the transaction of the connection, which gets an id by that. The shard stays where it is until it ends. */
    Claimant claimant() throws SQLException {
        return list(CLAIMANT, row -> Claimant.of(row, 1)).get(0);
    }

    /**
     * Claims values.
     *
     * @param claimant the transaction that writes the rows; null for that of the connection
     * @return first a claim of nothing that names this transaction, then those of the same values that are not of it and of these rows
     */
    List<StoredClaim> claim(List<Claim> claims, @Nullable Claimant claimant) throws SQLException {
        return list(
                CLAIM,
                StoredClaim::of,
                array(claims, claim -> claim.key().name()),
                array(claims, Claim::text),
                array(claims, claim -> Long.toString(claim.id())),
                claimant == null ? null : claimant.asArray(),
                lockTimeout);
    }

    /** A literal, as {@code createArrayOf} would need another connection. */
    static <T> String array(Collection<T> elements, Function<T, String> text) {
        return elements.stream()
                .map(element -> "\"" + text.apply(element).replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * Takes a claim over if it is still as it was judged.
     *
     * @param prior the rows that have the value if the taking transaction, or a part of it, is rolled back
     * @return false if somebody else has taken or renewed it since
     */
    boolean take(StoredClaim judged, Claim claim, List<Long> prior, Claimant to) throws SQLException {
        return is(
                TAKE,
                judged.key,
                judged.text,
                judged.id,
                array(judged.prior, String::valueOf),
                judged.by.asArray(),
                claim.id(),
                array(prior, String::valueOf),
                to.asArray(),
                lockTimeout);
    }

    /** Returns whether a transaction has ended that has written a row of this shard. */
    boolean hasEnded(Claimant claimant) throws SQLException {
        return is(ENDED, claimant.asArray());
    }

    /** Returns whether the transaction of the connection sees what others have committed since it began. */
    boolean seesCommitted() throws SQLException {
        return is(ISOLATION);
    }

    /** Returns whether a row of this shard has a value, as the connection sees it. */
    boolean hasRow(UniqueKey key, String text, long id) throws SQLException {
        return list(key.rowsQuery("= ?"), key::stored, id).contains(new Claim(key, text, id));
    }

    /** Returns the rows that may have a value: more than one after a transaction has taken the value from others. */
    List<Long> owners(UniqueKey key, String text) throws SQLException {
        return list(OWNERS, row -> row.getLong(1), key.name(), text);
    }
}
