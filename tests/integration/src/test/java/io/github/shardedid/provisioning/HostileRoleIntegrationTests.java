package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a role can do that may connect, make temporary tables, and make objects in schema {@code public}: nothing to others. */
@Tag("quick")
class HostileRoleIntegrationTests {
    /** For everybody, since they read and write nothing. */
    private static final List<String> PURE = List.of(
            "decode",
            "encode",
            "refuse_id",
            "shard_of",
            "shard_of_key",
            "shard_of_key",
            "shard_of_key",
            "timestamp_of");

    private static final String UUID = "'00000000-0000-0000-0000-000000000001'";
    private static final String SEQUENCE = "'shard_0003.photo_id_seq'";

    /** What looks like a call and is none. */
    private static final Set<String> SYNTAX = Set.of(
            "and",
            "or",
            "not",
            "if",
            "when",
            "then",
            "case",
            "coalesce",
            "greatest",
            "least",
            "bit",
            "array",
            "in",
            "exists",
            "else",
            "values",
            "select",
            "return");

    private final TestCluster cluster = TestCluster.provisioned(IdLayout.DEFAULT, 4, "0-3");
    private final TestDatabase database = cluster.database("pg1");
    private final String role = "hostile_to_" + database.name();

    @BeforeEach
    void createRole() {
        database.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'p'; GRANT USAGE, CREATE ON SCHEMA public TO " + role
                + "; CREATE TABLE public.caught (who text); GRANT INSERT ON public.caught TO PUBLIC");
    }

    @AfterEach
    void dropRole() {
        database.execute("DROP OWNED BY " + role + " CASCADE; DROP ROLE " + role);
    }

    private Connection hostile() throws SQLException {
        return DriverManager.getConnection(database.url(), role, "p");
    }

    @Test
    void everybodyMayCallWhatIsPureAndNothingElse() {
        assertThat(database.query("SELECT proname FROM pg_proc WHERE pronamespace = 'sharded_id'::regnamespace"
                        + " AND has_function_privilege('" + role + "', oid, 'EXECUTE') ORDER BY 1"))
                .isEqualTo(PURE);
    }

    @Test
    void everybodyMayReadNoTableAndNoSequence() {
        assertThat(database.query(
                        "SELECT relname FROM pg_class WHERE relnamespace = 'sharded_id'::regnamespace AND CASE"
                                + " relkind WHEN 'S' THEN has_sequence_privilege('" + role
                                + "', oid, 'USAGE, SELECT, UPDATE')"
                                + " ELSE has_table_privilege('" + role
                                + "', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') END"
                                + " AND relkind IN ('r', 'v', 'm', 'S')"))
                .isEmpty();
    }

    @Test
    void aFunctionHasAPathOfItsOwnOrQualifiesEveryName() {
        assertThat(
                        database.query(
                                "SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'sharded_id'::regnamespace"
                                        + " AND prosecdef AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)"))
                .isEmpty();
        List<String> bodies = database.query("SELECT proname || E'\\n' || prosrc FROM pg_proc WHERE pronamespace IN"
                + " ('sharded_id'::regnamespace, 'shard_0003'::regnamespace) AND proconfig IS NULL");
        assertThat(bodies)
                .hasSizeGreaterThan(10)
                .allSatisfy(body -> assertThat(unqualified(body)).as(body).isEmpty());
    }

    private static Set<String> unqualified(String body) {
        String sql = body.substring(body.indexOf('\n'))
                .replaceAll("--[^\n]*", "")
                .replaceAll("'[^']*'", "''")
                .replaceAll("OPERATOR\\(pg_catalog\\.[^)]+\\)", " ")
                .replaceAll(":=|::|\\bSELECT \\*|ERRCODE =", " ");
        Set<String> found = new TreeSet<>();
        Matcher names = Pattern.compile("(?<![\\w.])(\\w+) ?\\(|[-+*/<>=~!@#%^&|]+|\\b(BETWEEN|DISTINCT FROM|LIKE)\\b")
                .matcher(sql);
        while (names.find()) {
            if (names.group(1) == null || !SYNTAX.contains(names.group(1).toLowerCase(java.util.Locale.ROOT))) {
                found.add(names.group());
            }
        }
        found.remove("-");
        return found;
    }

    @Test
    void functionsAndOperatorsThatFitBetterAreNotCalledByOthers() throws SQLException {
        try (Connection connection = hostile();
                Statement statement = connection.createStatement()) {
            for (String operator :
                    List.of("+", "-", "*", "/", "%", "&", "|", "<<", ">>", "<", "<=", ">", ">=", "=", "<>", "||")) {
                for (String types : List.of(
                        "bigint, bigint",
                        "bigint, integer",
                        "integer, integer",
                        "integer, bigint",
                        "float8, integer",
                        "float8, bigint",
                        "float8, float8",
                        "text, text",
                        "bytea, bytea",
                        "name, text",
                        "name, varchar",
                        "smallint, integer",
                        "bigint, interval",
                        "oid, oid",
                        "uuid, uuid")) {
                    plantOperator(statement, operator, types);
                }
            }
            for (String function : List.of(
                    "has_sequence_privilege(regclass, text) RETURNS boolean",
                    "has_schema_privilege(name, name, text) RETURNS boolean",
                    "pg_sequence_last_value(regclass) RETURNS bigint",
                    "nextval(regclass) RETURNS bigint",
                    "setval(regclass, bigint) RETURNS bigint",
                    "floor(float8) RETURNS float8",
                    "date_part(text, timestamptz) RETURNS float8",
                    "current_setting(text) RETURNS text",
                    "format(text, name) RETURNS text",
                    "format(text, text) RETURNS text",
                    "lpad(text, integer, text) RETURNS text",
                    "sha256(bytea) RETURNS bytea",
                    "encode(bytea, text) RETURNS text",
                    "pg_try_advisory_lock(bigint) RETURNS boolean",
                    "substr(text, integer, integer) RETURNS text",
                    "generate_series(integer, integer) RETURNS SETOF integer")) {
                statement.execute(
                        "CREATE FUNCTION public." + function + " LANGUAGE sql VOLATILE AS $$ INSERT INTO public.caught"
                                + " VALUES (current_user); SELECT NULL::"
                                + function.replaceAll(".*RETURNS (SETOF )?", "") + " $$");
            }
        }
        for (String path : List.of("public", "public, pg_catalog")) {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET search_path = " + path);
                for (String call : calls("shard_0003")) {
                    statement.execute("SELECT " + call);
                    statement.execute("SELECT " + call);
                }
            }
        }
        assertThat(database.query("TABLE public.caught")).isEmpty();
    }

    private static void plantOperator(Statement statement, String operator, String types) throws SQLException {
        String name = "planted_" + Integer.toHexString(operator.hashCode());
        statement.execute("CREATE OR REPLACE FUNCTION public." + name + "(" + types + ") RETURNS "
                + (operator.matches("<=?|>=?|=|<>") ? "boolean" : types.replaceAll(",.*", ""))
                + " LANGUAGE sql VOLATILE AS $$ INSERT INTO public.caught VALUES (current_user); SELECT NULL::"
                + (operator.matches("<=?|>=?|=|<>") ? "boolean" : types.replaceAll(",.*", "")) + " $$");
        statement.execute("CREATE OPERATOR public." + operator + " (FUNCTION = public." + name + ", LEFTARG = "
                + types.replace(",", ", RIGHTARG =") + ")");
    }

    private static List<String> calls(String schema) {
        return List.of(
                schema + ".next_id(" + SEQUENCE + ")",
                "count(i) FROM " + schema + ".next_ids(" + SEQUENCE + ", 3) i",
                "count(i) FROM " + schema + ".next_ids(" + SEQUENCE + ", 3000) i",
                "count(i) FROM " + schema + ".next_ids_after(" + SEQUENCE + ", 3, 5) i",
                "count(i) FROM " + schema + ".next_ids_after(" + SEQUENCE + ", 3, 4500000000000000000) i",
                "sharded_id.next_id_block(" + SEQUENCE + ", 3, 600)",
                "l FROM " + schema + ".lease_node(" + UUID + ", 1, 64, 1000) l",
                schema + ".release_node(" + UUID + ", 5)",
                "sharded_id.server()",
                "sharded_id.sequences_end('" + schema + "')",
                "sharded_id.decode(sharded_id.encode(5, 3, 600))",
                "sharded_id.timestamp_of(pg_catalog.clock_timestamp())",
                "sharded_id.shard_of_key(5), sharded_id.shard_of_key('a'::text), sharded_id.shard_of_key(" + UUID
                        + "::uuid)");
    }

    @Test
    void leasesOfATableThatIsNoShardsAreRefusedEvenToThoseWhoMayLease() throws SQLException {
        database.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sharded_id TO " + role);
        try (Connection connection = hostile();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP TABLE sharded_id_lease (node smallint PRIMARY KEY, jvm_nodes int NOT NULL,"
                    + " holder uuid, window_start bigint, window_end bigint, server text)");
            statement.execute("INSERT INTO sharded_id_lease VALUES (-1, 64, NULL, 0, 0, sharded_id.server()), (1, 64, "
                    + UUID + ", 0, 0, NULL)");
            statement.execute("CREATE FUNCTION pg_temp.caught() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    + " INSERT INTO public.caught VALUES (current_user); RETURN NEW; END $$;"
                    + " CREATE TRIGGER caught BEFORE INSERT OR UPDATE ON sharded_id_lease FOR EACH ROW"
                    + " EXECUTE FUNCTION pg_temp.caught()");
            for (String schema : List.of(
                    "pg_my_temp_schema()::regnamespace::text::name",
                    "'public'",
                    "'shard_3'",
                    "'shard_0007'",
                    "NULL",
                    "'shard_0003\".x'")) {
                for (String call : List.of(
                        "lease_node(" + schema + ", " + UUID + ", 1, 64, 1000)",
                        "release_node(" + schema + ", " + UUID + ", 5)")) {
                    assertThatThrownBy(() -> statement.execute("SELECT sharded_id." + call))
                            .as(call)
                            .isInstanceOf(SQLException.class);
                }
            }
            assertThatThrownBy(() ->
                            statement.execute("SELECT sharded_id.lease_node('shard_0003', " + UUID + ", 1, 64, 1000)"))
                    .hasMessageContaining("permission denied for schema shard_0003");
        }
        assertThat(database.query("TABLE public.caught")).isEmpty();
    }

    @Test
    void aRoleWithTheProcessAndTheNumberOfASessionThatHasEndedHoldsNobodyUp() throws SQLException {
        try (Connection connection = hostile();
                Statement statement = connection.createStatement();
                ResultSet pid = statement.executeQuery("SELECT pg_backend_pid(), pg_advisory_lock(1768842084, 77),"
                        + " pg_advisory_lock(1768842085, 77)")) {
            assertThat(pid.next()).isTrue();
            database.execute(
                    "DELETE FROM sharded_id.session_lock; INSERT INTO sharded_id.session_lock SELECT class, purpose, "
                            + pid.getString(1)
                            + ", 77, '-infinity' FROM (VALUES (1768842084, 1), (1768842084, 2), (1768842084, 4),"
                            + " (1768842085, 3)) AS l (class, purpose)");
            assertThat(database.query("SELECT sharded_id.set_aside(3, 1)"))
                    .as("nobody works on the shard")
                    .containsExactly("shard_0003_fenced_1");
            try (Connection owner = database.connect();
                    SessionLock schemas = SessionLock.tryTake(owner, SessionLock.DATABASE);
                    SessionLock shard = SessionLock.tryTake(owner, SessionLock.ofShard(3))) {
                assertThat(Arrays.asList(schemas, shard)).doesNotContainNull();
            }
        }
    }

    @Test
    void aSessionOfTheOwnerIsNoHolderBecauseItHasTheProcessOfOneThatHasEnded() throws SQLException {
        try (Connection later = database.connect();
                Statement statement = later.createStatement();
                Connection owner = database.connect()) {
            statement.execute("SELECT pg_advisory_lock(1768842084, 77), pg_advisory_lock(1768842085, 77)");
            statement.execute(
                    "INSERT INTO sharded_id.session_lock SELECT class, purpose, pid, 77, backend_start - interval '1 ms'"
                            + " FROM pg_stat_activity, (VALUES (1768842084, 2), (1768842085, 3)) AS l (class, purpose)"
                            + " WHERE pid = pg_backend_pid() ON CONFLICT (class, purpose) DO UPDATE SET holder = excluded.holder,"
                            + " number = excluded.number, started = excluded.started");
            assertThat(database.query("SELECT sharded_id.set_aside(3, 1)"))
                    .as("nobody works on the shard")
                    .containsExactly("shard_0003_fenced_1");
            try (SessionLock schemas = SessionLock.tryTake(owner, SessionLock.DATABASE);
                    SessionLock shard = SessionLock.tryTake(owner, SessionLock.ofShard(3))) {
                assertThat(Arrays.asList(schemas, shard)).doesNotContainNull();
                assertThat(SessionLock.holder(later, SessionLock.ofShard(3)))
                        .as("the owner's")
                        .isNotNull();
                assertThat(SessionLock.tryTake(later, SessionLock.DATABASE)).isNull();
            }
            assertThat(SessionLock.holder(later, SessionLock.ofShard(3))).isNull();
        }
    }

    @Test
    void aLockThatIsWaitedForIsLoggedWithItsHolder() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(SessionLock.class);
        log.start();
        logger.addAppender(log);
        try (Connection first = database.connect();
                Connection second = database.connect()) {
            SessionLock held = SessionLock.take("pg1", first, SessionLock.DATABASE);
            CompletableFuture<Void> waiting = OwnThread.run(() -> takeAndGiveBack(second));
            await().until(() -> !log.list.isEmpty());
            held.close();
            waiting.join();
            try (Statement statement = first.createStatement();
                    ResultSet me = statement.executeQuery("SELECT pg_backend_pid(), current_user")) {
                assertThat(me.next()).isTrue();
                assertThat(log.list)
                        .singleElement()
                        .asString()
                        .contains("Database pg1: waiting for process " + me.getString(1) + " of role " + me.getString(2)
                                + " (")
                        .contains(" from 127.0.0.1, which is provisioning");
            }
        } finally {
            logger.detachAppender(log);
        }
    }

    private static void takeAndGiveBack(Connection connection) {
        try {
            SessionLock.take("pg1", connection, SessionLock.DATABASE).close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void locksThatEverybodyMayTakeHoldNobodyUp() throws SQLException {
        database.query("SELECT shard_0003.next_id(" + SEQUENCE + ")");
        try (Connection connection = hostile();
                Statement statement = connection.createStatement();
                Connection application = database.connect();
                Statement ids = application.createStatement()) {
            for (String lock : List.of(
                    "1768842083, s.oid::int", "1768842083, -1", "s.oid::bigint", "1768842084, 2", "1768842084, 4")) {
                statement.execute("SELECT pg_advisory_lock(" + lock + ") FROM pg_class s WHERE relkind = 'S'");
            }
            assertThatThrownBy(() -> statement.execute(
                            "SELECT sharded_id.lock_number(" + SEQUENCE.replace("shard_0003", "x") + ", 0)"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> statement.execute("SELECT last_value FROM sharded_id.lock_secret"))
                    .hasMessageContaining("permission denied");
            ids.execute("SET statement_timeout = '20s'");
            for (String call : calls("shard_0003").subList(0, 6)) {
                ids.execute("SELECT " + call);
            }
        }
    }
}
