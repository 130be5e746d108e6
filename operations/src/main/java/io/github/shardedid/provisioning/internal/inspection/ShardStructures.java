package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the schemas of the shards of one database look like, as the catalogues say. All are read by one query. */
final class ShardStructures {
    private static final String FILE = "/io/github/shardedid/provisioning/structure.sql";

    private ShardStructures() {}

    /** A hash of the structure, for each shard. Equal structures have equal hashes in all databases. */
    static Map<Integer, String> hashes(Connection connection, List<Integer> shards) throws SQLException {
        Map<Integer, String> hashes = new TreeMap<>();
        String sql = query()
                + "SELECT shard, md5(string_agg(line, E'\\n' ORDER BY line COLLATE \"C\")) FROM line GROUP BY 1";
        read(connection, sql, shards, row -> hashes.put(row.getInt(1), row.getString(2)));
        return hashes;
    }

    /** The structure in words, a line for each table, column, index and so on. */
    static List<String> lines(Connection connection, int shard) throws SQLException {
        List<String> lines = new ArrayList<>();
        String sql = query() + "SELECT line FROM line ORDER BY line COLLATE \"C\"";
        read(connection, sql, List.of(shard), row -> lines.add(row.getString(1)));
        return lines;
    }

    private interface Row {
        void take(ResultSet row) throws SQLException;
    }

    /** The catalogues' functions name schemas unless these are on the search path. */
    private static void read(Connection connection, String sql, List<Integer> shards, Row reader) throws SQLException {
        Transaction.run(connection, () -> {
            Sql.execute(connection, "SET LOCAL search_path = pg_catalog; SET LOCAL jit = off");
            try (PreparedStatement query = connection.prepareStatement(sql)) {
                query.setArray(1, connection.createArrayOf("int4", shards.toArray()));
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        reader.take(row);
                    }
                }
            }
        });
    }

    private static String query() {
        return Sql.load(ShardStructures.class, FILE);
    }
}
