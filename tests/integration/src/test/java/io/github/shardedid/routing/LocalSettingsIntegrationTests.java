package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a transaction sets for itself holds wherever it reads, as it does in the one database of a connection of the driver's own. Shards 0
 * and 1 are on one database, 2 and 3 on another.
 */
class LocalSettingsIntegrationTests extends RoutedBothWays {
    /** No function in it: a plain query, which a deferred BEGIN leaves outside of the transaction. */
    private static final String WHO = "SELECT name FROM sharded_id_shard.who";

    private static final String OBJECTS =
            """
            CREATE FUNCTION public.app_set(text) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN RETURN set_config('app.name', $1, true); END $$;
            CREATE FUNCTION public.app_atomic(text) RETURNS text LANGUAGE sql
            RETURN set_config('app.name', $1, true);
            CREATE FUNCTION public.app_any(text, text) RETURNS text LANGUAGE sql AS 'SELECT set_config($1, $2, true)';
            CREATE PROCEDURE public.app_call(text) LANGUAGE plpgsql AS $$
            BEGIN EXECUTE format('SET LOCAL app.name = %L', $1); END $$;
            CREATE FUNCTION public.app_timeout(text) RETURNS text LANGUAGE sql AS
              $$ SELECT set_config('lock_timeout', $1, true) $$;
            CREATE FUNCTION public.app_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM set_config('app.name', NEW.caption, true); RETURN NEW; END $$;
            """;
    private static final String OF_SHARD =
            """
            CREATE VIEW %1$s.who AS SELECT concat_ws(' ', coalesce(current_setting('app.name', true), ''), current_setting('TimeZone'),
              current_setting('lock_timeout'), current_setting('work_mem'), current_setting('jit')) AS name;
            CREATE TRIGGER named BEFORE UPDATE ON %1$s.photo FOR EACH ROW EXECUTE FUNCTION public.app_trigger();
            """;

