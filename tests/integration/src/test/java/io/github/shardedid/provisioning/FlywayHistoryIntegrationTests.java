package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever knows Flyway finds each shard's schema as Flyway itself would have left it. */
@Tag("slow")
class FlywayHistoryIntegrationTests {
    private static final String MANY = "classpath:db/provisioning/many";
    private static final String PLAIN = "classpath:db/provisioning/plain";
    private static final String REPEATABLE = "classpath:db/provisioning/repeatable";
    private static final String CONCURRENT = "classpath:db/provisioning/concurrent";
    private static final String CONCURRENT_BROKEN = "classpath:db/provisioning/concurrent_broken";
    private static final String HISTORY = "SELECT concat_ws('|', installed_rank, version, description, type, script,"
            + " checksum, installed_by, success) FROM %s.flyway_schema_history ORDER BY installed_rank";
    private static final String STRUCTURE =
            """
            SELECT concat_ws('|', c.relkind, c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
              replace(pg_get_expr(d.adbin, d.adrelid), '%1$s', ''), replace(pg_get_indexdef(i.indexrelid), '%1$s', ''))
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            LEFT JOIN pg_index i ON i.indexrelid = c.oid
            WHERE c.relnamespace = '%1$s'::regnamespace
            UNION ALL SELECT conname || replace(pg_get_constraintdef(oid), '%1$s', '') FROM pg_constraint
            WHERE connamespace = '%1$s'::regnamespace AND conname NOT LIKE 'sharded!_id!_check%%' ESCAPE '!' ORDER BY 1
            """;

