package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Connection details of databases of the cluster, such as those of containers or of a service that issues passwords. They take
 * precedence over the URL, user and password in {@code sharded-id.databases}, which must still contain the names of the databases
 * and their shards. There may be several such beans. Called when connection pools are created, and then before each new
 * connection and each subscription of a move, so that user and password may change: the URL may not.
 */
@FunctionalInterface
public interface ShardedConnectionDetails extends ConnectionDetails {
    /**
     * Returns how to connect to a database.
     *
     * @param database a name under {@code sharded-id.databases}
     * @return the connection, or null if this bean does not know the database
     */
    @Nullable
    Connection connectionTo(String database);

    /**
     * A connection to a database. {@code toString()} shows no value.
     *
     * @param url JDBC URL of a PostgreSQL database
     * @param username user of the database, or null if the URL contains it
     * @param password password of the user, or null if it has none
     */
    record Connection(String url, @Nullable String username, @Nullable String password) {
        @Override
        public String toString() {
            return "Connection";
        }
    }
}
