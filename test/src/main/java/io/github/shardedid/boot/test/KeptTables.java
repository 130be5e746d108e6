package io.github.shardedid.boot.test;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Checks that kept rows do not reference deleted rows, because foreign keys are disabled while rows are deleted. */
final class KeptTables {
    private static final String LEFT_ALONE =
            """
            SELECT DISTINCT c.relname, p.relname
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
            WHERE k.contype = 'f' AND c.relname = ANY (?) AND p.relname <> ALL (?)
            LIMIT 1""";

    private KeptTables() {}

    static void check(Connection connection, String database, List<String> keep) throws SQLException {
        Array names = connection.createArrayOf("text", keep.toArray());
        try (PreparedStatement query = connection.prepareStatement(LEFT_ALONE)) {
            query.setArray(1, names);
            query.setArray(2, names);
            try (ResultSet rows = query.executeQuery()) {
                if (rows.next()) {
                    throw new IllegalArgumentException(
                            "@AutoConfigureShardedCluster(keep = …) contains " + rows.getString(1)
                                    + ", which references " + rows.getString(2) + " on database " + database
                                    + ", whose rows would be deleted. Add that table, too.");
                }
            }
        }
    }
}
