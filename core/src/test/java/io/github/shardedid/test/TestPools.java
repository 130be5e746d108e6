package io.github.shardedid.test;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** HikariCP as tests need it on a machine of whatever speed. */
public final class TestPools {
    /** Read when a pool is made. */
    private static final String TRUSTED_MILLIS = "com.zaxxer.hikari.aliveBypassWindowMs";

    private TestPools() {}

    /** A {@link #trusting(Supplier) trusting} pool. */
    public static HikariDataSource trusting(HikariConfig config) {
        return trusting(() -> new HikariDataSource(config));
    }

    /**
     * A {@link #trusting(Supplier) trusting} pool behind a tap: where that is cut, a caller learns so at once, as soon as the broken
     * connections are gone. HikariCP itself would try again until its timeout, which is as long as the slowest machine needs.
     */
    public static HikariDataSource behind(WireTap tap, HikariConfig config) {
        return trusting(() -> new HikariDataSource(config) {
            @Override
            public Connection getConnection() throws SQLException {
                if (tap.isCut() && getHikariPoolMXBean().getIdleConnections() == 0) {
                    throw new SQLTransientConnectionException(
                            "The tap is cut", "08001", new ConnectException("Connection refused"));
                }
                return super.getConnection();
            }
        });
    }

    /**
     * Has pools made that never ask whether a connection still lives. By default those are asked that were idle for half a
     * second, which on a slow machine is any: a turn more where turns are counted, and a new connection where a broken one
     * is meant to be met.
     */
    public static synchronized <T> T trusting(Supplier<T> making) {
        System.setProperty(TRUSTED_MILLIS, String.valueOf(Long.MAX_VALUE));
        try {
            return making.get();
        } finally {
            System.clearProperty(TRUSTED_MILLIS);
        }
    }

    /** Until a pool whose database is back has a connection: after failures it lets seconds pass before it tries again. */
    public static void awaitConnection(HikariDataSource pool) {
        // What was broken may still lie in it.
        pool.getHikariPoolMXBean().softEvictConnections();
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Connection connection = pool.getConnection()) {
                return connection.isValid(0);
            }
        });
    }
}