    @BeforeEach
    void createObjects() {
        databases.pg1.execute(OBJECTS + OF_SHARD.formatted("shard_0000") + OF_SHARD.formatted("shard_0001"));
        databases.pg2.execute(OBJECTS + OF_SHARD.formatted("shard_0002") + OF_SHARD.formatted("shard_0003"));
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private static Work plain(String... texts) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String text : texts) {
                    statement.execute(text);
                }
            }
        };
    }

    private static Work batch(String... texts) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String text : texts) {
                    statement.addBatch(text);
                }
                statement.executeBatch();
            }
        };
    }

    private static Work prepared(String text, Object... values) {
        return connection -> {
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                statement.execute();
            }
        };
    }

    private static Map<String, Work> settings() {
        Map<String, Work> all = new LinkedHashMap<>();
        for (String text : new String[] {
            "SET LOCAL app.name = 'ann'",
            "set local app.name TO Ann",
            "SET LOCAL \"app\".name = 'it''s \\ odd'",
            "SET LOCAL app.name = E'a\\nb'",
            "SET app.name = 'ann'",
            "SET SESSION app.name TO 'ann'",
            "SET LOCAL lock_timeout = 1234",
            "SET LOCAL lock_timeout TO '3s'",
            "SET LOCAL work_mem = '5MB'",
            "SET LOCAL jit = off",
            "SET LOCAL TIME ZONE 'Asia/Tokyo'",
            "SET LOCAL TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE",
            "SET LOCAL TIME ZONE 3",
            "SET LOCAL timezone = 'Asia/Tokyo'; SET LOCAL timezone TO DEFAULT",
            "SET LOCAL app.name = 'ann'; SELECT 1",
            "SELECT 1; SET LOCAL app.name = 'ann'; SET LOCAL app.name = 'bob'",
            "SELECT set_config('app.name', 'ann', true)",
            "SELECT pg_catalog.set_config('App.Name', 'ann', true), set_config('lock_timeout', '7', true)",
            "SELECT set_config('app.name', 'ann', 1 = 1) FROM photo",
            "SELECT set_config('app.name', caption, true) FROM photo",
            "SELECT CASE WHEN false THEN set_config('app.name', 'ann', true) END",
            "WITH s AS MATERIALIZED (SELECT set_config('app.name', 'ann', true) n) SELECT n FROM s",
            "INSERT INTO photo VALUES (7, set_config('app.name', 'ann', true))",
            "UPDATE photo SET caption = 'by trigger'",
            "DO $$ BEGIN PERFORM set_config('app.name', 'ann', true); SET LOCAL lock_timeout = 5; END $$",
            "SELECT app_set('ann')",
            "SELECT app_atomic('ann')",
            "SELECT p.* FROM photo p, public.app_set('ann')",
            "CALL app_call('ann')",
            "SELECT set_config('app.name', '', true)",
        }) {
            all.put(text, plain(text));
            if (!text.contains("; S")) {
                all.put("prepared " + text, prepared(text));
            }
        }
        all.put("a parameter", prepared("SELECT set_config('app.name', ?, true)", "it's \\"));
        all.put("two parameters", prepared("SELECT set_config(?, ?, true)", "app.name", "ann"));
        all.put("an expression", prepared("SELECT set_config('app.name', ? || 'x', true)", "ann"));
        all.put("a function's parameter", prepared("SELECT app_set(?)", "ann"));
        all.put("a batch", batch("SET LOCAL app.name = 'ann'", "UPDATE photo SET caption = 'x' WHERE id = -1"));
        all.put("twice", plain("SET LOCAL app.name = 'ann'", "SET LOCAL app.name = 'bob'", "SET LOCAL jit = off"));
        all.put("reset", plain("SET LOCAL lock_timeout = 8", "SET LOCAL app.name = 'ann'", "RESET lock_timeout"));
        all.put("a call", connection -> {
            try (CallableStatement call = connection.prepareCall("{? = call app_set(?)}")) {
                call.registerOutParameter(1, java.sql.Types.VARCHAR);
                call.setString(2, "ann");
                call.execute();
            }
        });
        return all;
    }

    @Test
    void whatIsSetHoldsInEachDatabaseOfTheTransaction() throws SQLException {
        String before;
        try (Connection connection = databases.transaction()) {
            before = read(connection, 2, WHO);
        }
        for (Map.Entry<String, Work> each : settings().entrySet()) {
            String expected;
            try (Connection plain = databases.pg1.connect()) {
                plain.setAutoCommit(false);
                plain("SET LOCAL search_path = shard_0000, public").on(plain);
                each.getValue().on(plain);
                expected = first(plain, "SELECT name FROM who");
            }
            try (Connection connection = databases.transaction()) {
                try (ShardContext.Scope scope = ShardContext.open(0)) {
                    each.getValue().on(connection);
                }
                for (int shard : new int[] {3, 0, 1, 2}) {
                    assertThat(read(connection, shard, WHO))
                            .as(each.getKey() + " in shard " + shard)
                            .isEqualTo(expected);
                }
                assertThat(overShards(connection))
                        .as(each.getKey() + " over shards")
                        .containsExactly(expected.substring(0, expected.lastIndexOf(' ')));
                connection.rollback();
                assertThat(read(connection, 2, WHO))
                        .as("after " + each.getKey())
                        .isEqualTo(before);
            }
        }
    }

    private static final String SET = "SET LOCAL lock_timeout = ";
    private static final String TIMEOUT = "SELECT split_part(name, ' ', 3) FROM sharded_id_shard.who";

    private static void assertTimeout(Connection connection, String expected) throws SQLException {
        for (int shard = 0; shard < 4; shard++) {
            assertThat(read(connection, shard, TIMEOUT)).as("shard " + shard).isEqualTo(expected);
        }
    }

    /** Whichever connection has set it, and whether the others are known before the savepoint or not. */
    @Test
    void aRollbackToASavepointUndoesItEverywhere() throws SQLException {
        for (String set : List.of(
                SET + "%s", "SELECT set_config('lock_timeout', '%s', true) FROM photo", "SELECT app_timeout('%s')")) {
            for (int order = 0; order < 16; order++) {
                int[] shards = {order & 3, order >> 2};
                try (Connection connection = databases.transaction()) {
                    set(connection, shards[0], set, 1);
                    if (order % 3 == 0) {
                        assertTimeout(connection, "1ms");
                    }
                    Savepoint savepoint = connection.setSavepoint();
                    set(connection, shards[1], set, 2);
                    if (order % 2 == 0) {
                        assertTimeout(connection, "2ms");
                    }
                    set(connection, shards[0], set, 3);
                    connection.rollback(savepoint);
                    assertTimeout(connection, "1ms");
                    set(connection, shards[1], set, 4);
                    assertTimeout(connection, "4ms");
                    connection.rollback(savepoint);
                    assertTimeout(connection, "1ms");
                    connection.releaseSavepoint(savepoint);
                    set(connection, shards[0], set, 5);
                    connection.commit();
                    assertTimeout(connection, "0");
                }
            }
        }
    }

    private static void set(Connection connection, int shard, String set, int milliseconds) throws SQLException {
        read(connection, shard, SELECT + " FOR SHARE");
        try (ShardContext.Scope scope = ShardContext.open(shard)) {
            plain(set.formatted(milliseconds)).on(connection);
        }
    }

    @Test
    void whereNotEvenTheNameIsKnownAFurtherDatabaseIsRefused() throws SQLException {
        for (Work computed : List.of(
                plain("SELECT app_any('app.name', 'ann')"),
                plain("SELECT set_config('app.x' || id, 'ann', true) FROM photo"),
                plain("DO $$ DECLARE n text = 'app.name'; BEGIN PERFORM set_config(n, 'ann', true); END $$"),
                prepared("SELECT set_config(concat('app.', ?::text), 'ann', true)", "name"))) {
            try (Connection connection = databases.transaction()) {
                Savepoint savepoint = connection.setSavepoint();
                try (ShardContext.Scope scope = ShardContext.open(0)) {
                    computed.on(connection);
                }
                assertThat(read(connection, 1, WHO)).isNotNull();
                assertThatThrownBy(() -> read(connection, 2, WHO))
                        .isInstanceOf(SQLFeatureNotSupportedException.class)
                        .hasMessageContainingAll("Nothing was sent", "database pg1", "set_config('<name>'");
                assertThatThrownBy(() -> overShards(connection)).hasMessageContaining("Nothing was sent");
                connection.rollback(savepoint);
                assertThat(read(connection, 2, WHO)).isNotNull();
                connection.commit();
            }
        }
    }

    @Test
    void aFailureLeavesWhatWasSet() throws SQLException {
        try (Connection connection = databases.transaction()) {
            write(connection, 0, SET + 1);
            assertThatThrownBy(() -> write(connection, 0, SET + "'nonsense'")).isInstanceOf(SQLException.class);
            assertThat(read(connection, 2, TIMEOUT)).isEqualTo("1ms");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(read(connection, 2, TIMEOUT)).isEqualTo("0");
            connection.rollback();
            read(connection, 0, "SELECT app_timeout('7')");
            assertThatThrownBy(() -> read(connection, 0, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> read(connection, 2, TIMEOUT))
                    .hasMessageContaining("cannot be asked for")
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("25P02");
        }
    }

    /** It is told with its first statement, whatever kind that is; nothing else is sent if a text tells what is set. */
    @Test
    void aFurtherDatabaseCostsNoRoundTrip() throws SQLException {
        databases.warmUp();
        for (String sql : List.of(
                WHO,
                WHO + " FOR SHARE",
                "SELECT name FROM who",
                "UPDATE sharded_id_shard.photo SET caption = 'x' RETURNING 'ann'")) {
            for (boolean prepared : new boolean[] {true, false}) {
                try (Connection connection = databases.transaction()) {
                    try (ShardContext.Scope scope = ShardContext.open(0)) {
                        prepared("SELECT set_config('app.name', ?, true)", "ann")
                                .on(connection);
                        connection.setSavepoint();
                    }
                    databases.tap1.reset();
                    databases.tap2.reset();
                    try (ShardContext.Scope scope = ShardContext.open(2)) {
                        if (prepared) {
                            assertThat(read(connection, 2, sql)).startsWith("ann");
                        } else {
                            assertThat(first(connection, sql)).startsWith("ann");
                        }
                    }
                    assertThat(databases.tap2.turns()).as(sql).isEqualTo(1);
                    read(connection, 3, WHO);
                    assertThat(databases.tap2.turns()).as(sql).isEqualTo(2);
                    assertThat(databases.tap1.turns()).isZero();
                }
            }
        }
    }

    /** With generated keys, counts, and in a batch. */
    @Test
    void whatIsSetIsThereForEachKindOfStatement() throws SQLException {
        databases.pg2.execute(
                "CREATE TABLE shard_0002.log (id bigserial, name text DEFAULT current_setting('app.name'))");
        String insert = "INSERT INTO sharded_id_shard.log (name) VALUES (current_setting('app.name'))";
        try (Connection connection = databases.transaction()) {
            read(connection, 0, "SELECT set_config('app.name', 'ann', true)");
            Savepoint savepoint = connection.setSavepoint();
            for (Work work : List.<Work>of(
                    c -> assertThat(keys(c, insert)).isPositive(),
                    c -> assertThat(c.createStatement().executeUpdate(insert)).isEqualTo(1),
                    c -> assertThat(c.prepareStatement(insert).executeLargeUpdate())
                            .isEqualTo(1),
                    batch(insert, insert),
                    c -> {
                        PreparedStatement statement = c.prepareStatement(insert);
                        statement.addBatch();
                        statement.addBatch();
                        assertThat(statement.executeBatch()).containsExactly(1, 1);
                    },
                    c -> {
                        PreparedStatement statement = c.prepareStatement(insert + " RETURNING name");
                        statement.setFetchSize(1);
                        assertThat(statement.executeQuery().next()).isTrue();
                    })) {
                try (ShardContext.Scope scope = ShardContext.open(2)) {
                    work.on(connection);
                    assertThat(first(connection, "SELECT string_agg(DISTINCT name, ',') FROM log"))
                            .isEqualTo("ann");
                }
                connection.rollback(savepoint);
            }
        }
    }

    private static long keys(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql, new String[] {"id"})) {
            assertThat(statement.executeUpdate()).isEqualTo(1);
            ResultSet keys = statement.getGeneratedKeys();
            keys.next();
            return keys.getLong(1);
        }
    }

    private static String first(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Over all shards but that of the transaction's connections, which only the database that was written uses. */
    private static Set<String> overShards(Connection connection) throws SQLException {
        Set<String> values = new TreeSet<>();
        try (ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement = connection.prepareStatement("SELECT concat_ws(' ',"
                        + " coalesce(current_setting('app.name', true), ''), current_setting('TimeZone'), current_setting('lock_timeout'),"
                        + " current_setting('work_mem')) FROM sharded_id_shard.photo");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }
}
