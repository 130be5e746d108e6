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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the databases hold when nobody writes any more, by SQL: no two rows have one name, and by the history that they wrote when they committed,
 * no two have ever had one at the same time; the claim of each name names its row.
 */
final class LoginsOracle {
    /** Transaction ids are used again after a crash. */
    private static final String HISTORY =
            "SELECT transaction || ' ' || begun, (extract(epoch FROM at) * 1000000)::bigint, login, lost, got"
                    + " FROM login_history WHERE lost IS DISTINCT FROM got ORDER BY at";

    private static final String RESTART =
            """
            SET search_path = %s;
            TRUNCATE login_history;
            INSERT INTO login_history (at, login, got) SELECT clock_timestamp(), id, lower(name) FROM login""";

    private final BankCluster cluster;
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Long> owners = new HashMap<>();
    private int taken;
    private int released;

    /**
     * What a transaction has done to a row: what it does in between, nobody else sees.
     *
     * @param at in microseconds, by the clock that all servers of this machine share
     */
    private record Event(long at, long login, @Nullable String lost, @Nullable String got) {
        Event then(Event next) {
            return new Event(next.at, login, lost, next.got);
        }
    }

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

    /** By the history, how often names were taken, and released. */
    List<Integer> changes() {
        return List.of(taken, released);
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

    /** After a restore: the history begins with the rows as they are now. */
    static void restart(BankCluster cluster) throws SQLException {
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            cluster.database(cluster.map().databaseOf(shard)).execute(RESTART.formatted(ShardSchema.nameOf(shard)));
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

    /**
     * A transaction that gives a row a name commits after the one has committed that takes it from another row, so that the times are in this
     * order. What happens within a transaction, as when a row is inserted before the one is deleted that has had its name, nobody else sees.
     */
    private void judgeHistory() throws SQLException {
        Map<String, Map<Long, Event>> transactions = new HashMap<>();
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            each(shard, HISTORY, row -> {
                Event event = new Event(row.getLong(2), row.getLong(3), row.getString(4), row.getString(5));
                transactions
                        .computeIfAbsent(row.getString(1), none -> new HashMap<>())
                        .merge(event.login(), event, Event::then);
            });
        }
        Map<String, Event> now = new TreeMap<>();
        transactions.values().stream()
                .sorted(Comparator.comparingLong(LoginsOracle::end))
                .forEach(changes -> apply(changes.values(), now));
        Map<String, Long> last = new HashMap<>();
        now.forEach((name, event) -> last.put(name, event.login()));
        if (!last.equals(owners)) {
            faults.add("The history does not end with the rows");
        }
    }

    private static long end(Map<Long, Event> changes) {
        return changes.values().stream().mapToLong(Event::at).max().orElseThrow();
    }

    private void apply(Collection<Event> changes, Map<String, Event> now) {
        List<Event> real = changes.stream()
                .filter(event -> !Objects.equals(event.lost(), event.got()))
                .toList();
        for (Event event : real) {
            Event got = event.lost() == null ? null : now.get(event.lost());
            if (got != null && got.login() == event.login()) {
                now.remove(event.lost());
                released++;
            }
        }
        for (Event event : real) {
            if (event.got() != null) {
                taken++;
                Event other = now.put(event.got(), event);
                if (other != null && other.login() != event.login()) {
                    faults.add(event.got() + " was the name of " + other + " and of " + event);
                }
            }
        }
    }

    private void judgeClaims() throws SQLException {
        Map<String, Set<Long>> claims = new HashMap<>();
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            int at = shard;
            each(
                    shard,
                    "SELECT value, unnest(id || prior) FROM sharded_id_claim WHERE attribute NOT LIKE '#%'",
                    row -> {
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
