package io.github.shardedid.test;

import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.jdbc.PgConnection;

/** A move of a shard by plain SQL, step by step, so that a test can look at what happens between them. */
public final class HandMadeMove {
    private final int shard;
    private final TestDatabase source;
    private final TestDatabase target;
    private final String schema;
    private final long generation;
    private final String fenced;

    /** Nothing is done yet; the databases are those of a cluster. */
    public HandMadeMove(int shard, TestDatabase source, TestDatabase target) {
        this.shard = shard;
        this.source = source;
        this.target = target;
        this.schema = ShardSchema.nameOf(shard);
        this.generation = source.queryLong("SELECT generation FROM sharded_id.shard WHERE shard = " + shard);
        this.fenced = ShardSchema.fencedNameOf(shard, generation);
    }

    /** Of the first database's shard to the second one's. */
    public static HandMadeMove of(TestCluster cluster, int shard) {
        List<TestDatabase> both = cluster.databases();
        TestDatabase home = cluster.home(shard);
        return new HandMadeMove(shard, home, both.get(home.equals(both.get(0)) ? 1 : 0));
    }

    /** Makes the tables at the target. */
    public HandMadeMove prepare(String... migrations) {
        String file = "/io/github/shardedid/provisioning/shard.sql";
        try (InputStream sql = HandMadeMove.class.getResourceAsStream(file);
                Connection connection = target.connect()) {
            String text = new String(sql.readAllBytes(), StandardCharsets.UTF_8);
            target.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            target.execute(text.replace("${schema}", schema).replace("${shard}", Integer.toString(shard)));
            ShardMigrations.at(migrations).migrate(connection, "target", shard);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
        refuseWrites(target, schema, "ENABLE");
        target.execute("INSERT INTO sharded_id.shard VALUES (" + shard + ", " + (generation + 1)
                + ", 'RECEIVING', NULL) ON CONFLICT (shard) DO UPDATE SET state = 'RECEIVING', generation = "
                + (generation + 1));
        state(source, "MOVING");
        return this;
    }

    private void state(TestDatabase database, String state) {
        database.execute("UPDATE sharded_id.shard SET state = '" + state + "' WHERE shard = " + shard);
    }

    private static List<String> tables(TestDatabase database, String schema) {
        return database.query("SELECT tablename FROM pg_tables WHERE schemaname = '" + schema
                + "' AND tablename <> 'flyway_schema_history'");
    }

    private static void refuseWrites(TestDatabase database, String schema, String how) {
        for (String table : tables(database, schema)) {
            String name = schema + "." + table;
            database.execute("CREATE TRIGGER refuse_write BEFORE INSERT OR UPDATE OR DELETE ON " + name
                    + " FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_write(); ALTER TABLE " + name + " " + how
                    + " TRIGGER refuse_write");
        }
    }

    /** Tells who builds shard maps; nobody is stopped. */
    public HandMadeMove softFence() {
        state(source, "FENCING");
        return this;
    }

    /** Takes that back. */
    public HandMadeMove lift() {
        state(source, "MOVING");
        return this;
    }

    /** Nobody finds the shard any more at the source; waits for those who use it. */
    public HandMadeMove fence() {
        StringBuilder sql = new StringBuilder("BEGIN; ");
        for (String table : tables(source, schema)) {
            sql.append("LOCK TABLE ").append(schema).append('.').append(table).append(" IN ACCESS EXCLUSIVE MODE; ");
        }
        sql.append("ALTER SCHEMA ").append(schema).append(" RENAME TO ").append(fenced);
        sql.append("; UPDATE sharded_id.shard SET state = 'FENCED' WHERE shard = ")
                .append(shard);
        source.execute(sql.append("; COMMIT").toString());
        refuseWrites(source, fenced, "ENABLE ALWAYS");
        return this;
    }

    /** Carries over rows and sequences. */
    public HandMadeMove copy() {
        try (Connection from = source.connect();
                Connection to = target.connect();
                Statement sql = to.createStatement()) {
            sql.execute("SET session_replication_role = replica");
            List<String> tables = tables(source, fenced);
            sql.execute("SET search_path = " + schema + "; TRUNCATE " + String.join(", ", tables));
            for (String table : tables) {
                StringWriter rows = new StringWriter();
                from.unwrap(PgConnection.class)
                        .getCopyAPI()
                        .copyOut("COPY " + fenced + "." + table + " TO STDOUT", rows);
                to.unwrap(PgConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY " + schema + "." + table + " FROM STDIN", new StringReader(rows.toString()));
            }
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
        String sequences = "SELECT sequencename FROM pg_sequences WHERE schemaname = '" + fenced + "'";
        for (String sequence : source.query(sequences)) {
            long last = source.queryLong("SELECT last_value FROM " + fenced + "." + sequence);
            target.query("SELECT setval('" + schema + "." + sequence + "', " + last + ")");
        }
        return this;
    }

    /** The target owns the shard: the point of no return. */
    public HandMadeMove switchOver() {
        for (String table : tables(target, schema)) {
            target.execute("DROP TRIGGER refuse_write ON " + schema + "." + table);
        }
        state(target, "ACTIVE");
        return this;
    }

    /** The source knows it, too. */
    public HandMadeMove moved() {
        state(source, "MOVED");
        return this;
    }

    /** From the fence on. */
    public HandMadeMove finish() {
        return fence().copy().switchOver().moved();
    }

    /** Takes the fence back. */
    public HandMadeMove abort() {
        for (String table : tables(source, fenced)) {
            source.execute("DROP TRIGGER IF EXISTS refuse_write ON " + fenced + "." + table);
        }
        source.execute("BEGIN; ALTER SCHEMA " + fenced + " RENAME TO " + schema
                + "; UPDATE sharded_id.shard SET state = 'ACTIVE' WHERE shard = " + shard + "; COMMIT");
        target.execute("DELETE FROM sharded_id.shard WHERE shard = " + shard + "; DROP SCHEMA " + schema + " CASCADE");
        return this;
    }

    /** How many rows match at the new home. */
    public long atTarget(String table, String condition) {
        return target.queryLong("SELECT count(*) FROM " + schema + "." + table + " WHERE " + condition);
    }

    /** How many rows match in what is left at the old home. */
    public long atSource(String table, String condition) {
        return source.queryLong("SELECT count(*) FROM " + fenced + "." + table + " WHERE " + condition);
    }
}
