package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.internal.migration.SchemaMigrations.History;
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

/** What the tables of Flyway or Liquibase in the schemas of the shards of one database say, fifty per statement. */
final class ShardHistories {
    private static final int PER_STATEMENT = 50;
    private static final String TABLES =
            "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE c.relname = ? AND c.relkind = 'r'";

    private ShardHistories() {}

    /**
     * A shard's.
     *
     * @param version of the last versioned script that succeeded, or the last change set; or null
     * @param failed scripts; Liquibase stores none
     */
    record Standing(@Nullable String version, List<String> failed) {
        static final Standing NONE = new Standing(null, List.of());
    }

    /** By shard; without those that have no table. */
    static Map<Integer, Standing> read(Connection connection, List<Integer> shards, History history)
            throws SQLException {
        Set<String> schemas = new HashSet<>(Sql.strings(connection, TABLES, history.table()));
        List<Integer> there = shards.stream()
                .filter(shard -> schemas.contains(ShardSchema.nameOf(shard)))
                .toList();
        Map<Integer, Standing> histories = new TreeMap<>();
        for (List<Integer> some : Batches.of(there, PER_STATEMENT)) {
            String sql = some.stream().map(shard -> query(shard, history)).collect(Collectors.joining(" UNION ALL "));
            histories.putAll(Sql.map(connection, sql, row -> Map.entry(row.getInt(1), standing(row))));
        }
        return histories;
    }

    private static Standing standing(ResultSet row) throws SQLException {
        String failed = row.getString(3);
        return new Standing(row.getString(2), failed == null ? List.of() : List.of(failed.split("\n", -1)));
    }

    private static String query(int shard, History tool) {
        String history = ShardSchema.nameOf(shard) + "." + tool.table();
        if (tool == History.LIQUIBASE) {
            return "SELECT " + shard + ", (SELECT concat_ws('::', filename, id, author) FROM " + history
                    + " ORDER BY orderexecuted DESC LIMIT 1), NULL::text";
        }
        return "SELECT " + shard + ", (SELECT version FROM " + history
                + " WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1), (SELECT"
                + " string_agg(script, '\n' ORDER BY installed_rank) FROM " + history + " WHERE NOT success)";
    }
}
