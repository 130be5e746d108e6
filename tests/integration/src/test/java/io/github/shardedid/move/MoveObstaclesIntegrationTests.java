package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What would stop a move in the middle, or lose or repeat something, is named before anything is begun. */
@Tag("embedded-only")
class MoveObstaclesIntegrationTests {
    private static final String NOTE_HAS_A_KEY =
            "ALTER TABLE shard_0001.note ADD PRIMARY KEY (number)"; // which it lacks in the fixture

    private final MovingCluster cluster = new MovingCluster();
    private final TestDatabase pg1 = cluster.database("pg1");
    private final TestDatabase pg2 = cluster.database("pg2");
    private final long release = pg1.queryLong("SELECT current_setting('server_version_num')::int / 10000");

    /** Made in the shard's schema; {@code remedy} mends it. */
    private record Obstacle(String made, String remedy, List<String> told) {
        Obstacle(String made, String remedy, String... told) {
            this(made, remedy, List.of(told));
        }
    }

    private static final List<Obstacle> IN_THE_SCHEMA = List.of(
            new Obstacle(
                    "CREATE UNLOGGED TABLE cache (id int PRIMARY KEY)",
                    "ALTER TABLE cache SET LOGGED",
                    "unlogged table cache"),
            new Obstacle(
                    "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE far (id int) SERVER s",
                    "DROP FOREIGN TABLE far",
                    "foreign table far"),
            new Obstacle(
                    "CREATE MATERIALIZED VIEW m AS SELECT 1 AS one", "DROP MATERIALIZED VIEW m", "materialized view m"),
            new Obstacle(
                    "CREATE TABLE scan (id int PRIMARY KEY, page oid)",
                    "ALTER TABLE scan DROP page",
                    "large objects",
                    "scan.page"),
            new Obstacle(
                    "CREATE TRIGGER t BEFORE INSERT ON likes FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();"
                            + " ALTER TABLE likes ENABLE ALWAYS TRIGGER t",
                    "ALTER TABLE likes ENABLE TRIGGER t",
                    "ALWAYS",
                    "t on"),
            new Obstacle(
                    "CREATE TABLE keeps () INHERITS (common.kept)",
                    "ALTER TABLE keeps NO INHERIT common.kept",
                    "another schema",
                    "keeps of common.kept"),
            new Obstacle(
                    "CREATE TABLE numbered (id int PRIMARY KEY DEFAULT nextval('common.numbers'))",
                    "ALTER TABLE numbered ALTER id DROP DEFAULT",
                    "numbered.id from common.numbers",
                    "in the shard's schema"));

    /** In the way of replication only. */
    private static final List<Obstacle> REPLICATED = List.of(new Obstacle(
            "CREATE TABLE doubled (a int, b int GENERATED ALWAYS AS (a * 2) STORED, PRIMARY KEY (b))",
            "ALTER TABLE doubled DROP CONSTRAINT doubled_pkey; ALTER TABLE doubled ADD PRIMARY KEY (a)",
            "doubled.b",
            "primary key of other columns"));

    @AfterEach
    void drop() {
        cluster.close();
    }

    private List<String> check() {
        return cluster.mover().check(MovingCluster.SHARD, "pg2");
    }

    private void inTheSchema(String sql) {
        pg1.execute("SET search_path = shard_0001; " + sql);
    }

    private void assertTold(Obstacle obstacle) {
        assertThat(check()).as(obstacle.made()).singleElement().asString().contains(obstacle.told());
    }

    @Test
    void whatTheSchemaContainsIsNamed() {
        for (TestDatabase database : List.of(pg1, pg2)) {
            database.execute("CREATE SCHEMA common; CREATE TABLE common.kept (id int PRIMARY KEY);"
                    + " CREATE SEQUENCE common.numbers");
        }
        for (Obstacle each : IN_THE_SCHEMA) {
            inTheSchema(each.made());
            assertTold(each);
            assertThatThrownBy(() -> cluster.mover().moveOffline(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(MoveRefusedException.class);
            inTheSchema(each.remedy());
        }
        assertThat(check()).isEmpty();
    }

    @Test
    @Tag("quick")
    void whatReplicationStopsAtIsNamed() {
        for (Obstacle each : REPLICATED) {
            inTheSchema(each.made());
            assertTold(each);
            inTheSchema(each.remedy());
            assertThat(check()).as(each.remedy()).isEmpty();
        }
        inTheSchema("CREATE TABLE bag (a int, b int GENERATED ALWAYS AS (a * 2) STORED)");
        assertThat(check()).hasSize(release >= 18 ? 1 : 0).allMatch(line -> line.contains("bag.b"));
    }

    @Test
    void aTargetThatPublishesAllTablesIsNamed() {
        pg2.execute("CREATE PUBLICATION everything FOR ALL TABLES");
        assertThat(check()).singleElement().asString().contains("everything", "pg2", "note", "primary key");
        inTheSchema(NOTE_HAS_A_KEY);
        assertThat(check()).isEmpty();
    }

    @Test
    @Tag("slow")
    void anEventTriggerThatRefusesIsNamedAndOthersAreNot() {
        for (TestDatabase database : List.of(pg1, pg2)) {
            database.execute(
                    "CREATE FUNCTION watched() RETURNS event_trigger LANGUAGE plpgsql AS"
                            + " 'BEGIN RAISE NOTICE ''seen''; END'; CREATE EVENT TRIGGER watches ON ddl_command_end EXECUTE FUNCTION watched()");
        }
        assertThat(check()).isEmpty();
        for (TestDatabase database : List.of(pg1, pg2)) {
            database.execute("CREATE FUNCTION refused() RETURNS event_trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN RAISE EXCEPTION ''no renaming here''; END'; CREATE EVENT TRIGGER refuses ON ddl_command_start"
                    + " WHEN tag IN ('ALTER SCHEMA') EXECUTE FUNCTION refused()");
            assertThat(check()).singleElement().asString().contains("no renaming here", "refuses", "ALTER SCHEMA");
            database.execute("ALTER EVENT TRIGGER refuses DISABLE");
        }
        cluster.fill(5);
        cluster.mover().move(MovingCluster.SHARD, "pg2");
        assertThat(cluster.leftovers()).isEmpty();
    }
}
