package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Knows how some of the cluster's databases are reached, as a container does, or a service that hands out passwords. Counts
 * more than the URL, user and password in {@code sharded-id.databases}, where the names of the databases and their shards
 * stand in any case. There may be several such beans. Asked once, when the pools are made.
 */
@FunctionalInterface
public interface ShardedConnectionDetails extends ConnectionDetails {
    /**
     * How a database is reached.
     *
     * @param database a name under {@code sharded-id.databases}
     * @return the connection, or null if this does not know that database
     */
    @Nullable
    Connection connectionTo(String database);

    /**
     * How a database is reached. Its text shows nothing.
     *
     * @param url JDBC URL of a PostgreSQL database
     * @param username user of the database, or null if the URL says it
     * @param password password of the user, or null if there is none
     */
    record Connection(String url, @Nullable String username, @Nullable String password) {
        @Override
        public String toString() {
            return "Connection";
        }
    }
}