    private final TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 6);
    private final TestDatabase database = cluster.database("pg1");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void flywayItselfFindsNothingToDoAndNothingWrong(boolean replay) {
        provision(ShardMigrations.at(MANY).withReplay(replay));

        for (int shard = 0; shard < 6; shard++) {
            Flyway flyway = flyway(shard, MANY);
            assertThat(flyway.validateWithResult().validationSuccessful).isTrue();
            assertThat(flyway.info().pending()).isEmpty();
            assertThat(flyway.migrate().migrationsExecuted).isZero();
            assertThat(database.query(String.format(HISTORY, name(shard))))
                    .isEqualTo(database.query(String.format(HISTORY, name(0))));
            assertThat(structure(shard)).isEqualTo(structure(0)).hasSizeGreaterThan(60);
        }
    }

    @Test
    void flywayWouldHaveDoneTheSame() {
        replay(MANY);
        TestCluster other = TestCluster.ofOne(IdLayout.DEFAULT, 6);
        other.provision();
        flyway(other.database("pg1"), 5, MANY).migrate();

        assertThat(database.query(String.format(HISTORY, name(5))))
                .isEqualTo(other.database("pg1").query(String.format(HISTORY, name(5))));
        assertThat(structure(5)).isEqualTo(other.database("pg1").query(String.format(STRUCTURE, name(5))));
    }

    /** Flyway runs each script in a transaction of its own. */
    @Test
    @Tag("quick")
    void plainScriptsAreReplayedByThemselvesAndOthersRunByFlyway() {
        cluster.provision(PLAIN);
        assertThat(transactions(5)).isEqualTo(1);
        TestCluster other = TestCluster.ofOne(IdLayout.DEFAULT, 6);
        new Provisioner(
                        other.definition(),
                        other.sources(),
                        ShardMigrations.at(PLAIN).withReplay(false))
                .provision();
        assertThat(contents(database))
                .isEqualTo(contents(other.database("pg1")))
                .hasSize(24)
                .anyMatch(row -> row.contains("shard_0005"));

        TestCluster settings = TestCluster.ofOne(IdLayout.DEFAULT, 6);
        settings.provision("classpath:db/provisioning/settings");
        assertThat(settings.database("pg1").query("SELECT value FROM shard_0005.length"))
                .isEqualTo(settings.database("pg1").query("SELECT value FROM shard_0000.length"))
                .containsExactly("01:00:00");
    }

    private static List<String> contents(TestDatabase database) {
        List<String> all = new ArrayList<>();
        for (String query : List.of(
                HISTORY,
                "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = '%s'::regnamespace ORDER BY 1",
                "SELECT entry::text FROM %s.entry ORDER BY 1",
                "SELECT text FROM %s.log ORDER BY 1",
                "SELECT last_value::text FROM %s.counter")) {
            all.addAll(database.query(String.format(query, name(5))));
        }
        return all;
    }

    private long transactions(int shard) {
        return database.queryLong("SELECT count(DISTINCT xmin::text) FROM " + name(shard) + ".flyway_schema_history");
    }

    @Test
    void laterScriptsGoOnFromWhereverAShardStands() {
        cluster.provision(TestCluster.GOOD);
        flyway(4, TestCluster.LATER).migrate();

        replay(TestCluster.LATER);

        for (int shard = 0; shard < 6; shard++) {
            assertThat(flyway(shard, TestCluster.LATER).info().pending()).isEmpty();
            assertThat(structure(shard)).isEqualTo(structure(4));
        }
    }

    @Test
    void aShardThatDiffersByHandIsNamedAndTheOthersAreCompleted() {
        cluster.provision(TestCluster.GOOD);
        database.execute("ALTER TABLE shard_0003.photo ADD COLUMN likes text");

        assertThatThrownBy(() -> replay(TestCluster.LATER))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("V2__likes.sql")
                .hasMessageContaining("shard 3 of database pg1")
                .hasMessageContaining("line 1")
                .hasMessageContaining("already exists");
        database.execute("ALTER TABLE shard_0003.photo DROP COLUMN likes");
        replay(TestCluster.LATER);

        for (int shard = 0; shard < 6; shard++) {
            assertThat(flyway(shard, TestCluster.LATER).info().pending()).isEmpty();
        }
    }

    @Test
    void aChangedRepeatableScriptRunsAgainInEachShard() {
        provision(migrations(REPEATABLE, "Hello "));
        database.execute("INSERT INTO shard_0005.photo (caption) VALUES ('cat')");
        assertThat(database.query("SELECT caption FROM shard_0005.captions")).containsExactly("Hello cat");

        provision(migrations(REPEATABLE, "Bye "));
        provision(migrations(REPEATABLE, "Bye "));

        assertThat(database.query("SELECT caption FROM shard_0005.captions")).containsExactly("Bye cat");
        assertThat(database.query("SELECT count(*) FROM shard_0005.flyway_schema_history WHERE version IS NULL"))
                .containsExactly("2");
    }

    @Test
    void scriptsOutsideOfATransactionRunInEachShard() {
        replay(CONCURRENT);

        for (int shard = 0; shard < 6; shard++) {
            assertThat(flyway(shard, CONCURRENT).info().pending()).isEmpty();
            assertThat(structure(shard)).isEqualTo(structure(0)).anyMatch(line -> line.contains("photo_caption"));
        }
    }

    @Test
    void aFailureOutsideOfATransactionIsUndoneByHand() {
        cluster.provision(TestCluster.GOOD);
        database.execute("INSERT INTO shard_0003.photo (caption) VALUES ('cat'), ('cat')");
        String undo = "DELETE FROM shard_0003.flyway_schema_history WHERE NOT success";

        assertThatThrownBy(() -> cluster.provision(CONCURRENT_BROKEN))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("shard 3 of database pg1")
                .hasMessageContaining(undo);
        database.execute("DROP INDEX shard_0003.photo_caption");
        assertThatThrownBy(() -> cluster.provision(CONCURRENT_BROKEN))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("shard 3 of database pg1")
                .hasMessageContaining(undo);
        database.execute(undo);
        database.execute("DELETE FROM shard_0003.photo");
        cluster.provision(CONCURRENT_BROKEN);

        for (int shard = 0; shard < 6; shard++) {
            assertThat(flyway(shard, CONCURRENT_BROKEN).info().pending()).isEmpty();
        }
    }

    @Test
    void aScriptThatNamesItsSchemaSeesItsOwn() {
        replay("classpath:db/provisioning/named");

        for (int shard = 0; shard < 6; shard++) {
            assertThat(database.query("SELECT obj_description('" + name(shard) + ".photo'::regclass)"))
                    .containsExactly("of " + name(shard));
        }
    }

    @Test
    void whatMakesASchemaAShardsCannotBeCustomized() {
        provision(ShardMigrations.at(TestCluster.GOOD).withFlyway(FlywayHistoryIntegrationTests::misled));

        assertThat(database.query("SELECT version FROM shard_0005.flyway_schema_history ORDER BY 1"))
                .containsExactly("0", "1");
    }

    private static void misled(FluentConfiguration flyway) {
        flyway.table("other")
                .schemas("public")
                .defaultSchema("public")
                .baselineVersion("7")
                .createSchemas(true);
    }

    private void replay(String location) {
        provision(ShardMigrations.at(location).withReplay(true));
    }

    private void provision(ShardMigrations migrations) {
        new Provisioner(cluster.definition(), cluster.sources(), migrations).provision();
    }

    private static ShardMigrations migrations(String location, String greeting) {
        return ShardMigrations.at(location)
                .withFlyway(flyway -> flyway.placeholders(Map.of("greeting", greeting)))
                .withReplay(true);
    }

    private List<String> structure(int shard) {
        return database.query(String.format(STRUCTURE, name(shard)));
    }

    private Flyway flyway(int shard, String location) {
        return flyway(database, shard, location);
    }

    /** As somebody would set it up who knows nothing of this library. */
    private static Flyway flyway(TestDatabase database, int shard, String location) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations(location)
                .defaultSchema(name(shard))
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .baselineDescription("Sharded id wrappers")
                .load();
    }

    private static String name(int shard) {
        return "shard_000" + shard;
    }
}
