package io.github.shardedid.move;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the server of another database reaches this one, for logical replication.
 *
 * @param host as the other server resolves it
 * @param port of the server, 1 to 65535
 * @param database the database's name on its server
 * @param user may start a WAL sender (attribute {@code REPLICATION}, or what a managed service grants instead) and read the shards' tables
 * @param password its password, or null if the other server knows it or needs none
 */
public record ReplicationSource(String host, int port, String database, String user, @Nullable String password) {
    /** Checks the port. */
    public ReplicationSource {
        Objects.requireNonNull(host);
        Objects.requireNonNull(database);
        Objects.requireNonNull(user);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("A port is a number from 1 to 65535, not " + port + ".");
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user + "@" + host + ":" + port + "/" + database;
    }
}
