package io.github.shardedid.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two schemas with many features, in two servers; whatever is changed at one side is listed, and nothing else. */
@Tag("containers")
class StructureComparisonIntegrationTests {
    private static final String SCHEMA = "shard_0005";

    private static TestDatabase source;
    private static TestDatabase target;

    @BeforeAll
    static void makeTwoAlike() throws IOException {
        source = PostgresServers.shared(1).newDatabase();
        target = PostgresServers.shared(2).newDatabase();
        for (TestDatabase database : List.of(source, target)) {
            database.execute(
                    "DO $$ BEGIN CREATE ROLE compared_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
            database.execute(rich(SCHEMA));
        }
    }

    @AfterAll
    static void drop() {
        source.drop();
        target.drop();
    }

    @Test
    @Tag("quick")
    void equalSchemasHaveNoDifference() throws SQLException {
        assertThat(differences(SCHEMA, SCHEMA, Set.of())).isEmpty();
    }

    @Test
    @Tag("quick")
    void theNameOfTheSchemaIsNoDifference() throws SQLException, IOException {
        target.execute(rich("\"Shard of \"\"Ann\""));

        try {
            assertThat(differences(SCHEMA, "Shard of \"Ann", Set.of())).isEmpty();
        } finally {
            target.execute("DROP SCHEMA \"Shard of \"\"Ann\" CASCADE");
        }
    }

    @Test
    @Tag("quick")
    void whatTheMoveItselfAddsIsNoDifference() throws SQLException {
        String mover =
                "CREATE SCHEMA sharded_id; CREATE FUNCTION sharded_id.refuse_write() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RETURN NULL; END $$; CREATE TRIGGER refuse_write BEFORE INSERT OR UPDATE OR DELETE ON %1$s.photo"
                        + " EXECUTE FUNCTION sharded_id.refuse_write(); CREATE TABLE %1$s.sharded_id_move_marker (id int PRIMARY KEY);"
                        + " ALTER TABLE %1$s.bag REPLICA IDENTITY FULL;";
        source.execute(mover.formatted(SCHEMA));

        try {
            assertThat(differences(SCHEMA, SCHEMA, Set.of("bag"))).isEmpty();
            assertThat(differences(SCHEMA, SCHEMA, Set.of()))
                    .containsExactly("table bag: replica identity is full at the source, default at the target");
        } finally {
            source.execute("DROP SCHEMA sharded_id CASCADE; DROP TABLE %1$s.sharded_id_move_marker;".formatted(SCHEMA)
                    + "ALTER TABLE shard_0005.bag REPLICA IDENTITY DEFAULT");
        }
    }

    @Test
    @Tag("quick")
    void aLineSaysWhatIsWhere() throws SQLException {
        assertThat(afterAtTarget("ALTER TABLE bag DROP COLUMN caption"))
                .containsExactly(
                        "table bag: column caption is text NOT NULL DEFAULT 'none'::text at the source, missing at the target");
        assertThat(afterAtTarget("DROP TABLE bag")).containsExactly("table bag: missing at the target");
        assertThat(afterAtTarget("ALTER TYPE mood ADD VALUE 'angry'"))
                .containsExactly(
                        "type mood: labels is 'happy', 'sad' at the source, 'happy', 'sad', 'angry' at the target");
    }

    @Test
    void settingsOfTheSessionsAreAsBefore() throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect();
                Statement set = here.createStatement()) {
            set.execute("SET search_path = \"$user\", pg_temp");
            StructureComparison.differences(here, SCHEMA, there, SCHEMA, Set.of());
            try (var row = set.executeQuery("SHOW search_path")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("\"$user\", pg_temp");
            }
        }
    }

    /** Each is done at the target only; what is listed must say the words. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE extra (id int) | table extra: missing at the source",
                "ALTER TABLE photo ADD extra int | column extra",
                "ALTER TABLE bag ALTER caption TYPE varchar(50) | column caption",
                "ALTER TABLE bag ALTER caption TYPE text COLLATE \"C\" | COLLATE",
                "ALTER TABLE photo ALTER caption DROP NOT NULL | NOT NULL",
                "ALTER TABLE photo ALTER caption SET DEFAULT 'other' | 'other'",
                "ALTER TABLE photo ALTER caption SET STORAGE EXTERNAL | EXTERNAL",
                "ALTER TABLE photo ALTER caption SET (n_distinct = 5) | n_distinct",
                "ALTER TABLE photo ALTER numbered DROP IDENTITY | IDENTITY",
                "ALTER TABLE photo ALTER numbered SET GENERATED ALWAYS | ALWAYS",
                "ALTER TABLE photo ALTER doubled DROP EXPRESSION | GENERATED",
                "ALTER TABLE photo SET (fillfactor = 50) | fillfactor=50",
                "ALTER TABLE photo SET (toast.autovacuum_enabled = off) | TOAST",
                "ALTER TABLE bag SET UNLOGGED | unlogged",
                "ALTER TABLE photo OWNER TO compared_reader | owner",
                "ALTER TABLE photo REPLICA IDENTITY NOTHING | replica identity",
                "ALTER TABLE bag REPLICA IDENTITY USING INDEX bag_number | index bag_number",
                "ALTER TABLE photo DISABLE ROW LEVEL SECURITY | row security",
                "ALTER TABLE photo FORCE ROW LEVEL SECURITY | forced",
                "ALTER POLICY readers ON photo USING (liked > 1) | policy readers",
                "ALTER POLICY readers ON photo TO compared_reader | policy readers",
                "DROP INDEX photo_caption | index photo_caption",
                "DROP INDEX photo_caption; CREATE INDEX photo_caption ON photo (caption DESC) WHERE liked > 0 | DESC",
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'photo_caption'::regclass | not valid",
                "CLUSTER bag USING bag_number | clustered",
                "ALTER TABLE photo DROP CONSTRAINT positive | constraint positive",
                "ALTER TABLE photo DROP CONSTRAINT positive, ADD CONSTRAINT positive CHECK (liked >= 0) NOT VALID | NOT VALID",
                "ALTER TABLE photo_tag ALTER CONSTRAINT of_photo DEFERRABLE INITIALLY DEFERRED | DEFERRED",
                "ALTER TABLE photo_tag DROP CONSTRAINT of_photo, ADD CONSTRAINT of_photo FOREIGN KEY (photo) REFERENCES photo ON DELETE SET NULL | SET NULL",
                "ALTER TABLE photo_tag DISABLE TRIGGER ALL | triggers of constraint of_photo",
                "ALTER TABLE photo DISABLE TRIGGER touched | trigger touched",
                "ALTER TABLE photo ENABLE ALWAYS TRIGGER touched | enabled always",
                "DROP TRIGGER touched ON photo | trigger touched",
                "DROP RULE kept ON bag | rule kept",
                "ALTER TABLE bag DISABLE RULE kept | rule kept",
                "CREATE OR REPLACE VIEW captions AS SELECT id, caption FROM photo WHERE liked > 7 | view captions: definition",
                "ALTER VIEW captions SET (security_barrier = true) | security_barrier",
                "REFRESH MATERIALIZED VIEW counted WITH NO DATA | populated",
                "CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT n + n' | body",
                "ALTER FUNCTION twice STABLE | properties",
                "ALTER FUNCTION twice SET work_mem = '1MB' | settings",
                "ALTER FUNCTION twice SECURITY DEFINER | SECURITY DEFINER",
                "ALTER FUNCTION twice RENAME TO thrice | function thrice",
                "CREATE OR REPLACE FUNCTION twice(n int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT n * 2' | arguments",
                "DROP AGGREGATE product(int) | function product",
                "ALTER TYPE mood RENAME VALUE 'sad' TO 'sorry' | labels",
                "ALTER DOMAIN short DROP CONSTRAINT of_ten | constraint of_ten",
                "ALTER DOMAIN short SET DEFAULT 'x' | domain short",
                "ALTER DOMAIN short SET NOT NULL | domain short",
                "ALTER TYPE place ADD ATTRIBUTE z int | type place",
                "ALTER TYPE mood OWNER TO compared_reader | owner",
                "ALTER SEQUENCE photo_id_seq INCREMENT 7 | sequence photo_id_seq: definition",
                "ALTER SEQUENCE photo_id_seq CYCLE | CYCLE",
                "ALTER SEQUENCE photo_id_seq CACHE 9 | CACHE 9",
                "ALTER SEQUENCE photo_id_seq MAXVALUE 99 | MAXVALUE 99",
                "ALTER SEQUENCE photo_id_seq AS int | integer",
                "ALTER SEQUENCE photo_id_seq OWNED BY photo.liked | owned by",
                "GRANT CREATE ON SCHEMA shard_0005 TO compared_reader | schema: privileges of compared_reader",
                "GRANT UPDATE ON photo TO compared_reader | table photo: privileges of compared_reader",
                "GRANT SELECT ON photo TO compared_reader WITH GRANT OPTION | WITH GRANT OPTION",
                "GRANT UPDATE (caption) ON photo TO PUBLIC | on column caption of PUBLIC",
                "GRANT USAGE ON SEQUENCE photo_id_seq TO compared_reader | sequence photo_id_seq: privileges",
                "REVOKE EXECUTE ON FUNCTION twice FROM PUBLIC | function twice(n integer): privileges of PUBLIC",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA shard_0005 GRANT SELECT ON TABLES TO PUBLIC | by default",
                "ALTER TABLE event DETACH PARTITION event_1 | partition bound",
                "CREATE TABLE event_2 PARTITION OF event FOR VALUES IN (2) | table event_2",
                "CREATE INDEX ON event (kind) | index",
                "ALTER TABLE photo_tag INHERIT tagged | parents",
                "CREATE STATISTICS both_of ON caption, liked FROM photo | statistics both_of",
                "CREATE COLLATION other (locale = 'C') | collation other",
                "CREATE OPERATOR === (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int) | operator",
                "ALTER SCHEMA shard_0005 OWNER TO compared_reader | schema: owner",
            })
    void eachDifferenceIsListed(String ddl, String words) throws SQLException {
        assertThat(afterAtTarget(ddl)).isNotEmpty().anySatisfy(line -> assertThat(line)
                .contains(words));
    }

    @Test
    @Tag("quick")
    void theOrderOfColumnsIsNoDifferenceForCopies() throws SQLException {
        assertThat(afterAtTarget("ALTER TABLE tagged DROP photo, ADD photo bigint"))
                .isEmpty();
    }

    /** What differs after a change at the target, which is rolled back. */
    private static List<String> afterAtTarget(String ddl) throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect();
                Statement change = there.createStatement()) {
            there.setAutoCommit(false);
            change.execute("SET search_path = " + SCHEMA);
            change.execute(ddl);
            List<String> differences = StructureComparison.differences(here, SCHEMA, there, SCHEMA, Set.of());
            there.rollback();
            return differences;
        }
    }

    private static List<String> differences(String sourceSchema, String targetSchema, Set<String> identities)
            throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect()) {
            return StructureComparison.differences(here, sourceSchema, there, targetSchema, identities);
        }
    }

    private static String rich(String quotedSchema) throws IOException {
        try (InputStream in = StructureComparisonIntegrationTests.class.getResourceAsStream("rich-schema.sql")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${schema}", quotedSchema);
        }
    }
}
