package io.github.shardedid.attack;

import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the rows and claims of all shards by SQL, while transactions go on and no snapshot is that of all databases: all rows, then all claims,
 * then all rows again. Rows that are the same before and after have had their names all the time in between.
 */
final class LoginsCheckpoint {
    private static final String OWNED = "SELECT shard FROM sharded_id.shard WHERE state IN ('ACTIVE', 'MOVING')";

    private final Collection<TestDatabase> databases;
    private final List<String> faults = new ArrayList<>();
    private final Set<Long> unclaimed = new HashSet<>();
    private final Set<Long> doubles = new HashSet<>();

    /**
     * A committed row.
     *
     * @param version changes whenever the row is written, in whatever way
     */
    private record Row(String database, String name, long id, String version) {}

    @FunctionalInterface
    private interface Reader {
        void read(int shard, ResultSet row) throws SQLException;
    }

    LoginsCheckpoint(Collection<TestDatabase> databases) {
        this.databases = databases;
    }

    /** Returns false if a server was down, or a shard changed over, so that nothing is known. */
    boolean read() {
        try {
            Set<Row> before = rows();
            Map<Integer, Map<String, Set<Long>>> claims = claims();
            Set<Row> rows = rows();
            rows.retainAll(before);
            judge(rows, claims);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private void judge(Set<Row> rows, Map<Integer, Map<String, Set<Long>>> claims) {
        Map<String, Row> owners = new HashMap<>();
        for (Row row : rows) {
            Row other = owners.put(row.name, row);
            if (other != null && other.id != row.id) {
                doubles.add(row.id);
                faults.add(row.name + " is the name of " + other + " and of " + row);
            }
            Map<String, Set<Long>> ofShard = claims.get(ShardKeys.shardOf(row.name, LoadOptions.SHARDS));
            if (ofShard != null && !ofShard.getOrDefault(row.name, Set.of()).contains(row.id)) {
                unclaimed.add(row.id);
                faults.add("The claim of " + row.name + " does not name " + row + ": " + ofShard.get(row.name));
            }
        }
    }

    List<String> faults() {
        return faults;
    }

    /** The ids of rows whose claims do not name them. */
    Set<Long> unclaimed() {
        return unclaimed;
    }

    /** The ids of all rows but one that have the same name. */
    Set<Long> doubles() {
        return doubles;
    }

    private Set<Row> rows() throws SQLException {
        Set<Row> rows = new HashSet<>();
        for (TestDatabase database : databases) {
            each(
                    database,
                    "SELECT lower(name), id, version || ' ' || xmin FROM %s.login WHERE name IS NOT NULL",
                    (shard, row) ->
                            rows.add(new Row(database.name(), row.getString(1), row.getLong(2), row.getString(3))));
        }
        return rows;
    }

    /** The rows that the claims in a shard name. A shard that moves may be missing. */
    private Map<Integer, Map<String, Set<Long>>> claims() throws SQLException {
        Map<Integer, Map<String, Set<Long>>> claims = new HashMap<>();
        for (TestDatabase database : databases) {
            each(
                            database,
                            "SELECT value, unnest(id || prior) FROM %s.sharded_id_claim WHERE attribute NOT LIKE '#%%'",
                            (shard, row) -> claims.computeIfAbsent(shard, none -> new HashMap<>())
                                    .computeIfAbsent(row.getString(1), none -> new HashSet<>())
                                    .add(row.getLong(2)))
                    .forEach(shard -> claims.putIfAbsent(shard, Map.of()));
        }
        return claims;
    }

    /** Returns the shards that the database owns. */
    private static List<Integer> each(TestDatabase database, String sql, Reader reader) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            List<Integer> shards = new ArrayList<>();
            try (ResultSet row = statement.executeQuery(OWNED)) {
                while (row.next()) {
                    shards.add(row.getInt(1));
                }
            }
            for (int shard : shards) {
                try (ResultSet row = statement.executeQuery(sql.formatted(ShardSchema.nameOf(shard)))) {
                    while (row.next()) {
                        reader.read(shard, row);
                    }
                }
            }
            return shards;
        }
    }
}
