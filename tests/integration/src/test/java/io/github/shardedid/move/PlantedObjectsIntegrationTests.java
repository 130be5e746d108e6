package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A role that may create objects in schema {@code public} plants functions and operators there that fit statements better than
 * PostgreSQL's. No statement of this library calls them as the owner or the mover. Flyway's own statements do.
 */
// The role pg_create_subscription is needed.
@Tag("since-16")
@Tag("embedded-only")
class PlantedObjectsIntegrationTests {
    private static final String ROLE = "planted_upon";
    private static final String HOSTILE = "planter";

    /** What Flyway sends by itself, what it is recorded as for further shards, and a script of the test. */
    private static final String FLYWAYS =
            "^(SELECT set_config\\(''search_path'', |SELECT COUNT\\(\\*\\) FROM pg_namespace WHERE"
                    + " nspname=|SELECT EXISTS \\(\\s+SELECT |SET LOCAL|CREATE TABLE \"shard_)|flyway_schema_history|format\\(''GRANT USAGE";

    private static final Map<String, String> FUNCTIONS = Map.ofEntries(
            Map.entry("has_database_privilege(name, text)", "boolean"),
            Map.entry("set_config(text, varchar, boolean)", "text"),
            Map.entry("has_table_privilege(regclass, text)", "boolean"),
            Map.entry("has_sequence_privilege(regclass, text)", "boolean"),
            Map.entry("pg_sequence_last_value(oid)", "bigint"),
            Map.entry("unnest(text[])", "SETOF text"),
            Map.entry("unnest(oid[])", "SETOF oid"),
            Map.entry("unnest(regclass[])", "SETOF regclass"),
            Map.entry("unnest(int4[])", "SETOF int4"),
            Map.entry("unnest(int2vector)", "SETOF int2"),
            Map.entry("pg_relation_size(oid)", "bigint"),
            Map.entry("pg_table_size(oid)", "bigint"),
            Map.entry("pg_total_relation_size(oid)", "bigint"),
            Map.entry("format(text, name)", "text"),
            Map.entry("format(text, name, name)", "text"),
            Map.entry("format(text, name, name, text)", "text"),
            Map.entry("substring(name, int4)", "text"),
            Map.entry("starts_with(name, varchar)", "boolean"),
            Map.entry("quote_ident(name)", "text"),
            Map.entry("to_regclass(varchar)", "regclass"),
            Map.entry("to_regnamespace(varchar)", "regnamespace"),
            Map.entry("current_setting(varchar)", "text"));

    private static final List<String> TYPES = List.of(
            "oid, text",
            "text, oid",
            "text, timestamptz",
            "name, varchar",
            "name, text",
            "text, name",
            "name, name",
            "text, varchar",
            "varchar, text",
            "varchar, varchar",
            "oid, regclass",
            "oid, regnamespace",
            "oid, regtype",
            "oid, int4",
            "oid, int8",
            "int8, int4",
            "int4, int8");

    private final ServerAsRole first = ServerAsRole.on(PostgresServers.shared(1), ROLE);
    private final ServerAsRole second = ServerAsRole.on(PostgresServers.shared(2), ROLE);
    private final List<TestDatabase> databases = List.of(first.newDatabase(), second.newDatabase());
    private final MovingCluster cluster = new MovingCluster(databases);

    @BeforeEach
    void plantAll() throws SQLException {
        for (TestDatabase database : owned()) {
            database.execute("ALTER ROLE " + ROLE + " REPLICATION; GRANT pg_create_subscription TO " + ROLE
                    + "; CREATE SEQUENCE public.caught; GRANT USAGE ON SEQUENCE public.caught TO PUBLIC");
            if (database.queryLong("SELECT count(*) FROM pg_roles WHERE rolname = '" + HOSTILE + "'") == 0) {
                database.execute("CREATE ROLE " + HOSTILE + " LOGIN PASSWORD 'p'");
            }
            database.execute("GRANT USAGE, CREATE ON SCHEMA public TO " + HOSTILE);
            try (Connection connection = DriverManager.getConnection(database.url(), HOSTILE, "p");
                    Statement statement = connection.createStatement()) {
                plantAll(statement);
            }
        }
    }

    private List<TestDatabase> owned() {
        return List.of(first.owned(databases.get(0)), second.owned(databases.get(1)));
    }

    @AfterEach
    void drop() {
        cluster.close();
    }

