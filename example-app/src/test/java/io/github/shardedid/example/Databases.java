package io.github.shardedid.example;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.test.context.DynamicPropertyRegistry;

/** Databases pg1, pg2 … on servers of the same numbers, with 64 shards spread evenly, looked at without the project's code. */
record Databases(Map<String, TestDatabase> byName) {
    static final int SHARDS = 64;

    static Databases on(List<PostgresServer> servers) {
        Map<String, TestDatabase> databases = new TreeMap<>();
        for (PostgresServer server : servers) {
            databases.put("pg" + (databases.size() + 1), server.newDatabase());
        }
        return new Databases(databases);
    }

    void register(DynamicPropertyRegistry registry) {
        int first = 0;
        int number = 0;
        for (Map.Entry<String, TestDatabase> database : byName.entrySet()) {
            String prefix = "sharded-id.databases." + database.getKey() + ".";
            int end = ++number * SHARDS / byName.size();
            String ranges = first + "-" + (end - 1);
            registry.add(prefix + "url", database.getValue()::url);
            registry.add(prefix + "username", database.getValue().server()::username);
            registry.add(prefix + "password", database.getValue().server()::password);
            registry.add(prefix + "shards", () -> ranges);
            first = end;
        }
    }

    /** The shard in the bits of an id, computed here and not by the project. */
    static int shardOf(long id) {
        return (int) (id >> 10 & 8191);
    }

    static String schemaOf(long id) {
        return "shard_%04d".formatted(shardOf(id));
    }

    /** The database that the configuration gives the shard of an id to. */
    String homeOf(long id) {
        List<String> names = new ArrayList<>(byName.keySet());
        int at = 0;
        while ((at + 1) * SHARDS / names.size() <= shardOf(id)) {
            at++;
        }
        return names.get(at);
    }

    /** The database of a name. */
    TestDatabase named(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    /** Where a row was found. */
    record Found(String database, String schema, long id) {}

    /** All rows of a table in all shards' schemas of all databases. */
    List<Found> everywhere(String table) {
        List<Found> found = new ArrayList<>();
        byName.forEach((name, database) -> {
            String union = database.query("SELECT string_agg(format('SELECT %L || '' '' || id FROM %I." + table
                            + "', nspname, nspname), ' UNION ALL ') FROM pg_namespace WHERE nspname LIKE 'shard\\_%'")
                    .get(0);
            database.query(union).forEach(row -> {
                String[] parts = row.split(" ", -1);
                found.add(new Found(name, parts[0], Long.parseLong(parts[1])));
            });
        });
        return found;
    }
}
