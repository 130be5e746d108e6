package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a query's tables again in all shards that it asks, after it has failed or has returned different columns. For one thread. */
public final class TableComparison {
    private final String sql;
    private final Assumptions assumptions;
    private final Catalogues catalogues;
    private final int version;
    private final Map<TableName, Seen> first = new HashMap<>();

    /** A table, and in which shard it was seen. */
    private record Seen(TableColumns columns, String where) {}

    public TableComparison(String sql, Assumptions assumptions, Catalogues catalogues) {
        this.sql = sql;
        this.assumptions = assumptions;
        this.catalogues = catalogues;
        this.version = catalogues.version();
    }

    /**
     * Reads the tables of some shards, and the functions of their database.
     *
     * @throws UnmergeableQueryException if a table is not as it is in another shard
     */
    public void add(Connection connection, String database, List<Integer> shards) throws SQLException {
        Map<TableName, TableColumns.Uses> tables = assumptions.tables();
        catalogues.lookUp(connection, database, assumptions.functions());
        Map<TableName, TableColumns> read = TableColumns.read(
                connection, shards.stream().map(ShardSchema::nameOf).toList(), tables.keySet());
        for (int shard : shards) {
            tables.forEach((name, uses) -> {
                TableColumns columns = read.get(name.in(ShardSchema.nameOf(shard)));
                if (columns != null) {
                    Seen seen = new Seen(columns, "shard " + shard + " on database " + database);
                    Seen before = first.putIfAbsent(name, seen);
                    requireAlike(name, before == null ? seen : before, seen, uses);
                }
            });
        }
    }

    private void requireAlike(TableName name, Seen a, Seen b, TableColumns.Uses uses) {
        Map.Entry<String, String> difference = a.columns.difference(b.columns, uses);
        if (difference != null) {
            throw new UnmergeableQueryException("Table " + name.name() + " has " + difference.getKey() + " in "
                    + a.where
                    + ", and " + difference.getValue() + " in " + b.where + ". Rows of both cannot be one result: "
                    + SqlText.brief(sql)
                    + ". Finish the migration of all shards, select columns that are alike, or query each shard.");
        }
    }

    /** Returns whether something is otherwise than the query takes it to be. */
    public boolean isOutdated() {
        first.forEach((name, seen) -> catalogues.put(name, seen.columns));
        return catalogues.version() != version;
    }
}
