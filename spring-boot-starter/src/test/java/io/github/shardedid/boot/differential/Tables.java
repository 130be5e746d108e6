package io.github.shardedid.boot.differential;

import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The complete contents of both sides' tables, read past the applications, and those that each sequence begins with. */
final class Tables implements AutoCloseable {
    /** Parents first; table and the column whose id tells the shard. */
    private static final Map<String, String> KEYS = new LinkedHashMap<>();

    static {
        KEYS.put("activity", "album_id");
        KEYS.put("member", "id");
        KEYS.put("album", "id");
        KEYS.put("album_tags", "album_id");
        KEYS.put("album_lines", "album_id");
        KEYS.put("album_fans", "album_id");
        KEYS.put("shot", "id");
        KEYS.put("clip", "id");
        KEYS.put("mark", "id");
    }

    private final List<Eyes> databases;
    private final Eyes plainDatabase;

    Tables(Galleries galleries) {
        databases = galleries.databases.stream().map(Eyes::new).toList();
        plainDatabase = new Eyes(galleries.plainDatabase);
    }

    /** The same tables as in a shard, without what makes the ids there. */
    static void create(TestDatabase plain) {
        try (InputStream script = Objects.requireNonNull(
                Tables.class.getResourceAsStream("/db/differential/V1__gallery.sql"), "migration")) {
            plain.execute("SET ROLE " + Galleries.ROLE + ";"
                    + new String(script.readAllBytes(), StandardCharsets.UTF_8)
                            .replaceAll(" DEFAULT next_id\\('\\w+'\\)", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each row with its shard: that of the schema, which must be the one that the id says. */
    List<String> sharded() {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            rows.addAll(databases
                    .get(i)
                    .query(shards(i)
                            .mapToObj(shard -> select(ShardSchema.nameOf(shard) + ".", String.valueOf(shard)))
                            .collect(Collectors.joining(" UNION ALL "))));
        }
        return rows.stream().sorted().toList();
    }

    List<String> plain() {
        return plainDatabase.query(select("public.", "((t.%s >> 10) & 8191)")).stream()
                .sorted()
                .toList();
    }

    private static String select(String schema, String shard) {
        return KEYS.entrySet().stream()
                .map(table -> "SELECT " + shard.formatted(table.getValue()) + " || ' " + table.getKey()
                        + " ' || row_to_json(t)::text FROM " + schema + table.getKey() + " t")
                .collect(Collectors.joining(" UNION ALL "));
    }

    private static IntStream shards(int database) {
        return IntStream.range(database * 3, database * 3 + 3);
    }

    /** Puts back what each sequence begins with. */
    void reset() {
        for (int i = 0; i < 2; i++) {
            databases
                    .get(i)
                    .execute(shards(i)
                            .mapToObj(shard -> contents(ShardSchema.nameOf(shard) + ".", "WHERE n %% 6 = " + shard))
                            .collect(Collectors.joining()));
        }
        plainDatabase.execute(contents("public.", ""));
    }

    private static String contents(String schema, String where) {
        List<String> tables = new ArrayList<>(KEYS.keySet());
        java.util.Collections.reverse(tables);
        String id = "((4000000000 + %1$s) * 8388608 + %1$s %% 6 * 1024 + %1$s)";
        String n = id.formatted("n");
        return tables.stream()
                        .map(table -> "DELETE FROM " + schema + table + ";\n")
                        .collect(Collectors.joining())
                + insert(schema, "member", n + ", n, 0, 'member ' || n", 11, where)
                + insert(
                        schema,
                        "album",
                        n + ", n, 0, " + id.formatted("(n % 12)") + ", 'album ' || n % 4, n % 4",
                        17,
                        where)
                + insert(schema, "album_tags", n + ", 'tag ' || n % 3", 17, where)
                + insert(schema, "album_tags", n + ", 'tag ' || 3 + n % 2", 17, where)
                + insert(schema, "album_lines", n + ", 0, 'line ' || n", 17, where)
                + insert(schema, "album_lines", n + ", 1, 'second'", 17, where)
                + insert(schema, "album_fans", n + ", " + id.formatted("((n + 6) % 12)"), 17, where)
                + insert(schema, "shot", n + ", n, " + id.formatted("(n % 18)") + ", 'shot ' || n % 4", 35, where)
                + insert(schema, "clip", n + ", 6", 35, (where.isEmpty() ? "WHERE" : where + " AND") + " n %% 3 = 0");
    }

    private static String insert(String schema, String table, String columns, int last, String where) {
        return "INSERT INTO " + schema + table + " SELECT " + columns + " FROM generate_series(0::bigint, " + last
                + ") n " + where.replace("%%", "%") + ";\n";
    }

    @Override
    public void close() {
        databases.forEach(Eyes::close);
        plainDatabase.close();
    }
}
