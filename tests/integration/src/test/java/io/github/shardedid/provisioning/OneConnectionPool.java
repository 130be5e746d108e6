package io.github.shardedid.provisioning;

import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The smallest pool: one connection, which is refused while somebody has it. */
final class OneConnectionPool extends PGSimpleDataSource implements DataSource, AutoCloseable {
    private final transient Connection raw;
    private final AtomicBoolean lent = new AtomicBoolean();

    OneConnectionPool(TestDatabase database) throws SQLException {
        raw = database.connect();
    }

    Connection raw() {
        return raw;
    }

    String query(String sql) throws SQLException {
        try (ResultSet rows = raw.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!lent.compareAndSet(false, true)) {
            throw new SQLTransientConnectionException("the only connection is lent");
        }
        return Wrapped.connection(raw, call -> {
            if (call.equals("close")) {
                lent.set(false);
            }
        });
    }

    @Override
    public void close() throws SQLException {
        raw.close();
    }
}
