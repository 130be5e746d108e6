package io.github.shardedid.boot.test;

import java.sql.Connection;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Checks that kept rows do not reference deleted rows, because foreign keys are disabled while rows are deleted. */
final class KeptTables {
    private static final String LEFT_ALONE =
            """
            SELECT DISTINCT c.relname, p.relname
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
            WHERE k.contype = 'f' AND c.relname = ANY (?) AND p.relname <> ALL (?)
            LIMIT 1""";

    private KeptTables() {}

    static void check(Connection connection, String database, List<String> keep) {
        Object names = keep.toArray(String[]::new);
        new JdbcTemplate(new SingleConnectionDataSource(connection, true))
                .query(
                        LEFT_ALONE,
                        (RowCallbackHandler) row -> {
                            throw new IllegalArgumentException(
                                    "@AutoConfigureShardedCluster(keep = …) contains " + row.getString(1)
                                            + ", which references " + row.getString(2) + " on database " + database
                                            + ", whose rows would be deleted. Add that table, too.");
                        },
                        names,
                        names);
    }
}
