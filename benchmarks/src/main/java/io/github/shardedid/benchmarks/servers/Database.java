package io.github.shardedid.benchmarks.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A new database of a run. The system property {@value #SERVERS} names servers by their URLs without a database, such as
 * {@code jdbc:postgresql://db1:5432}, separated by commas; {@code PGUSER} and {@code PGPASSWORD} of the environment are
 * used there. Without it embedded servers are started.
 */
public record Database(String url) {
    public static final String SERVERS = "sharded-id.benchmarks.servers";

    private static final AtomicInteger CREATED = new AtomicInteger();

    /** Creates an empty database on the server with a number, from 1. */
    public static Database create(int server) throws SQLException {
        if (embedded()) {
            return new Database(
                    PostgresServers.shared(server).newDatabase().url().replace("localhost", "127.0.0.1"));
        }
        String[] urls = System.getProperty(SERVERS, "").split(",", -1);
        String base = urls[(server - 1) % urls.length].strip();
        String name = "sharded_id_figures_" + ProcessHandle.current().pid() + "_" + CREATED.incrementAndGet();
        new Database(base + "/postgres").execute("CREATE DATABASE " + name);
        return new Database(base + "/" + name);
    }

    public static boolean embedded() {
        return System.getProperty(SERVERS, "").isBlank();
    }

    private static String fromEnvironment(String name) {
        String value = embedded() ? null : System.getenv(name);
        return value == null ? "postgres" : value;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, fromEnvironment("PGUSER"), fromEnvironment("PGPASSWORD"));
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, sql);
        }
    }

    /** How other servers reach this one, by its URL. */
    public ReplicationSource reach() {
        URI uri = URI.create(url.substring("jdbc:".length()));
        return new ReplicationSource(
                uri.getHost(),
                uri.getPort(),
                uri.getPath().substring(1),
                fromEnvironment("PGUSER"),
                fromEnvironment("PGPASSWORD"));
    }

    /**
     * How other servers of the run reach this one. Those in containers have other addresses there than those that this process uses.
     *
     * @param number the server's, from 1
     */
    public ReplicationSource reach(int number) {
        if (!embedded()) {
            return reach();
        }
        PostgresServer server = PostgresServers.shared(number);
        return new ReplicationSource(
                server.peerHost(), server.peerPort(), reach().database(), server.username(), server.password());
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    public static double number(Connection connection, String sql) throws SQLException {
        return Double.parseDouble(query(connection, sql));
    }

    /** A pool as an application would configure it for shards. */
    public HikariDataSource pool(String name) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(url);
        config.setUsername(fromEnvironment("PGUSER"));
        config.setPassword(fromEnvironment("PGPASSWORD"));
        config.addDataSourceProperty("preparedStatementCacheQueries", "4096");
        config.addDataSourceProperty("preparedStatementCacheSizeMiB", "64");
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }
}
