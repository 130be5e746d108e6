package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What Flyway's tables in the schemas of the shards of one database say, fifty per statement. */
final class ShardHistories {
    private static final int PER_STATEMENT = 50;
    private static final String TABLES =
            "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE c.relname = 'flyway_schema_history' AND c.relkind = 'r'";

    private ShardHistories() {}

    /**
     * A shard's.
     *
     * @param version of the last versioned script that succeeded, or null
     * @param failed scripts
     */
    record History(@Nullable String version, List<String> failed) {
        static final History NONE = new History(null, List.of());
    }

    /** By shard; without those that have no table. */
    static Map<Integer, History> read(Connection connection, List<Integer> shards) throws SQLException {
        Set<String> schemas = new HashSet<>(Sql.strings(connection, TABLES));
        List<Integer> there = shards.stream()
                .filter(shard -> schemas.contains(ShardSchema.nameOf(shard)))
                .toList();
        Map<Integer, History> histories = new TreeMap<>();
        for (List<Integer> some : Batches.of(there, PER_STATEMENT)) {
            String sql = some.stream().map(ShardHistories::query).collect(Collectors.joining(" UNION ALL "));
            histories.putAll(Sql.map(connection, sql, row -> Map.entry(row.getInt(1), history(row))));
        }
        return histories;
    }

    private static History history(ResultSet row) throws SQLException {
        String failed = row.getString(3);
        return new History(row.getString(2), failed == null ? List.of() : List.of(failed.split("\n", -1)));
    }

    private static String query(int shard) {
        String history = ShardSchema.nameOf(shard) + ".flyway_schema_history";
        return "SELECT " + shard + ", (SELECT version FROM " + history
                + " WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1), (SELECT"
                + " string_agg(script, '\n' ORDER BY installed_rank) FROM " + history + " WHERE NOT success)";
    }
}
