package io.github.shardedid.test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/** An empty database of a test's own on a server, with the few JDBC lines that tests need to look at it from outside. */
public record TestDatabase(PostgresServer server, String name) {
    public String url() {
        return server.url(name);
    }

    /** A new database with what is in this one, to which nobody is connected. */
    /** A copy whose shards may lease nodes at once: a clone is otherwise taken for a restore. */
    public TestDatabase copy() {
        TestDatabase copy = server.newDatabase(name);
        copy.execute(
                """
                DO $$
                DECLARE
                  shard name;
                BEGIN
                  FOR shard IN SELECT nspname FROM pg_namespace WHERE nspname ~ '^shard_[0-9]+$' LOOP
                    EXECUTE format('UPDATE %I.sharded_id_lease SET server = sharded_id.lease_stamp() WHERE node = -1', shard);
                  END LOOP;
                END
                $$""");
        return copy;
    }

    public Connection connect() throws SQLException {
        return server.connect(name);
    }

    /** A data source without a pool. */
    public DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        source.setUser(server.username());
        source.setPassword(server.password());
        return source;
    }

    /** Removes the database, whoever is still connected. The server itself waits five seconds for their sessions to end. */
    public void drop() {
        TestDatabase postgres = new TestDatabase(server, "postgres");
        Awaitility.await().ignoreExceptions().until(() -> {
            postgres.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            return true;
        });
    }

    /** Runs statements, as psql would. */
    public void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The first column of a query's rows, as text; SQL's null is "null". */
    public List<String> query(String sql) {
        List<String> values = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(String.valueOf(rows.getString(1)));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
        return values;
    }

    /** The single value of a query, as a number. */
    public long queryLong(String sql) {
        return Long.parseLong(query(sql).get(0));
    }
}
