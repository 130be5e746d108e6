package io.github.shardedid.test.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Sees from the servers' side what the application does: what it sends, by the taps between, which rows are changed,
 * and which sessions there are.
 */
public final class ServerWatch {
    private static final int SHARDS_PER_DATABASE = 4;
    private static final List<String> COMMIT = List.of("COMMIT");
    private static final Pattern FRAME = Pattern.compile("BEGIN|COMMIT|ROLLBACK|(ROLLBACK TO |RELEASE )?SAVEPOINT .*");

    /** What the driver and routing ask of a new session, and now and then of any. */
    private static final Pattern OWN = Pattern.compile(
            "SET application_name = .*|SELECT p\\.direct, .*|WITH code AS MATERIALIZED .*", Pattern.DOTALL);

    private static final Pattern SCHEMA = Pattern.compile("shard_(\\d{4})");
    private static final Pattern WRITE = Pattern.compile(
            "insert into|delete from|merge into|(?<!for )(?<!key )\\bupdate\\b", Pattern.CASE_INSENSITIVE);

    private final List<WireTap> taps;
    private final IntSupplier taken;
    private final List<Connection> eyes = new ArrayList<>();

    /**
     * Looks at the tables that there are.
     *
     * @param taken how many connections are taken from the pools
     * @param tables the tables in each shard
     */
    public ServerWatch(List<TestDatabase> databases, List<WireTap> taps, IntSupplier taken, Set<String> tables) {
        this.taps = taps;
        this.taken = taken;
        try {
            for (int i = 0; i < databases.size(); i++) {
                Connection eye = databases.get(i).connect();
                eyes.add(eye);
                open(eye, i * SHARDS_PER_DATABASE, tables);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Has each table note who changes it. What is changed over this connection is not noted, nor are foreign keys checked. */
    private static void open(Connection eye, int firstShard, Set<String> tables) throws SQLException {
        StringBuilder sql = new StringBuilder(
                """
                CREATE TABLE public.changes (shard int NOT NULL);
                CREATE FUNCTION public.note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO public.changes VALUES (substr(TG_TABLE_SCHEMA, 7)::int); RETURN NULL; END $$;
                SET session_replication_role = replica;
                """);
        for (int shard = firstShard; shard < firstShard + SHARDS_PER_DATABASE; shard++) {
            for (String table : tables) {
                sql.append("CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON ")
                        .append(ShardSchema.nameOf(shard))
                        .append('.')
                        .append(table)
                        .append(" FOR EACH ROW EXECUTE FUNCTION public.note_change();");
            }
        }
        try (Statement statement = eye.createStatement()) {
            statement.execute(sql.toString());
        }
    }

    /** Runs statements in a shard, {@code $.} being its schema. */
    void execute(int shard, String sql) throws SQLException {
        try (Statement statement = eye(shard).createStatement()) {
            statement.execute(in(shard, sql));
        }
    }

    /** The values of a query's first column, with commas between. */
    String query(int shard, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = eye(shard).createStatement();
                ResultSet rows = statement.executeQuery(in(shard, sql))) {
            while (rows.next()) {
                values.add(String.valueOf(rows.getString(1)));
            }
        }
        return String.join(", ", values);
    }

    private static String in(int shard, String sql) {
        return sql.replace("$.", ShardSchema.nameOf(shard) + ".");
    }

    private Connection eye(int shard) {
        return eyes.get(shard / SHARDS_PER_DATABASE);
    }

    /** Forgets the changes so far. */
    void forgetChanges() throws SQLException {
        for (Connection eye : eyes) {
            try (Statement statement = eye.createStatement()) {
                statement.execute("DELETE FROM public.changes");
            }
        }
    }

    /** In which shards rows were changed since, by transactions that have committed. */
    Set<Integer> changed() throws SQLException {
        Set<Integer> shards = new TreeSet<>();
        for (Connection eye : eyes) {
            try (Statement statement = eye.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT DISTINCT shard FROM public.changes")) {
                while (rows.next()) {
                    shards.add(rows.getInt(1));
                }
            }
        }
        return shards;
    }

    /** Forgets what was sent so far. */
    void forget() {
        taps.forEach(WireTap::reset);
    }

    /** What was sent since. */
    Sent sent() {
        List<String> messages = new ArrayList<>();
        Set<Integer> databases = new TreeSet<>();
        Set<Integer> asked = new TreeSet<>();
        Set<Integer> written = new TreeSet<>();
        for (int i = 0; i < taps.size(); i++) {
            List<String> received = taps.get(i).frontendMessages();
            for (int at = 0; at < received.size(); at++) {
                String message = received.get(at);
                messages.add("pg" + (i + 1) + ": " + message);
                if (message.startsWith("SET search_path")
                        && received.subList(at + 1, received.size()).equals(COMMIT)) {
                    continue; // for the deferred triggers of the shard that was written to
                }
                if (!FRAME.matcher(message).matches() && !OWN.matcher(message).matches()) {
                    databases.add(i);
                }
                for (Matcher schemas = SCHEMA.matcher(message); schemas.find(); ) {
                    int shard = Integer.parseInt(schemas.group(1));
                    assertThat(shard / SHARDS_PER_DATABASE).as(message).isEqualTo(i);
                    asked.add(shard);
                    if (WRITE.matcher(message).find()) {
                        written.add(shard);
                    }
                }
            }
        }
        return new Sent(messages, databases, asked, written);
    }

    /** No connection is taken from a pool, and no session on a server is in a transaction: but for a moment, by a background thread. */
    void nothingIsLeaked() {
        Awaitility.await().pollDelay(Duration.ZERO).untilAsserted(this::nothingIsBusy);
    }

    private void nothingIsBusy() throws SQLException {
        assertThat(taken.getAsInt()).as("connections taken from the pools").isZero();
        for (Connection eye : eyes) {
            try (Statement statement = eye.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT state || ': ' || query FROM pg_stat_activity WHERE datname = current_database() AND"
                                    + " pid <> pg_backend_pid() AND backend_type = 'client backend' AND (state <> 'idle' OR"
                                    + " backend_xid IS NOT NULL)")) {
                assertThat(rows.next() ? rows.getString(1) : "")
                        .as("busy session")
                        .isEmpty();
            }
        }
    }

    /** What the application has sent: to which databases, BEGIN and the like apart, to which shards at all, and to which to be written. */
    record Sent(List<String> messages, Set<Integer> databases, Set<Integer> asked, Set<Integer> written) {}
}
