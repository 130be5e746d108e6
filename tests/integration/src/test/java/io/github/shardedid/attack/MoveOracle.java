package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what the workers were told with what the databases hold, when shards have moved: each acknowledged row is there
 * once, in the database that owns its shard; no row is there that nobody tried to write, nor twice; each holder was changed as
 * often as was acknowledged; an old copy holds nothing that its shard lacks.
 */
final class MoveOracle {
    private static final Map<String, String> TABLES =
            Map.of("holder", "number", "booking", "token", "receipt", "token", "slip", "token");

    private final BankCluster cluster;
    private final Set<Long> tried = new HashSet<>();
    private final Map<Long, Long> acknowledged = new HashMap<>();
    private final Map<Long, Long> triedVersions = new HashMap<>();
    private final Map<Long, Long> versions = new HashMap<>();
    private final Map<Long, Long> found = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Pauses pauses = new Pauses();
    private final List<String> failures = new ArrayList<>();

    MoveOracle(BankCluster cluster) {
        this.cluster = cluster;
    }

    /** When all workers have ended. */
    void judge(Path directory) throws SQLException {
        Deed.readAll(directory, this::take);
        ShardMap map = cluster.map();
        for (int shard = 0; shard < LoadOptions.SHARDS; shard++) {
            TestDatabase home = cluster.database(map.databaseOf(shard));
            for (String table : TABLES.keySet()) {
                readRows(home, shard, table);
            }
            readVersions(home, shard);
        }
        acknowledged.forEach((token, id) -> {
            if (!id.equals(found.get(token))) {
                faults.add("Acknowledged: row " + id + ", token " + token + ", found: " + found.get(token));
            }
        });
        cluster.databases().values().forEach(this::readOldCopies);
    }

    private void take(Deed deed) {
        List<Long> numbers = deed.numbers();
        switch (deed.kind()) {
            case TRIES -> tried.addAll(numbers);
            case WROTE -> acknowledged.put(numbers.get(0), numbers.get(1));
            case TRIES_VERSION -> triedVersions.merge(numbers.get(0), numbers.get(1), Math::max);
            case WROTE_VERSION -> versions.merge(numbers.get(0), numbers.get(1), Math::max);
            case WRITE, READ -> pauses.add(deed);
            case WRONG -> faults.add("Read: " + deed.text());
            case FAILED -> failures.add(deed.text());
            case REFUSED -> {}
        }
    }

    private void readRows(TestDatabase home, int shard, String table) throws SQLException {
        Set<Long> ids = new HashSet<>();
        select(home, "id, " + TABLES.get(table), ShardSchema.nameOf(shard) + "." + table, (id, token) -> {
            if (!ids.add(id)) {
                faults.add("Id " + id + " twice in " + table);
            }
            if (IdLayout.DEFAULT.shardOf(id) != shard) {
                faults.add("Row " + id + " of " + table + " in shard " + shard);
            }
            if (found.put(token, id) != null) {
                faults.add("Token " + token + " twice, the second time in row " + id + " of " + table);
            }
            if (!tried.contains(token)) {
                faults.add("Row " + id + " of " + table + ", which nobody has tried to write");
            }
        });
    }

    private void readVersions(TestDatabase home, int shard) throws SQLException {
        select(home, "id, version", ShardSchema.nameOf(shard) + ".holder", (id, version) -> {
            long least = versions.getOrDefault(id, 0L);
            long most = Math.max(least, triedVersions.getOrDefault(id, 0L));
            if (version < least || version > most) {
                faults.add(
                        "Holder " + id + " has version " + version + ", acknowledged is " + least + ", tried " + most);
            }
        });
        if (home.queryLong("SELECT count(*) FROM " + ShardSchema.nameOf(shard) + ".holder WHERE version <> changes")
                > 0) {
            faults.add("Changes of holders in shard " + shard + " do not add up");
        }
    }

    private void readOldCopies(TestDatabase database) {
        String copies = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard\\_%\\_fenced\\_%'";
        for (String schema : database.query(copies)) {
            TABLES.forEach((table, token) -> {
                for (String one : database.query("SELECT " + token + " FROM " + schema + "." + table)) {
                    if (!found.containsKey(Long.valueOf(one))) {
                        faults.add("Token " + one + " is in the old copy " + schema + "." + table + " only");
                    }
                }
            });
        }
    }

    private interface Row {
        void is(long first, long second);
    }

    private static void select(TestDatabase home, String columns, String table, Row row) throws SQLException {
        try (Connection connection = home.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT " + columns + " FROM " + table)) {
            while (rows.next()) {
                row.is(rows.getLong(1), rows.getLong(2));
            }
        }
    }

    List<String> faults() {
        return faults.subList(0, Math.min(20, faults.size()));
    }

    /** Calls that failed, the first ones. */
    List<String> failures() {
        return failures.subList(0, Math.min(20, failures.size()));
    }

    int acknowledged() {
        return acknowledged.size();
    }

    Pauses pauses() {
        return pauses;
    }

    @Override
    public String toString() {
        long updates = versions.values().stream().mapToLong(Long::longValue).sum();
        return "rows acknowledged " + acknowledged.size() + ", found " + found.size() + ", updates acknowledged "
                + updates + ", failed calls " + failures.size() + ", faults " + faults.size();
    }
}
