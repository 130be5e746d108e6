package io.github.shardedid.provisioning.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The search path of a connection, which must be given back as it was. */
public final class SearchPath {
    private SearchPath() {}

    /** What it is. */
    public static String of(Connection connection) throws SQLException {
        try (PreparedStatement show = connection.prepareStatement("SELECT current_setting('search_path')");
                ResultSet row = show.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    /** Sets it for the session; in a transaction, if that is committed. */
    public static void restore(Connection connection, String searchPath) throws SQLException {
        try (PreparedStatement set = connection.prepareStatement("SELECT set_config('search_path', ?, false)")) {
            set.setString(1, searchPath);
            set.execute();
        }
    }
}
