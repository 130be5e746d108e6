package io.github.shardedid.move;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the server of another database reaches this one, for logical replication.
 *
 * @param host as the other server resolves it
 * @param port of the server, 1 to 65535
 * @param database the database's name on its server
 * @param user may start a WAL sender (attribute {@code REPLICATION}, or what a managed service grants instead) and read the shards' tables
 * @param password its password, or null if the other server knows it or needs none
 * @param parameters further connection parameters of libpq, such as {@code sslmode}, {@code sslrootcert}, {@code sslcert} and
 *     {@code sslkey}. Files are those of the other server. Without {@code sslmode}, that of the data source's URL applies, and at least
 *     {@code require} if the mover's own connection is encrypted
 */
public record ReplicationSource(
        String host,
        int port,
        String database,
        String user,
        @Nullable String password,
        Map<String, String> parameters) {
    private static final Set<String> COMPONENTS = Set.of(
            "host", "hostaddr", "port", "dbname", "user", "password", "service", "replication", "client_encoding");

    /** Checks the port and the names of the parameters. */
    public ReplicationSource {
        Objects.requireNonNull(host);
        Objects.requireNonNull(database);
        Objects.requireNonNull(user);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("A port is a number from 1 to 65535, not " + port + ".");
        }
        parameters = Map.copyOf(parameters);
        for (String name : parameters.keySet()) {
            if (!name.matches("[a-z_]+") || COMPONENTS.contains(name)) {
                throw new IllegalArgumentException("The parameter " + name + " cannot be set for a replication source."
                        + " Set host, port, database, user and password by themselves, and others by their name in"
                        + " libpq, such as sslrootcert.");
            }
        }
    }

    /**
     * A source without further parameters.
     *
     * @param host as the other server resolves it
     * @param port of the server, 1 to 65535
     * @param database the database's name on its server
     * @param user may start a WAL sender and read the shards' tables
     * @param password its password, or null if the other server knows it or needs none
     */
    public ReplicationSource(String host, int port, String database, String user, @Nullable String password) {
        this(host, port, database, user, password, Map.of());
    }

    /**
     * Returns a copy with a value for a parameter that has none yet.
     *
     * @param name of the parameter
     * @param value used unless there is one
     * @return this source if there is one
     */
    public ReplicationSource withDefault(String name, String value) {
        if (parameters.containsKey(name)) {
            return this;
        }
        Map<String, String> all = new TreeMap<>(parameters);
        all.put(name, value);
        return new ReplicationSource(host, port, database, user, password, all);
    }

    /** Without the password, and of the parameters only {@code sslmode}. */
    @Override
    public String toString() {
        String mode = parameters.get("sslmode");
        return user + "@" + host + ":" + port + "/" + database + (mode == null ? "" : " (sslmode " + mode + ")");
    }
}
