package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the schemas of the shards of one database look like, as the catalogues say. All are read by one query. */
final class ShardStructures {
    private static final String FILE = "/io/github/shardedid/provisioning/structure.sql";

    private ShardStructures() {}

    /** A hash of the structure, for each shard. Equal structures have equal hashes in all databases. */
    static Map<Integer, String> hashes(Connection connection, List<Integer> shards) throws SQLException {
        String sql = "SELECT shard, md5(string_agg(line, E'\\n' ORDER BY line COLLATE \"C\")) FROM line GROUP BY 1";
        return read(connection, sql, shards, row -> Map.entry(row.getInt(1), row.getString(2))).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The structure in words, a line for each table, column, index and so on. */
    static List<String> lines(Connection connection, int shard) throws SQLException {
        String sql = "SELECT line FROM line ORDER BY line COLLATE \"C\"";
        return read(connection, sql, List.of(shard), row -> row.getString(1));
    }

    /** The catalogues' functions name schemas unless these are on the search path. */
    private static <T> List<T> read(Connection connection, String sql, List<Integer> shards, Sql.RowReader<T> reader)
            throws SQLException {
        return Transaction.read(connection, () -> {
            Sql.execute(connection, "SET LOCAL search_path = pg_catalog; SET LOCAL jit = off");
            return Sql.query(
                    connection,
                    Sql.load(ShardStructures.class, FILE) + sql,
                    reader,
                    connection.createArrayOf("int4", shards.toArray()));
        });
    }
}
