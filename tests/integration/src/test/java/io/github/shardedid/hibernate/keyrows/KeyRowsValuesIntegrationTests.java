package io.github.shardedid.hibernate.keyrows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.hibernate.keyrows.Club.Member;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Values, triggers and policies of tables that are not mapped, but live with a member by a foreign key. PostgreSQL compares the rows. */
@Tag("quick")
class KeyRowsValuesIntegrationTests {
    private static final int SHARD = 2;

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, "classpath:db/keyrows");
    private final SessionFactory sessions = KeyRowsIntegrationTests.sessions(databases.dataSource(), columns -> {});
    private final KeyRows rows = KeyRows.of(sessions).orElseThrow();
    private final long ada = KeyRowsIntegrationTests.store(databases, "ada", 1);

    @AfterEach
    void close() {
        sessions.close();
        databases.close();
    }

    private void sql(String statements) {
        databases.home(SHARD).execute("SET search_path = " + ShardSchema.nameOf(SHARD) + ", public; " + statements);
    }

    /** The cast of the type {@code place} to JSON rounds, as those of some extensions do. */
    @Test
    void valuesThatJsonHasNoFormForAreRestored() {
        sql(
                """
                CREATE TYPE place AS ENUM ('precise', 'rounded');
                CREATE FUNCTION rounded(place) RETURNS json LANGUAGE sql IMMUTABLE AS $$ SELECT '"rounded"'::json $$;
                CREATE CAST (place AS json) WITH FUNCTION rounded(place);
                CREATE DOMAIN setting AS jsonb CHECK (jsonb_typeof(value) <> 'string');
                CREATE TYPE pair AS (a int, b text);
                CREATE TABLE odd (
                  member_id bigint REFERENCES member ON DELETE CASCADE, t json, s setting, js jsonb[], bounds int[], places place[], p place,
                  "a ""b" pair, ps pair[], i interval, at timestamptz, zone timetz, m money, f float8, c char(5), v varchar(3), b bit(3), e text, x xml,
                  n numeric, d int GENERATED ALWAYS AS IDENTITY);
                INSERT INTO odd VALUES
                  (<id>, 'null', 'null', ARRAY['null', '"x"']::jsonb[], '[0:1]={1,2}', '{precise}', 'precise', (1, 'a,"'), ARRAY[(2, NULL)::pair, NULL],
                    '-1 day -02:03:04', 'infinity', '12:00+05:30', -1234.5, 'NaN', 'ab', 'abc', '101', '', '<a/>', 1.500),
                  (<id>, '{"a":"\\u0000"}', '{}', '{}', '{{1,NULL}}', NULL, NULL, (NULL, NULL), '{}', '1 mon -2 days', '0044-03-15 BC', '23:59-12', 0, '-0',
                    '', '', '000', E'\\n\\\\', 'x', 'Infinity'),
                  (<id>, '{"a":"\\ud800"}', '1.50', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '12345-01-01', NULL, NULL, '4.9e-324', NULL, NULL, NULL,
                    NULL, NULL, 'NaN')"""
                        .replace("<id>", String.valueOf(ada)));
        String all = "SELECT t::text FROM shard_0002.odd t ORDER BY d";
        List<String> before = databases.home(SHARD).query(all);
        StringBuilder lines = new StringBuilder();
        rows.export(Member.class, ada, lines);
        rows.erase(Member.class, ada);
        assertThat(databases.home(SHARD).query(all)).isEmpty();
        rows.restore(new StringReader(lines.toString()));
        assertThat(databases.home(SHARD).query(all)).isEqualTo(before).hasSize(3);
    }

    @Test
    void rowsThatATriggerChangesAreNotRestored() {
        StringBuilder lines = new StringBuilder();
        rows.export(Member.class, ada, lines);
        rows.erase(Member.class, ada);
        sql(
                """
                CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.written := now(); RETURN new; END $$;
                CREATE TRIGGER touch BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION touch()""");
        assertThatThrownBy(() -> rows.restore(new StringReader(lines.toString())))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("other values", "trigger", "Nothing was restored");
        assertThat(KeyRowsIntegrationTests.rowsOf(databases, "ada")).isEmpty();
    }

    /** The servers of these tests cannot compile statements; others would do so for seconds. */
    @Test
    void noStatementIsCompiled() {
        sql(
                """
                CREATE TABLE setting (value text);
                CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO public.setting VALUES (TG_OP || ' ' || current_setting('jit')); RETURN old; END $$;
                ALTER TABLE setting SET SCHEMA public;
                CREATE TRIGGER note AFTER INSERT OR DELETE ON post FOR EACH ROW EXECUTE FUNCTION note()""");
        StringBuilder lines = new StringBuilder();
        rows.export(Member.class, ada, lines);
        rows.erase(Member.class, ada);
        rows.restore(new StringReader(lines.toString()));
        assertThat(databases.home(SHARD).query("SELECT DISTINCT value FROM public.setting ORDER BY 1"))
                .containsExactly("DELETE off", "INSERT off");
    }

    @Test
    void largeObjectsAreNeitherExportedNorLeftBehind() {
        sql(
                "CREATE DOMAIN content AS oid; CREATE TABLE picture (member_id bigint REFERENCES member ON DELETE CASCADE, v content);"
                        + " INSERT INTO picture VALUES (" + ada + ", lo_from_bytea(0, 'secret')), (" + ada + ", NULL)");
        assertThatThrownBy(() -> rows.export(Member.class, ada, new StringBuilder()))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("1 rows of table picture", "Nothing was exported");
        assertThatThrownBy(() -> rows.erase(Member.class, ada))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("1 rows of table picture", "lo_unlink", "Nothing was deleted");
        sql("UPDATE picture SET v = NULL WHERE lo_unlink(v) = 1");
        assertThat(rows.erase(Member.class, ada).left()).isZero();
    }

    @Test
    void aTriggerThatStoresEachDeletedRowAgainEndsTheErasure() {
        sql(
                """
                CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO shard_0002.memo (member_id, whose) VALUES (old.member_id, 'ada'); RETURN old; END $$;
                CREATE TRIGGER again AFTER DELETE ON memo FOR EACH ROW EXECUTE FUNCTION again()""");
        assertThatThrownBy(() -> rows.erase(Member.class, ada))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("2 rows of memo", "has stored them meanwhile");
    }

    /** The last ticket's trigger stores a row when its table has been emptied: the root must not be deleted before it. */
    @Test
    void rowsWhoseKeyTheDatabaseWouldClearAreErasedAsWell() {
        sql(
                """
                UPDATE member SET pinned_id = NULL;
                ALTER TABLE memo ALTER member_id DROP NOT NULL, ADD FOREIGN KEY (member_id) REFERENCES member ON DELETE SET NULL;
                CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO shard_0002.memo (member_id, whose) VALUES (old.holder_id, 'ada'); RETURN old; END $$;
                CREATE TRIGGER again AFTER DELETE ON ticket FOR EACH ROW EXECUTE FUNCTION again()""");
        assertThat(rows.erase(Member.class, ada).left()).isZero();
        assertThat(KeyRowsIntegrationTests.rowsOf(databases, "ada")).isEmpty();
    }

    @Test
    void rowsThatPoliciesMayHideAreRefused() {
        String role = "reader_" + ada;
        Map<String, DataSource> sources = new TreeMap<>();
        for (TestDatabase database : databases.databases()) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(database.url());
            source.setUser(database.server().username());
            source.setPassword(database.server().password());
            source.setOptions("-c role=" + role);
            sources.put("pg" + (sources.size() + 1), source);
        }
        sql("CREATE ROLE " + role + "; GRANT pg_read_all_data, pg_write_all_data TO " + role
                + "; ALTER TABLE memo ENABLE ROW LEVEL SECURITY");
        try (SessionFactory limited =
                KeyRowsIntegrationTests.sessions(new RoutingDataSource(databases.cluster(), sources), columns -> {})) {
            KeyRows theirs = KeyRows.of(limited).orElseThrow();
            assertThatThrownBy(() -> theirs.erase(Member.class, ada))
                    .isInstanceOf(RowsRefusedException.class)
                    .hasMessageContainingAll("row-level security", "memo", "BYPASSRLS", "Nothing was done");
        }
        assertThat(KeyRowsIntegrationTests.rowsOf(databases, "ada").get("memo")).hasSize(2);
        sql("DROP OWNED BY " + role + "; DROP ROLE " + role);
    }
}
