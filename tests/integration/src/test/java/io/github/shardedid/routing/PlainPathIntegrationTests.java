package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.test.TestDatabase;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts in the scope of a shard beside the same texts over a plain connection with {@code search_path = shard_0000, public}: results, counts,
 * errors, and what the tables of the shard and of {@code public} contain afterwards. Before each text, the only session of the routed
 * database has the path of another shard, or of none.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainPathIntegrationTests {
    /** Both databases have these tables twice: in their shards, and in public, where nobody means them. */
    private static final String TABLES =
            """
            CREATE TABLE %1$stag (id bigint);
            CREATE TABLE %1$snote (id bigint, text text);
            CREATE TABLE %1$slog (entry text);
            INSERT INTO %1$stag VALUES (1), (2);
            INSERT INTO %1$snote VALUES (1, '%2$s');
            INSERT INTO %1$slog VALUES ('%2$s');
            """;

    /** Code in a common schema, whose names have no schema. */
    private static final String COMMON =
            """
            CREATE FUNCTION public.log_it() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN INSERT INTO log VALUES (TG_TABLE_NAME || ' ' || TG_OP); RETURN coalesce(NEW, OLD); END $$;
            CREATE FUNCTION public.logged() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM log); END $$;
            CREATE FUNCTION public.first_log() RETURNS text STABLE LANGUAGE sql AS 'SELECT entry FROM log ORDER BY ctid LIMIT 1';
            CREATE FUNCTION public.is_logged(bigint) RETURNS boolean LANGUAGE plpgsql AS $$
              BEGIN INSERT INTO log VALUES ('checked'); RETURN true; END $$;
            CREATE FUNCTION public.write_log(text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES ($1); END $$;
            CREATE DOMAIN public.checked AS bigint CHECK (public.is_logged(VALUE));
            CREATE TYPE public.pair AS (id public.checked, text text);
            CREATE FUNCTION public.is_public() RETURNS boolean RETURN to_regclass('tag'::text) = 'public.tag'::regclass;
            CREATE TYPE public.wrapped AS (id bigint);
            CREATE FUNCTION public.wrap(bigint) RETURNS public.wrapped LANGUAGE plpgsql AS $$
              BEGIN INSERT INTO log VALUES ('wrapped'); RETURN ROW($1)::public.wrapped; END $$;
            CREATE CAST (bigint AS public.wrapped) WITH FUNCTION public.wrap(bigint);
            CREATE TABLE public.noted (id bigint);
            CREATE TRIGGER log_it AFTER INSERT OR DELETE ON public.noted FOR EACH ROW EXECUTE FUNCTION public.log_it();
            CREATE VIEW public.logging AS SELECT public.first_log(), public.logged();
            CREATE FUNCTION public.log_of(point) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT entry FROM log LIMIT 1); END $$;
            CREATE TYPE public.ranked AS (rank int);
            CREATE FUNCTION public.rank(public.ranked, public.ranked) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
              BEGIN RETURN (SELECT CASE entry WHEN 'of public' THEN 1 ELSE -1 END FROM log LIMIT 1) * ($1.rank - $2.rank); END $$;
            CREATE FUNCTION public.below(public.ranked, public.ranked) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT rank($1, $2) < 0';
            CREATE FUNCTION public.alike(public.ranked, public.ranked) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT rank($1, $2) = 0';
            CREATE FUNCTION public.above(public.ranked, public.ranked) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT rank($1, $2) > 0';
            CREATE OPERATOR public.<<< (LEFTARG = public.ranked, RIGHTARG = public.ranked, FUNCTION = public.below);
            CREATE OPERATOR public.=== (LEFTARG = public.ranked, RIGHTARG = public.ranked, FUNCTION = public.alike);
            CREATE OPERATOR public.>>> (LEFTARG = public.ranked, RIGHTARG = public.ranked, FUNCTION = public.above);
            CREATE OPERATOR CLASS public.ranks DEFAULT FOR TYPE public.ranked USING btree AS
              OPERATOR 1 public.<<<, OPERATOR 3 public.===, OPERATOR 5 public.>>>, FUNCTION 1 public.rank(public.ranked, public.ranked);
            """;

    private static final String OWN =
            """
            CREATE TABLE photo (id bigint PRIMARY KEY, caption text);
            INSERT INTO photo VALUES (1, 'a cat'), (2, 'two dogs');
            CREATE SEQUENCE photo_seq;
            CREATE FUNCTION date_trunc(text, date) RETURNS date IMMUTABLE LANGUAGE sql AS 'SELECT DATE ''1999-09-09''';
            CREATE FUNCTION concat(bigint, text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''own''';
            CREATE FUNCTION lower(bigint) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''own''';
            CREATE FUNCTION words(photo) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 42';
            CREATE FUNCTION minus(bigint, text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''own''';
            CREATE OPERATOR - (LEFTARG = bigint, RIGHTARG = text, FUNCTION = minus);
            CREATE TYPE mood AS ENUM ('sad', 'happy');
            CREATE TABLE feeling (id bigint, mood mood);
            INSERT INTO feeling VALUES (1, 'sad'), (2, 'happy');
            CREATE TEXT SEARCH CONFIGURATION conf (COPY = pg_catalog.simple);
            CREATE TEXT SEARCH CONFIGURATION english (COPY = pg_catalog.simple);
            CREATE COLLATION german (provider = libc, locale = 'C');
            CREATE TABLE triggered (id bigint);
            CREATE TRIGGER log_it AFTER INSERT OR DELETE ON triggered FOR EACH ROW EXECUTE FUNCTION public.log_it();
            CREATE TABLE late (id bigint);
            CREATE CONSTRAINT TRIGGER log_it AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION public.log_it();
            CREATE TABLE parent (id bigint PRIMARY KEY);
            CREATE TABLE child (id bigint, parent bigint REFERENCES parent ON DELETE CASCADE);
            CREATE TRIGGER log_it AFTER DELETE ON child FOR EACH ROW EXECUTE FUNCTION public.log_it();
            INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1);
            CREATE TABLE defaulted (id bigint, logs bigint DEFAULT public.logged());
            CREATE TABLE constrained (id bigint CHECK (public.is_logged(id)));
            CREATE TABLE typed (id public.checked);
            CREATE TABLE listed (ids public.checked[]);
            CREATE TABLE paired (pair public.pair, pairs public.pair[]);
            CREATE TABLE registered (relation regclass, type regtype);
            INSERT INTO registered VALUES ('photo', 'mood');
            CREATE VIEW inquiring AS SELECT name, name::text::regtype AS type, format_type(name::text::regtype, NULL) AS formatted,
              pg_input_is_valid(name::text, 'regtype') AS valid FROM (VALUES ('mood')) v(name);
            CREATE VIEW atomic AS SELECT public.is_public() FROM photo;
            CREATE TABLE kept (id bigint);
            CREATE RULE kept AS ON INSERT TO kept DO ALSO SELECT public.write_log('kept');
            CREATE VIEW first AS SELECT p.id, public.first_log() AS entry FROM photo p;
            CREATE VIEW second AS SELECT * FROM first;
            CREATE TABLE numbered (id bigint DEFAULT nextval('photo_seq'::text));
            CREATE DOMAIN named AS text CHECK (to_regclass(VALUE) IS NOT NULL);
            CREATE TABLE naming (name text CHECK (to_regclass(name) IS NOT NULL), other named);
            CREATE VIEW looking AS SELECT current_schema AS schema, to_regclass('photo') IS NULL AS lost FROM photo;
            CREATE VIEW domained AS SELECT id::public.checked FROM photo;
            CREATE TABLE odd ("select" bigint, "from" text, "join" text, "group" int, "into" text);
            INSERT INTO odd VALUES (1, 'tag', 'note', 2, 'log');
            CREATE DOMAIN placed AS text DEFAULT current_schema;
            CREATE DOMAIN relation AS regclass;
            CREATE TABLE places (place placed, relation relation, relations relation[], path text DEFAULT current_setting('search_path'));
            INSERT INTO places (relation) VALUES ('photo');
            CREATE VIEW shown AS SELECT current_setting('search_path') ~ 'shard' AS path FROM photo;
            CREATE VIEW rewritten AS SELECT ts_rewrite('a', 'SELECT ''a''::tsquery, text::tsquery FROM note') FROM photo;
            CREATE TABLE ranking (ranked public.ranked);
            INSERT INTO ranking VALUES (ROW(1)), (ROW(2));
            CREATE FUNCTION hide() RETURNS bigint LANGUAGE plpgsql AS $$
              BEGIN CREATE TEMP TABLE tag (id bigint) ON COMMIT DROP; INSERT INTO tag VALUES (5); DELETE FROM tag WHERE id < 5;
                    RETURN (SELECT sum(id) FROM tag); END $$;
            """;

    private static final String CONTENTS = "SELECT '%1$s', string_agg(t::text, ' ' ORDER BY t::text) FROM %2$s.%1$s t";
    private static final List<String> CHECKED = List.of("tag", "note", "log");
    private static final List<String> ALSO = List.of(
            "photo",
            "triggered",
            "late",
            "child",
            "defaulted",
            "constrained",
            "typed",
            "kept",
            "numbered",
            "naming",
            "places");

    private TwoDatabases databases;
    private Connection plain;

    @BeforeAll
    void create() throws SQLException {
        databases = new TwoDatabases();
        databases.pool2.setMaximumPoolSize(1);
        for (TestDatabase database : List.of(databases.pg1, databases.pg2)) {
            database.execute(TABLES.formatted("public.", "of public") + COMMON);
        }
        create(databases.pg1, "shard_0000");
        create(databases.pg2, "shard_0002");
        create(databases.pg2, "shard_0003");
        plain = databases.pg1.connect();
        try (Statement statement = plain.createStatement()) {
            statement.execute("SET search_path TO shard_0000, public");
        }
    }

    private static void create(TestDatabase database, String schema) {
        database.execute("DROP TABLE " + schema + ".photo; SET search_path TO " + schema + ", public; "
                + TABLES.formatted("", "of a shard") + own(database));
    }

    /** PostgreSQL has {@code pg_input_is_valid} since version 16. */
    private static String own(TestDatabase database) {
        boolean old = database.queryLong("SELECT current_setting('server_version_num')::int") < 160_000;
        return old
                ? OWN.replace("pg_input_is_valid(name::text, 'regtype')", "to_regtype(name::text) IS NOT NULL")
                : OWN;
    }

    @AfterAll
    void close() throws SQLException {
        plain.close();
        databases.close();
    }

    /** How texts are sent. */
    private enum Way {
        PLAIN,
        PREPARED,
        BATCH
    }

    private void compare(boolean transaction, Way way, String... texts) throws SQLException {
        List<String> wanted = run(plain, "shard_0000.", transaction, way, texts);
        wanted.addAll(contents(databases.pg1, "shard_0000"));
        List<String> found;
        try (Connection routed = databases.routed.getConnection()) {
            TwoDatabases.read(routed, 3, "SELECT id FROM photo");
            try (ShardContext.Scope scope = ShardContext.open(2)) {
                found = run(routed, "sharded_id_shard.", transaction, way, texts);
            }
        }
        found.addAll(contents(databases.pg2, "shard_0002"));
        assertThat(found).as("%s", List.of(texts)).isEqualTo(wanted);
        assertThat(contents(databases.pg2, "shard_0003")).containsAll(List.of("tag: (1) (2)", "log: (\"of a shard\")"));
    }

    private static List<String> run(Connection connection, String schema, boolean transaction, Way way, String... texts)
            throws SQLException {
        List<String> outcomes = new ArrayList<>();
        connection.setAutoCommit(!transaction);
        for (String text : texts) {
            String generated = schema.startsWith("sharded_id") ? "Sharded_Id_Shard." : schema;
            String sql = text.replace("{g}", generated).replace("{s}", schema);
            outcomes.add(outcome(connection, sql, way).replaceAll("(?i:sharded_id_shard)|shard_000.", "S"));
        }
        if (transaction) {
            if (outcomes.stream().anyMatch(outcome -> outcome.startsWith("failed"))) {
                connection.rollback();
            } else {
                connection.commit();
            }
            connection.setAutoCommit(true);
        }
        return outcomes;
    }

    private static String outcome(Connection connection, String sql, Way way) throws SQLException {
        try {
            if (way == Way.PLAIN) {
                try (Statement statement = connection.createStatement()) {
                    return result(statement.execute(sql), statement);
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                if (way == Way.BATCH && !sql.startsWith("SELECT")) {
                    statement.addBatch();
                    return "count " + statement.executeBatch()[0];
                }
                return result(statement.execute(), statement);
            }
        } catch (SQLException e) {
            return "failed " + e.getSQLState() + " " + e.getMessage();
        }
    }

    private static String result(boolean rows, Statement statement) throws SQLException {
        if (!rows) {
            return "count " + statement.getUpdateCount();
        }
        List<String> found = new ArrayList<>();
        try (ResultSet result = statement.getResultSet()) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                found.add(String.join(",", row));
            }
        }
        return String.join("; ", found);
    }

    private static List<String> contents(TestDatabase database, String schema) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String table : CHECKED) {
                found.add(contents(statement, table, schema));
                found.add("public." + contents(statement, table, "public"));
            }
            for (String table : ALSO) {
                found.add(contents(statement, table, schema));
            }
        }
        return found;
    }

    private static String contents(Statement statement, String table, String schema) throws SQLException {
        try (ResultSet row = statement.executeQuery(CONTENTS.formatted(table, schema))) {
            row.next();
            return row.getString(1) + ": " + String.valueOf(row.getString(2)).replaceAll("shard_000.", "S");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TEMP TABLE tag (id bigint) ON COMMIT DROP",
                "CREATE TEMP TABLE tag ON COMMIT DROP AS SELECT * FROM tag",
                "CREATE TEMP TABLE tag (LIKE tag) ON COMMIT DROP",
                "CREATE LOCAL TEMPORARY TABLE \"tag\" (id bigint, more text) ON COMMIT DROP",
            })
    void aTemporaryTableHidesThatOfTheShard(String create) throws SQLException {
        for (Way way : Way.values()) {
            compare(
                    true,
                    way,
                    create,
                    "INSERT INTO tag VALUES (7)",
                    "SELECT count(*) FROM tag",
                    "DELETE FROM tag",
                    "SELECT id FROM tag");
            compare(true, way, create, "INSERT INTO tag VALUES (8)", "TRUNCATE tag", "INSERT INTO tag VALUES (9)");
        }
    }

    @Test
    void aTemporaryTableWithinAFunctionDoesSo() throws SQLException {
        compare(true, Way.PLAIN, "SELECT hide()");
        compare(false, Way.PREPARED, "SELECT hide()");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH note AS (SELECT 9 AS id) INSERT INTO note SELECT id, 'new' FROM note",
                "WITH tag AS (DELETE FROM tag WHERE id = 2 RETURNING id) SELECT id FROM tag",
                "WITH note (id) AS (VALUES (1)) UPDATE note SET text = 'changed' FROM {s}tag WHERE tag.id = note.id",
                "WITH tag AS (SELECT 1 AS id) DELETE FROM tag USING {s}note n WHERE tag.id = n.id",
                "WITH note AS (SELECT 1 AS id) MERGE INTO note USING {s}tag t ON note.id = t.id WHEN MATCHED THEN DELETE",
                "INSERT INTO {s}tag SELECT id + 10 FROM note",
                "SELECT q.text FROM {s}tag t, note q WHERE t.id = 1",
                "SELECT (SELECT text FROM note WHERE id = 1) FROM {s}photo",
                "SELECT date_trunc('month', DATE '2024-05-05')",
                "SELECT date_trunc('month', DATE '2024-05-05') FROM {s}tag",
                "SELECT concat(id, 'x'), lower(id), concat('a', 'b'), id - 'x'::text FROM {s}photo WHERE id = 1",
                "SELECT to_tsvector('conf', 'the cats'), to_tsvector('english', 'the cats')",
                "SELECT plainto_tsquery('english', 'the cats') FROM {s}photo",
                "SELECT 'tag'::regclass, 'conf'::regconfig, 'mood'::regtype, 'lower(bigint)'::regprocedure",
                "SELECT CAST('tag' AS regclass)::text, to_regclass('tag')::text FROM {s}photo WHERE id = 1",
                "SELECT nextval('photo_seq'), currval('photo_seq') FROM {s}photo WHERE id = 1",
                "SELECT 'happy'::mood > 'sad', CAST('sad' AS mood) FROM {s}feeling WHERE mood = 'sad'",
                "SELECT caption COLLATE german FROM {s}photo ORDER BY caption COLLATE german",
                "SELECT current_schema, current_schemas(false), pg_table_is_visible('tag'::regclass)",
                "SHOW search_path",
                "SELECT p.words, words(p) FROM {s}photo p",
                "SELECT \"select\", \"from\", \"join\" FROM {s}odd \"group\" WHERE \"group\".\"group\" = 2",
                "SELECT \"from\" from odd join tag on \"select\" = tag.id",
                "SELECT \"into\" into_, \"select\" FROM odd",
                "SELECT xpath_exists('/table/row', query_to_xml('SELECT * FROM note WHERE text <> ''of public''', true, false, ''))",
                "TABLE note",
                "VALUES ((SELECT count(*) FROM tag))",
                "EXPLAIN (COSTS OFF) SELECT text FROM note",
                "DO $$ BEGIN INSERT INTO note VALUES (11, 'by a block'); END $$",
                "SELECT 1; SELECT text FROM note",
                "SELECT * FROM public.logging",
                "INSERT INTO public.noted VALUES (1)",
                "DELETE FROM public.noted",
                "SELECT text FROM nothing",
                "SELECT nothing(1)",
            })
    void aTextMeansWhatItMeansByThePath(String sql) throws SQLException {
        for (Way way : Way.values()) {
            compare(false, way, sql);
            compare(true, way, "SELECT count(*) FROM {s}photo", sql);
        }
    }

    /** {@code {g}} is written as Hibernate writes it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO {g}triggered VALUES (1)",
                "DELETE FROM {g}triggered WHERE id = 1",
                "INSERT INTO {g}late VALUES (1)",
                "DELETE FROM {g}parent WHERE id = 1",
                "INSERT INTO {g}defaulted (id) VALUES (1)",
                "INSERT INTO {g}constrained VALUES (1)",
                "INSERT INTO {g}typed VALUES (1)",
                "INSERT INTO {g}kept VALUES (1)",
                "INSERT INTO {g}listed VALUES ('{1,2}')",
                "INSERT INTO {g}paired (pair) VALUES ('(1,x)')",
                "INSERT INTO {g}paired (pairs) VALUES ('{\"(1,x)\"}')",
                "INSERT INTO {g}registered VALUES ('tag', 'mood')",
                "SELECT r1_0.relation,r1_0.type FROM {g}registered r1_0",
                "SELECT i1_0.type FROM {g}inquiring i1_0",
                "SELECT i1_0.formatted,i1_0.valid FROM {g}inquiring i1_0",
                "SELECT a1_0.is_public FROM {g}atomic a1_0",
                "SELECT f1_0.entry FROM {g}first f1_0 WHERE f1_0.id = 1",
                "SELECT s1_0.entry FROM {g}second s1_0",
                "INSERT INTO {g}numbered DEFAULT VALUES",
                "INSERT INTO {g}naming (name) VALUES ('photo')",
                "INSERT INTO {g}naming (other) VALUES ('photo')",
                "SELECT l1_0.schema, l1_0.lost FROM {g}looking l1_0",
                "SELECT d1_0.id FROM {g}domained d1_0",
                "INSERT INTO {g}places (relation, relations) VALUES ('tag', '{note}')",
                "SELECT p1_0.relation, p1_0.relations FROM {g}places p1_0",
                "SELECT s1_0.path FROM {g}shown s1_0",
                "SELECT r1_0.ts_rewrite FROM {g}rewritten r1_0",
                "SELECT r1_0.ranked FROM {g}ranking r1_0 ORDER BY r1_0.ranked",
                "SELECT COLLATION FOR (p1_0.caption COLLATE german) FROM {g}photo p1_0",
                "SELECT cast(p1_0.id as public.checked) FROM {g}photo p1_0",
                "SELECT cast(p1_0.id as public.wrapped) FROM {g}photo p1_0",
                "SELECT f1_0.id FROM {g}feeling f1_0 WHERE 'sad'::mood=f1_0.mood",
                "SELECT f1_0.id FROM {g}feeling f1_0 WHERE '{sad}'::_mood=array[f1_0.mood]",
                "SELECT p1_0.id FROM {g}photo p1_0 WHERE p1_0.caption COLLATE german=p1_0.caption",
                "SELECT current_schema='public' FROM {g}photo p1_0",
                "SELECT first_log() FROM {g}photo p1_0",
                "SELECT public.first_log() FROM {g}photo p1_0",
                "SELECT p1_0.id, (SELECT count(*) FROM tag t, note n) FROM {g}photo p1_0",
                "SELECT (SELECT n.text FROM {g}tag t, note n LIMIT 1)",
                "SELECT concat(p1_0.id, 'x'), lower(p1_0.id), p1_0.id - 'x'::text FROM {g}photo p1_0",
                "SELECT date_trunc('month', cast('2024-05-05' as date)) FROM {g}photo p1_0",
                "SELECT to_tsvector('english', p1_0.caption) FROM {g}photo p1_0",
                "SELECT cast('happy' as mood) FROM {g}photo p1_0",
                "SELECT f1_0.id FROM {g}feeling f1_0 WHERE f1_0.mood = 'sad'::mood",
                "SELECT p1_0.words FROM {g}photo p1_0",
                "SELECT p1_0.caption FROM {g}photo p1_0 ORDER BY p1_0.caption COLLATE german",
                "SELECT nextval('{g}photo_seq')",
                "SELECT cast('tag' as regclass)::text FROM {g}photo p1_0",
            })
    void aGeneratedTextMeansWhatItMeansByThePath(String sql) throws SQLException {
        compare(false, Way.PREPARED, sql);
        compare(true, Way.PREPARED, "SELECT count(*) FROM {g}photo", sql);
        compare(false, Way.BATCH, sql);
    }

    @Test
    void whatIsDefinedLaterIsKnownThen() throws SQLException {
        compare(
                false,
                Way.PREPARED,
                "CREATE FUNCTION later() RETURNS text LANGUAGE sql AS 'SELECT text FROM note ORDER BY 1 DESC LIMIT 1'",
                "SELECT later() FROM {g}photo p1_0",
                "CREATE TRIGGER later AFTER INSERT ON photo FOR EACH ROW EXECUTE FUNCTION public.log_it()",
                "INSERT INTO {g}photo VALUES (3, 'new')",
                "DROP TRIGGER later ON photo");
        compare(
                true,
                Way.PREPARED,
                "CREATE TRIGGER later AFTER INSERT ON photo FOR EACH ROW EXECUTE FUNCTION public.log_it()",
                "INSERT INTO {g}photo VALUES (4, 'new')");
        compare(false, Way.PLAIN, "DROP TRIGGER later ON photo");
        compare(
                false,
                Way.PREPARED,
                "DO $$ BEGIN CREATE TRIGGER later AFTER INSERT ON photo FOR EACH ROW EXECUTE FUNCTION public.log_it(); END $$");
        compare(false, Way.PREPARED, "INSERT INTO {g}photo VALUES (5, 'new')", "DROP TRIGGER later ON photo");
    }

    @Test
    void aCastBetweenTypesOfPostgreSqlMayBeTheUsers() throws SQLException {
        String create = "CREATE CAST (point AS text) WITH FUNCTION public.log_of(point) AS ASSIGNMENT";
        compare(
                false,
                Way.PREPARED,
                create,
                "SELECT point(1, 1)::text",
                "SELECT cast(point(1, 1) as text) FROM {g}photo p1_0",
                "INSERT INTO {g}note (text) VALUES (point(1, 1))",
                "DROP CAST (point AS text)");
    }

    @Test
    void aWriteOfAFunctionIsSeenByAQueryOverShards() throws SQLException {
        try (Connection connection = databases.transaction()) {
            TwoDatabases.read(connection, 2, "SELECT write_log('hidden')");
            try (ShardContext.Scope scope =
                            ShardContext.open(ShardSet.of(List.of(2, 3)).perShard());
                    PreparedStatement all = connection.prepareStatement(
                            "SELECT count(*) FROM sharded_id_shard.log WHERE entry = 'hidden'");
                    ResultSet row = all.executeQuery()) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(1);
            }
            connection.rollback();
        }
    }

    private static final String KEYS = "INSERT INTO photo (id, caption) VALUES (?, 'keyed')";

    /** Calls of JDBC, each of which executes one text. */
    private List<String> calls(Connection connection, long id) throws SQLException {
        List<String> outcomes = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT id, caption FROM photo WHERE id = ?")) {
            query.setLong(1, 1);
            try (ResultSet row = query.executeQuery()) {
                outcomes.add(row.next()
                        + row.getString(2)
                        + query.getMetaData().getColumnName(2)
                        + row.getStatement().equals(query));
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(KEYS, Statement.RETURN_GENERATED_KEYS)) {
            insert.setLong(1, id);
            outcomes.add("inserted " + insert.executeUpdate());
            try (ResultSet keys = insert.getGeneratedKeys()) {
                outcomes.add(keys.next() + keys.getString("caption") + insert.getUpdateCount());
            }
        }
        try (PreparedStatement update = connection.prepareStatement("UPDATE photo SET caption = ? WHERE id = ?")) {
            update.setString(1, "updated");
            update.setLong(2, id);
            outcomes.add("updated " + update.executeLargeUpdate() + update.getMoreResults() + update.getUpdateCount());
        }
        try (Statement statement = connection.createStatement()) {
            String sql = "DELETE FROM photo WHERE id = " + id;
            outcomes.add("deleted " + statement.executeUpdate(sql, new String[] {"caption"}));
            try (ResultSet keys = statement.getGeneratedKeys()) {
                outcomes.add(keys.next() + keys.getString(1));
            }
        }
        try (Statement statement = connection.createStatement()) {
            outcomes.add(statement.execute("SELECT id FROM photo ORDER BY id LIMIT 1") + "rows");
            try (ResultSet row = statement.getResultSet()) {
                outcomes.add(row.next() + row.getString(1) + statement.getMoreResults() + statement.getUpdateCount());
            }
        }
        try (Statement statement = connection.createStatement()) {
            outcomes.add(failure(() -> statement.executeQuery("UPDATE photo SET id = id WHERE id = 1")));
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT id FROM photo")) {
            outcomes.add(failure(query::executeUpdate));
        }
        return outcomes;
    }

    private static String failure(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ((SQLException) e).getSQLState() + e.getMessage();
        }
    }

    @Test
    void aTextInARandomShardCostsNoRoundTripMoreThanOverAPlainConnection() throws SQLException {
        try (Connection direct = DriverManager.getConnection(
                databases.tap1.url(databases.pg1.name()),
                databases.pg1.server().username(),
                databases.pg1.server().password())) {
            for (boolean transaction : new boolean[] {false, true}) {
                direct.setAutoCommit(true);
                try (Statement statement = direct.createStatement()) {
                    statement.execute("SET search_path TO shard_0000, public");
                }
                direct.setAutoCommit(!transaction);
                databases.tap1.reset();
                List<String> wanted = calls(direct, 50);
                if (transaction) {
                    direct.commit();
                }
                try (Connection routed = databases.routed.getConnection()) {
                    TwoDatabases.read(routed, 3, "SELECT id FROM photo");
                    routed.setAutoCommit(!transaction);
                    databases.tap2.reset();
                    try (ShardContext.Scope scope = ShardContext.open(2)) {
                        assertThat(calls(routed, 50)).isEqualTo(wanted);
                        assertThat(calls(routed, 51)).isEqualTo(wanted);
                    }
                    if (transaction) {
                        routed.commit();
                    }
                }
                assertThat(databases.tap2.turns())
                        .as("%s", databases.tap2.frontendMessages())
                        .isEqualTo(2 * databases.tap1.turns() - (transaction ? 1 : 0));
                assertThat(databases.tap2.frontendMessages())
                        .filteredOn(text -> text.contains("search_path"))
                        .hasSize(1);
            }
        }
    }

    @Test
    void eachTextOfAnotherShardTakesItsPathAlong() throws SQLException {
        try (Connection routed = databases.routed.getConnection()) {
            TwoDatabases.read(routed, 3, "SELECT id FROM photo");
            databases.tap2.reset();
            for (int i = 0; i < 10; i++) {
                assertThat(TwoDatabases.read(routed, 2 + i % 2, "SELECT current_schema"))
                        .isEqualTo("shard_000" + (2 + i % 2));
            }
            assertThat(databases.tap2.turns()).isEqualTo(10);
            databases.tap2.reset();
            for (int i = 0; i < 10; i++) {
                TwoDatabases.read(
                        routed, 2 + i % 2, "SELECT p1_0.caption FROM Sharded_Id_Shard.photo p1_0 WHERE p1_0.id=1");
            }
            assertThat(databases.tap2.turns()).isEqualTo(10);
            assertThat(databases.tap2.frontendMessages())
                    .filteredOn(text -> text.contains("search_path"))
                    .hasSize(1);
        }
    }

    @Test
    void whatCannotTakeItsPathAlongHasItSetBefore() throws SQLException {
        try (Connection routed = databases.routed.getConnection()) {
            TwoDatabases.read(routed, 3, "SELECT id FROM photo");
            try (ShardContext.Scope scope = ShardContext.open(2)) {
                try (PreparedStatement batch = routed.prepareStatement("INSERT INTO tag VALUES (?)")) {
                    for (int i = 0; i < 3; i++) {
                        batch.setLong(1, 70 + i);
                        batch.addBatch();
                    }
                    assertThat(batch.executeBatch()).containsExactly(1, 1, 1);
                }
                TwoDatabases.read(routed, 3, "SELECT id FROM photo");
                try (Statement batch = routed.createStatement()) {
                    batch.addBatch("DELETE FROM tag WHERE id = 70");
                    batch.addBatch("DELETE FROM tag WHERE id > 70");
                    assertThat(batch.executeBatch()).containsExactly(1, 2);
                }
                TwoDatabases.read(routed, 3, "SELECT id FROM photo");
                try (PreparedStatement described = routed.prepareStatement("SELECT caption FROM photo WHERE id = ?")) {
                    assertThat(described.getParameterMetaData().getParameterTypeName(1))
                            .isEqualTo("int8");
                    assertThat(described.getMetaData().getColumnName(1)).isEqualTo("caption");
                }
                TwoDatabases.read(routed, 3, "SELECT id FROM photo");
                try (CallableStatement call = routed.prepareCall("{? = call words(row(1, 'x')::photo)}")) {
                    call.registerOutParameter(1, Types.INTEGER);
                    call.execute();
                    assertThat(call.getInt(1)).isEqualTo(42);
                }
                TwoDatabases.read(routed, 3, "SELECT id FROM photo");
                try (Statement statement = routed.createStatement()) {
                    statement.execute("CREATE INDEX CONCURRENTLY ON photo (caption)");
                    statement.execute("VACUUM photo");
                }
                routed.setAutoCommit(false);
                TwoDatabases.read(routed, 3, "SELECT id FROM photo");
                try (PreparedStatement parts = routed.prepareStatement("SELECT id FROM photo ORDER BY id")) {
                    parts.setFetchSize(1);
                    try (ResultSet rows = parts.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.next()).isTrue();
                    }
                }
                routed.commit();
            }
        }
    }

    /** Its table runs code of a common schema. */
    @Test
    void theLastWriteOfATransactionIsOneRoundTripWithItsPath() throws SQLException {
        String insert = "INSERT INTO Sharded_Id_Shard.triggered (id) VALUES (?)";
        compare(false, Way.PREPARED, insert.replace("Sharded_Id_Shard.", "{g}").replace("?", "80"));
        try (Statement statement = plain.createStatement()) {
            statement.execute("INSERT INTO triggered VALUES (81)");
        }
        try (Connection connection = databases.transaction()) {
            TwoDatabases.read(connection, 3, "SELECT id FROM photo");
            databases.tap2.reset();
            connection.unwrap(RoutingControl.class).announceLastWrite(1, insert);
            try (ShardContext.Scope scope = ShardContext.open(2);
                    PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setLong(1, 81);
                assertThat(statement.executeUpdate()).isEqualTo(1);
            }
            connection.commit();
        }
        assertThat(databases.tap2.turns())
                .as("%s", databases.tap2.frontendMessages())
                .isEqualTo(1);
        assertThat(contents(databases.pg2, "shard_0002")).isEqualTo(contents(databases.pg1, "shard_0000"));
    }
}
