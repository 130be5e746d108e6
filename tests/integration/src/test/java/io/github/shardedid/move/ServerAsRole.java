package io.github.shardedid.move;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** A server whose databases are used as a role that is no superuser, and that is asked for its password. */
public record ServerAsRole(PostgresServer server, String username, String password) implements PostgresServer {
    /** Makes the role, with no right but to log in. */
    public static ServerAsRole on(PostgresServer server, String role) {
        TestDatabase postgres = new TestDatabase(server, "postgres");
        if (postgres.queryLong("SELECT count(*) FROM pg_roles WHERE rolname = '" + role + "'") == 0) {
            postgres.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'pw of " + role + "'");
            passwordFor(postgres, role);
        }
        return new ServerAsRole(server, role, "pw of " + role);
    }

    /** Embedded servers trust everybody; the first line that fits counts. */
    static void passwordFor(TestDatabase postgres, String role) {
        Path file = Path.of(postgres.query("SHOW hba_file").get(0));
        try {
            Files.writeString(file, "host all " + role + " all scram-sha-256\n" + Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        postgres.query("SELECT pg_reload_conf()");
    }

    /** As the superuser, in every database. */
    TestDatabase owned(TestDatabase database) {
        return new TestDatabase(server, database.name());
    }

    /** Databases are made and dropped by the superuser. */
    @Override
    public Connection connect(String database) throws SQLException {
        return database.equals("postgres") ? server.connect(database) : PostgresServer.super.connect(database);
    }

    @Override
    public TestDatabase newDatabase() {
        TestDatabase made = server.newDatabase();
        made.execute("GRANT CREATE ON DATABASE " + made.name() + " TO " + username);
        return new TestDatabase(this, made.name());
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void stop() {
        server.stop();
    }

    @Override
    public void start() {
        server.start();
    }

    @Override
    public void close() {
        server.close();
    }
}
