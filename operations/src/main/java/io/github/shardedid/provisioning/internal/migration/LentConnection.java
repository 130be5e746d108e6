package io.github.shardedid.provisioning.internal.migration;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import javax.sql.DataSource;

/**
 * Lends one open connection again and again, so that Flyway needs no further ones and a pool of a single connection is
 * enough. Closing what is lent does nothing.
 */
final class LentConnection {
    private LentConnection() {}

    /**
     * Lends the connection, which stays the caller's to close. Flyway asks a data source for connections only.
     *
     * @param role the current role of the session, which Flyway restores without escaping its name
     */
    static DataSource of(Connection connection, String role) {
        String restoresRole = "SET ROLE '" + role + "'";
        Connection lent = Interception.of(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                arguments[0] = restoresRole.equals(arguments[0]) ? "SET ROLE " + Sql.literal(role) : arguments[0];
            }
            Object result =
                    method.getName().equals("close") ? null : Interception.proceed(connection, method, arguments);
            return result instanceof DatabaseMetaData meta ? withShortUrl(meta) : result;
        });
        return Interception.of(
                DataSource.class,
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? lent
                        : Interception.proceed(connection, method, arguments));
    }

    /**
     * Flyway searches the URL for secrets by regular expressions, once for each schema. These take a tenth of a second for the
     * thousands of characters of a URL in which a data source writes all its properties.
     */
    private static DatabaseMetaData withShortUrl(DatabaseMetaData meta) {
        return Interception.of(DatabaseMetaData.class, (proxy, method, arguments) -> {
            Object result = Interception.proceed(meta, method, arguments);
            return method.getName().equals("getURL") && result != null
                    ? result.toString().replaceFirst("\\?.*", "")
                    : result;
        });
    }
}