    private static void plantAll(Statement statement) throws SQLException {
        for (Map.Entry<String, String> function : FUNCTIONS.entrySet()) {
            int arguments = function.getKey().split(",").length;
            String call = "pg_catalog." + function.getKey().replaceAll("\\(.*", "");
            plant(statement, function.getKey(), function.getValue(), call + "(" + arguments(arguments) + ")");
        }
        plant(statement, "gathered(text[], text)", "text[]", "pg_catalog.array_append($1, $2)");
        statement.execute("CREATE AGGREGATE public.array_agg(text) (SFUNC = public.gathered, STYPE = text[])");
        for (String operator : List.of("=", "<>", "<", ">", "~", "!~", "~~", "||", "&")) {
            for (String types : TYPES) {
                if (types.contains("int") && operator.matches("[~|!].*")) {
                    continue;
                }
                String text = types.startsWith("oid, int") || types.startsWith("int") ? "bigint" : "text";
                String body = "$1::text::" + text + " OPERATOR(pg_catalog." + operator + ") $2::text::" + text;
                if (operator.equals("&") && !text.equals("bigint")) {
                    continue;
                }
                String name = "planted_" + Integer.toHexString(operator.hashCode());
                plant(
                        statement,
                        name + "(" + types + ")",
                        operator.equals("||") || operator.equals("&") ? text : "boolean",
                        body);
                statement.execute("CREATE OPERATOR public." + operator + " (FUNCTION = public." + name + ", LEFTARG = "
                        + types.replace(",", ", RIGHTARG =") + ")");
            }
        }
    }

    private static String arguments(int count) {
        return List.of("$1", "$1, $2", "$1, $2, $3", "$1, $2, $3, $4").get(count - 1);
    }

    private static void plant(Statement statement, String signature, String returns, String result)
            throws SQLException {
        statement.execute("CREATE FUNCTION public." + signature + " RETURNS " + returns
                + " LANGUAGE plpgsql SET search_path = pg_catalog AS $$ BEGIN IF current_query() !~ '" + FLYWAYS
                + "' THEN PERFORM nextval('public.caught'); RAISE EXCEPTION 'PLANTED " + signature
                + " called by % in: %', current_user, current_query(); END IF; "
                + (returns.startsWith("SETOF") ? "RETURN QUERY SELECT " : "RETURN ") + result + "; END $$");
    }

    private void assertNoneWasCalled() {
        assertThat(owned()).allSatisfy(database -> assertThat(database.query("SELECT is_called FROM public.caught"))
                .containsExactly("f"));
    }

    private Provisioner provisioner() {
        return new Provisioner(cluster.definition(), cluster.sources(), ShardMigrations.at(MovingCluster.SCRIPTS))
                .withColocated(Map.of("likes", Set.of("stars")));
    }

    @Test
    @Tag("quick")
    void provisioningCallsNone() {
        cluster.provision();
        provisioner().provision();
        provisioner().check();
        assertThat(provisioner().drift().unreachable()).isEmpty();
        cluster.fill(5);

        assertNoneWasCalled();
    }

    /** Even if the mover's search path has PostgreSQL's own schema last. */
    @Test
    void recordingAPlanCallsNone() {
        cluster.provision();
        for (TestDatabase database : owned()) {
            database.execute(
                    "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS"
                            + " 'BEGIN PERFORM pg_catalog.nextval(''public.caught''); RETURN pg_catalog.clock_timestamp(); END'");
        }
        Map<String, DataSource> sources = new TreeMap<>();
        cluster.sources().forEach((name, source) -> {
            ((PGSimpleDataSource) source).setCurrentSchema("public,pg_catalog");
            sources.put(name, source);
        });
        ShardMover mover = cluster.mover(sources);
        MovePlan begun = mover.begin(MoveGoal.drain("pg1"), false);
        mover.stopPlan(begun.id());
        assertThat(mover.run(begun)).isEmpty();

        assertNoneWasCalled();
    }

    @Test
    void aMoverCallsNone() throws SQLException {
        cluster.provision();
        provisioner().provision();
        cluster.fill(5);
        ShardMover mover = cluster.mover();
        assertThat(mover.check(MovingCluster.SHARD, "pg2")).isEmpty();
        mover.move(MovingCluster.SHARD, "pg2");
        mover.copies(MovingCluster.SHARD);
        mover.dropOldCopy(MovingCluster.SHARD, "pg1");
        mover.moveOffline(MovingCluster.SHARD, "pg1");
        databases.get(1).execute("UPDATE sharded_id.shard SET state = 'ACTIVE', generation = 1 WHERE shard = 1");
        mover.recover(MovingCluster.SHARD, "pg1");
        assertThat(mover.moves()).hasSize(1);
        mover.plan(MoveGoal.BALANCE);

        assertThat(databases.get(1).query("SELECT state FROM sharded_id.shard WHERE shard = 1"))
                .containsExactly("MOVED");
        assertNoneWasCalled();
    }
}
