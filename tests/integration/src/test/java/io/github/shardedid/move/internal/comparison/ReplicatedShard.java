package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A shard that PostgreSQL replicates from one server to another, with a slot that tells of changes. */
final class ReplicatedShard implements AutoCloseable {
    static final String SCHEMA = "shard_0007";
    static final String FENCED = "shard_0007_fenced_1";
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String TABLES =
            """
            CREATE SCHEMA shard_0007;
            SET search_path = shard_0007;
            CREATE TABLE sharded_id_move_marker (id int PRIMARY KEY);
            CREATE TYPE mood AS ENUM ('sad', 'happy');
            CREATE TABLE photo (
              id bigint PRIMARY KEY, gone int, caption text, score float8, doubled int GENERATED ALWAYS AS (liked * 2) STORED,
              liked int, tags text[], about json, more jsonb, taken timestamptz, every interval, raw bytea, "Odd ""name" mood);
            ALTER TABLE photo DROP COLUMN gone;
            CREATE TABLE "Odd ""table" ("The key" text, part numeric, feeling mood, note text, PRIMARY KEY (part, "The key", feeling));
            CREATE TABLE event (id int, kind int, note text, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
            CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1);
            CREATE TABLE event_2 PARTITION OF event FOR VALUES IN (2);
            CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
            CREATE DOMAIN amount AS numeric;
            CREATE TABLE value (id int PRIMARY KEY, exact numeric, rough float8, big bigint, one text, other text, padded bpchar,
              folded text COLLATE folding, exacts numeric[], amount amount, moment timestamptz);
            CREATE TABLE bag (number int, text text);
            ALTER TABLE bag REPLICA IDENTITY FULL;
            CREATE TABLE by_index (a int NOT NULL UNIQUE, b text);
            ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_a_key;
            """;
    private static final String ROWS =
            """
            SET search_path = shard_0007;
            INSERT INTO photo (id, caption, score, liked, tags, about, more, taken, every, raw, "Odd ""name")
              SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE 'photo ' || i END,
              CASE WHEN i % 7 = 0 THEN 'NaN' WHEN i % 7 = 1 THEN '-Infinity' ELSE i / 7.0 END::float8, i,
              ARRAY['a b', NULL, '"' || i], ('{"b" : 1, "a" : ' || i || '}')::json, '{"b" : 1, "a" : 1.0}',
              timestamptz '2024-01-01' + i * interval '1 hour', i * interval '1 day 1 second', decode(md5(i::text), 'hex'),
              CASE WHEN i % 2 = 0 THEN 'sad' END::mood FROM generate_series(1, 3000) i;
            UPDATE photo SET caption = (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i) WHERE id IN (5, 50);
            ALTER TABLE photo ALTER caption SET STORAGE EXTERNAL;
            UPDATE photo SET caption = repeat('large', 5000) WHERE id = 6;
            INSERT INTO "Odd ""table" SELECT chr(64 + i % 50) || i, i / 10.0, 'happy', 'note' FROM generate_series(1, 500) i;
            INSERT INTO event SELECT i, 1 + i % 2, 'note' FROM generate_series(1, 200) i;
            INSERT INTO value SELECT i, 1.0, 0, 1, '', 'b' || i, 'p', 'f', '{1.0}', 1.0, 'epoch' FROM generate_series(1, 10) i;
            INSERT INTO bag SELECT i % 10, 'text' FROM generate_series(1, 100) i;
            INSERT INTO by_index SELECT i, 'b' FROM generate_series(1, 100) i;
            """;

    final TestDatabase source;
    final TestDatabase target;
    private final boolean replicated;
    private final String name = "compared_" + ProcessHandle.current().pid() + "_" + NAMES.incrementAndGet();

    /** Both copies, and replication between them. */
    ReplicatedShard() {
        this(true);
    }

    /** Both copies, which are equal at first; with or without replication. */
    ReplicatedShard(boolean replicated) {
        Assumptions.assumeTrue(
                System.getProperty("sharded-id.test.postgres", "embedded").equals("embedded"),
                "One container does not reach another one at the port of this machine");
        source = PostgresServers.shared(1).newDatabase();
        target = PostgresServers.shared(2).newDatabase();
        // Equal rows on both sides: what is compared need not have been copied first.
        List.of(source, target).forEach(database -> database.execute(TABLES + ROWS));
        source.execute("CREATE PUBLICATION " + name + " FOR TABLE " + tables());
        source.query("SELECT pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
        source.query("SELECT pg_create_logical_replication_slot('" + changes() + "', 'pgoutput')");
        this.replicated = replicated;
        if (replicated) {
            target.execute("CREATE SUBSCRIPTION " + name + " CONNECTION 'host=localhost port="
                    + source.server().port() + " dbname=" + source.name()
                    + " user=postgres password=postgres' PUBLICATION "
                    + name + " WITH (create_slot = false, copy_data = false)");
        }
    }

    private String tables() {
        return String.join(
                ", ",
                source.query("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
                        + " WHERE schemaname = 'shard_0007' AND tablename <> 'event' ORDER BY 1"));
    }

    private String changes() {
        return name + "_changes";
    }

    ContentComparison comparison() {
        return comparison(50, 100_000);
    }

    ContentComparison comparison(int rowsInARange, int limit) {
        return new ContentComparison(
                source.dataSource(), target.dataSource(), SCHEMA, name, changes(), this::arrived, rowsInARange, limit);
    }

    /** Runs statements in the shard at the source. */
    void write(String sql) {
        source.execute("SET search_path = " + SCHEMA + "; " + sql);
    }

    /** Runs statements in the copy, as replication does not. */
    void tamper(String sql) {
        target.execute("SET search_path = " + SCHEMA + "; " + sql);
    }

    /** The copy is as it was in the beginning. */
    void repair() {
        target.execute("DROP SCHEMA shard_0007 CASCADE;" + TABLES + ROWS);
    }

    /** Everything that is committed at the source has arrived. */
    void arrived() {
        if (!replicated) {
            return;
        }
        int marker = NAMES.incrementAndGet();
        write(marker(marker));
        await(marker);
    }

    private static String marker(int number) {
        return "INSERT INTO sharded_id_move_marker VALUES (" + number + ");";
    }

    private void await(int marker) {
        Awaitility.await()
                .until(() ->
                        target.queryLong("SELECT count(*) FROM shard_0007.sharded_id_move_marker WHERE id = " + marker)
                                == 1);
    }

    /** What the mover does before the last comparison. */
    void fence() {
        // What is written after the renaming is sent under the new name, which the target does not know.
        int marker = NAMES.incrementAndGet();
        write("BEGIN; " + marker(marker) + "ALTER SCHEMA shard_0007 RENAME TO " + FENCED + "; COMMIT");
        await(marker);
    }

    @Override
    public void close() {
        if (replicated) {
            target.execute("ALTER SUBSCRIPTION " + name + " DISABLE");
            target.execute("ALTER SUBSCRIPTION " + name + " SET (slot_name = NONE)");
            target.execute("DROP SUBSCRIPTION " + name);
        }
        Awaitility.await().ignoreExceptions().until(() -> {
            source.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '"
                    + source.name() + "'");
            return true;
        });
        source.drop();
        target.drop();
    }
}
