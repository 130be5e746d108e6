package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the databases hold when nobody writes any more, by SQL: no two rows have one name, and by the history that they wrote when they committed,
 * no two have ever had one at the same time; the claim of each name names its row.
 */
final class LoginsOracle {
    private final BankCluster cluster;
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Long> owners = new HashMap<>();
    private int events;

    /**
     * One change of a row.
     *
     * @param at in microseconds, by the clock that all servers of this machine share
     */
    private record Event(long at, long login, @Nullable String lost, @Nullable String got) {}

    @FunctionalInterface
    private interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    LoginsOracle(BankCluster cluster) {
        this.cluster = cluster;
    }

    List<String> judge() throws SQLException {
        readRows();
        judgeHistory();
        judgeClaims();
        return faults;
    }

    /** The names that rows have. */
    Set<String> taken() {
        return owners.keySet();
    }

    int events() {
        return events;
    }

    private void each(int shard, String sql, Reader reader) throws SQLException {
        ShardMap map = cluster.map();
        TestDatabase home = cluster.database(map.databaseOf(shard));
        try (Connection connection = home.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = " + ShardSchema.nameOf(shard));
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    private void readRows() throws SQLException {
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            each(shard, "SELECT lower(name), id FROM login WHERE name IS NOT NULL", row -> {
                Long other = owners.put(row.getString(1), row.getLong(2));
                if (other != null) {
                    faults.add(row.getString(1) + " is the name of " + other + " and of " + row.getLong(2));
                }
            });
        }
    }

    /** A row commits its name after the one that had it before has committed that it has it no longer, so that the times are in this order. */
    private void judgeHistory() throws SQLException {
        List<Event> all = new ArrayList<>();
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            each(
                    shard,
                    "SELECT (extract(epoch FROM at) * 1000000)::bigint, login, lost, got FROM login_history"
                            + " WHERE lost IS DISTINCT FROM got",
                    row -> all.add(new Event(row.getLong(1), row.getLong(2), row.getString(3), row.getString(4))));
        }
        all.sort(Comparator.comparingLong(Event::at).thenComparing(event -> event.got() == null ? 0 : 1));
        events = all.size();
        Map<String, Event> now = new TreeMap<>();
        for (Event event : all) {
            Event got = event.lost() == null ? null : now.get(event.lost());
            if (got != null && got.login() == event.login()) {
                now.remove(got.got());
            }
            if (event.got() != null) {
                Event other = now.put(event.got(), event);
                if (other != null && other.login() != event.login()) {
                    faults.add(event.got() + " was the name of " + other + " and of " + event);
                }
            }
        }
        Map<String, Long> last = new HashMap<>();
        now.forEach((name, event) -> last.put(name, event.login()));
        if (!last.equals(owners)) {
            faults.add("The history does not end with the rows");
        }
    }

    private void judgeClaims() throws SQLException {
        Map<String, Set<Long>> claims = new HashMap<>();
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            int at = shard;
            each(shard, "SELECT value, unnest(id || prior) FROM sharded_id_claim WHERE attribute <> '#state'", row -> {
                claims.computeIfAbsent(row.getString(1), none -> new HashSet<>())
                        .add(row.getLong(2));
                if (ShardKeys.shardOf(row.getString(1), LoadOptions.SHARDS) != at) {
                    faults.add("The claim of " + row.getString(1) + " is in shard " + at);
                }
            });
        }
        owners.forEach((name, id) -> {
            if (!claims.getOrDefault(name, Set.of()).contains(id)) {
                faults.add("The claim of " + name + " does not name " + id + " of shard " + IdLayout.DEFAULT.shardOf(id)
                        + ": " + claims.get(name));
            }
        });
    }
}
