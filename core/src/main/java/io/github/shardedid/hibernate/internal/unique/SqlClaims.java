package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.routing.RoutingDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hibernate.HibernateException;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * The claims of rows of one shard that are written by SQL, without Hibernate: those of deleted rows are removed, and restored rows claim their
 * values. For one thread.
 */
public final class SqlClaims {
    private static final int BATCH = 2_000;

    private final RoutingDataSource source;
    private final UniqueKeys declared;
    private final SessionFactoryImplementor factory;
    private final List<Claim> deleted = new ArrayList<>();
    private long left;

    public SqlClaims(RoutingDataSource source, UniqueKeys keys, SessionFactoryImplementor factory) {
        this.source = source;
        this.declared = keys;
        this.factory = factory;
    }

    /** Returns the unique keys of a table, by its name as PostgreSQL stores it. */
    public List<UniqueKey> of(String table) {
        return declared.all(factory).stream().filter(key -> key.isOf(table)).toList();
    }

    /** Returns the columns that the other methods read of a row. */
    public static String columns(List<UniqueKey> keys) {
        return keys.stream().flatMap(key -> key.columnsOfClaim().stream()).collect(Collectors.joining(", "));
    }

    /** Reads deleted rows, whose claims {@link #release} removes. Returns the number of rows. */
    public int read(List<UniqueKey> keys, ResultSet rows) throws SQLException {
        deleted.clear();
        int count = 0;
        while (rows.next()) {
            count++;
            addTo(deleted, keys, rows);
        }
        return count;
    }

    /** Removes the claims of the rows that were read, after their transaction has ended. */
    public void release() {
        Map<UniqueKey, List<Claim>> byKey = deleted.stream().collect(Collectors.groupingBy(Claim::key));
        byKey.forEach((key, claims) -> {
            try {
                left += new ClaimInspection(source, declared, factory, progress -> {}).release(key, claims);
            } catch (HibernateException e) {
                left += claims.size(); // Their database is down. The rows are gone, so that the claims are orphans.
            }
        });
    }

    /** Counts claims that remain after their rows. */
    public void leave(long claims) {
        left += claims;
    }

    /** Returns the number of claims without a row that are left. They harm nobody. */
    public long left() {
        return left;
    }

    /**
     * Claims the values of rows that the transaction of a connection has stored.
     *
     * @throws io.github.shardedid.hibernate.DuplicateValueException if another row has one of the values
     */
    public void take(Connection connection, int shard, List<UniqueKey> keys, ResultSet rows) throws SQLException {
        List<Claim> claims = new ArrayList<>();
        try (StatelessSession session = factory.openStatelessSession(connection)) {
            Claims taken = new Claims(source, (SharedSessionContractImplementor) session);
            while (rows.next()) {
                addTo(claims, keys, rows);
                if (claims.size() >= BATCH) {
                    taken.take(shard, claims);
                    claims.clear();
                }
            }
            if (!claims.isEmpty()) {
                taken.take(shard, claims);
            }
        }
    }

    private static void addTo(List<Claim> claims, List<UniqueKey> keys, ResultSet row) throws SQLException {
        int column = 1;
        for (UniqueKey key : keys) {
            Claim claim = key.claim(row, column);
            if (claim != null) {
                claims.add(claim);
            }
            column += key.columnsOfClaim().size();
        }
    }
}
