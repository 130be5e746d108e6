package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.GlobalDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases of an application follow each other, and older ones start again: each shard becomes what Flyway makes of one schema. */
@Tag("versions")
@Tag("embedded-only")
class FlywayReleasesIntegrationTests {
    private static final int SHARDS = 6;
    private static final String PHOTO = "CREATE TABLE photo (id bigint PRIMARY KEY, caption text)";
    private static final String TAG = "CREATE TABLE tag (id int)";
    private static final String HISTORY = "SELECT concat_ws('|', installed_rank, version, description, type, script,"
            + " checksum, installed_by, success) FROM %s.flyway_schema_history ORDER BY installed_rank";
    private static final String COLUMNS = "SELECT concat_ws('|', table_name, column_name, data_type, ordinal_position)"
            + " FROM information_schema.columns WHERE table_schema = '%s' ORDER BY 1";
    private static final String STORED =
            "SELECT xmin || ' ' || shard || ' ' || migrations FROM sharded_id.shard ORDER BY shard";

    private final TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, SHARDS);
    private final TestDatabase database = cluster.database("pg1");
    private final TestCluster other = TestCluster.ofOne(IdLayout.DEFAULT, SHARDS);
    private final TestDatabase plain = other.database("pg1");

    @TempDir
    private Path directory;

    private String first;
    private String second;

    @BeforeEach
    void make() throws IOException {
        other.provision();
        first = release("V1__photo.sql", PHOTO);
        second = release("V1__photo.sql", PHOTO, "V2__likes.sql", "ALTER TABLE photo ADD COLUMN likes int");
    }

    @Test
    void anOlderReleaseLeavesAloneWhatANewerOneHasDone() {
        migrateBoth(first);
        migrateBoth(second);
        List<String> stored = database.query(STORED);

        migrateBoth(first);
        provisioner(first).check();
        assertThat(database.query(STORED)).isEqualTo(stored);
        migrateBoth(second);

        assertThat(database.query(STORED)).isEqualTo(stored);
        assertThat(provisioner(second).drift().inOrder()).isTrue();
        assertThat(provisioner(first).drift().lines())
                .contains("version 2, other scripts than here: " + SHARDS + " shards, 0-5");
    }

    @Test
    void anOlderReleaseGoesOnWhereOnlySomeShardsAreNewer() {
        migrateBoth(first);
        flyway(database, 3, second, settings -> {}).migrate();
        database.execute("UPDATE sharded_id.shard SET migrations = 'newer' WHERE shard = 3");

        provisioner(first).provision();
        assertThat(database.query("SELECT migrations FROM sharded_id.shard WHERE shard = 3"))
                .containsExactly("newer");
        migrateBoth(second);
    }

    @Test
    void anOlderReleaseLeavesTheGlobalSchemaAlone() {
        GlobalDatabase global = new GlobalDatabase("pg1", "global");
        provisioner(first).withGlobal(global, ShardMigrations.at(second)).provision();
        String stored = "SELECT xmin || migrations FROM sharded_id.global_schema";
        List<String> before = database.query(stored);

        Provisioner older = provisioner(first).withGlobal(global, ShardMigrations.at(first));
        older.provision();
        older.check();

        assertThat(database.query(stored)).isEqualTo(before);
    }

    /** Flyway runs an older repeatable script again, and what it stands at then is neither release. */
    @Test
    void repeatableScriptsOfReleasesThatTakeTurnsRunAsTheyDoWithFlyway() throws IOException {
        String old = release("V1__photo.sql", PHOTO, "R__view.sql", "CREATE OR REPLACE VIEW v AS SELECT 1 AS one");
        String young = release(
                "V1__photo.sql",
                PHOTO,
                "V2__likes.sql",
                "ALTER TABLE photo ADD COLUMN likes int",
                "R__view.sql",
                "CREATE OR REPLACE VIEW v AS SELECT 2 AS one");
        String reverted = release(
                "V1__photo.sql",
                PHOTO,
                "V2__likes.sql",
                "ALTER TABLE photo ADD COLUMN likes int",
                "R__view.sql",
                "CREATE OR REPLACE VIEW v AS SELECT 1 AS one");

        migrateBoth(old);
        // Only one shard has met the newer release before the older one takes its turn again.
        flyway(database, 0, young, settings -> {}).migrate();
        database.execute("UPDATE sharded_id.shard SET migrations = 'newer' WHERE shard = 0");
        provisioner(old).provision();
        provisioner(reverted).provision();

        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(flyway(database, shard, reverted, settings -> {}).info().pending())
                    .as("shard %s", shard)
                    .isEmpty();
        }
    }

    @Test
    void releasesWithRepeatableScriptsFollowEachOtherAsWithFlyway() throws IOException {
        String old = release("V1__photo.sql", PHOTO, "R__view.sql", "CREATE OR REPLACE VIEW v AS SELECT 1 AS one");
        String young = release(
                "V1__photo.sql",
                PHOTO,
                "V2__likes.sql",
                "ALTER TABLE photo ADD COLUMN likes int",
                "R__view.sql",
                "CREATE OR REPLACE VIEW v AS SELECT 2 AS one");

        migrateBoth(old);
        migrateBoth(young);
        migrateBoth(old);
        migrateBoth(old);
        migrateBoth(young);
        migrateBoth(young);
    }

    @Test
    void aScriptThatComesLateRunsOnlyOutOfOrder() throws IOException {
        String third = release("V1__photo.sql", PHOTO, "V3__stars.sql", "ALTER TABLE photo ADD COLUMN stars int");
        String late = release(
                "V1__photo.sql",
                PHOTO,
                "V2__likes.sql",
                "ALTER TABLE photo ADD COLUMN likes int",
                "V3__stars.sql",
                "ALTER TABLE photo ADD COLUMN stars int");
        FlywayCustomizer outOfOrder = flyway -> flyway.outOfOrder(true);
        FlywayCustomizer lenient = flyway -> flyway.ignoreMigrationPatterns("*:missing");

        migrateBoth(third);
        refuseBoth(late, flyway -> {}, "Detected resolved migration not applied to database: 2");
        migrateBoth(late, outOfOrder);
        refuseBoth(third, flyway -> {}, "Detected applied migration not resolved locally: 2");
        migrateBoth(third, lenient);
        migrateBoth(late, outOfOrder);
    }

    @Test
    void javaMigrationsRunInEachShardInTheirPlace() throws IOException {
        String scripts = release("V1__photo.sql", PHOTO, "V3__stars.sql", "ALTER TABLE photo ADD COLUMN stars int");
        FlywayCustomizer withJava = flyway -> flyway.javaMigrations(new V2__Fill());

        migrateBoth(first);
        migrateBoth(scripts, withJava);
        migrateBoth(first);

        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(database.query("SELECT caption FROM " + name(shard) + ".photo"))
                    .containsExactly("by Java");
        }
    }

    @Test
    void callbacksHearOfEachShardWhatFlywayTellsThemOfOneSchema() {
        Heard ours = new Heard();
        Heard plainly = new Heard();

        migrateBoth(second, flyway -> flyway.callbacks(ours), flyway -> flyway.callbacks(plainly));

        assertThat(plainly.events.keySet()).containsExactly(name(5));
        assertThat(ours.events).hasSize(SHARDS);
        ours.events.forEach(
                (schema, events) -> assertThat(events).as(schema).isNotEmpty().isEqualTo(plainly.events.get(name(5))));
    }

    @Test
    void scriptsThatAreCallbacksRunInEachShard() throws IOException {
        String scripts = release(
                "V1__photo.sql",
                PHOTO,
                "V2__likes.sql",
                "ALTER TABLE photo ADD COLUMN likes int",
                "afterEachMigrate.sql",
                "INSERT INTO photo SELECT count(*), 'each' FROM photo",
                "afterMigrate.sql",
                "INSERT INTO photo SELECT count(*), 'after' FROM photo");

        migrateBoth(scripts);

        String rows = "SELECT id || caption FROM %s.photo ORDER BY 1";
        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(database.query(String.format(rows, name(shard))))
                    .isNotEmpty()
                    .isEqualTo(plain.query(String.format(rows, name(5))));
        }
    }

    @Test
    void aBaselineScriptIsRefused() throws IOException {
        String scripts = release("V1__photo.sql", PHOTO, "B2__all.sql", PHOTO);
        assertThatThrownBy(() -> provisioner(scripts).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("B2__all.sql");
    }

    private void migrateBoth(String location) {
        migrateBoth(location, flyway -> {});
    }

    private void migrateBoth(String location, FlywayCustomizer customizer) {
        migrateBoth(location, customizer, customizer);
    }

    private void migrateBoth(String location, FlywayCustomizer ours, FlywayCustomizer plainly) {
        flyway(plain, 5, location, plainly).migrate();
        provisioner(location, ours).provision();
        assertAlike();
    }

    /** Both say the same, and change nothing. */
    private void refuseBoth(String location, FlywayCustomizer customizer, String why) {
        assertThat(catchThrowable(() -> flyway(plain, 5, location, customizer).migrate()))
                .hasMessageContaining(why);
        assertThatThrownBy(() -> provisioner(location, customizer).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining(why)
                .hasMessageContaining("of database pg1");
        assertAlike();
    }

    private void assertAlike() {
        for (int shard = 0; shard < SHARDS; shard++) {
            for (String what : List.of(HISTORY, COLUMNS)) {
                assertThat(database.query(String.format(what, name(shard))))
                        .as("shard %s", shard)
                        .isEqualTo(plain.query(String.format(what, name(5))));
            }
        }
    }

    private Provisioner provisioner(String location) {
        return provisioner(location, flyway -> {});
    }

    private Provisioner provisioner(String location, FlywayCustomizer customizer) {
        return new Provisioner(
                cluster.definition(),
                cluster.sources(),
                ShardMigrations.at(location).withFlyway(customizer));
    }

    /** As somebody would set it up who knows nothing of this library. */
    private static Flyway flyway(TestDatabase where, int shard, String location, FlywayCustomizer customizer) {
        FluentConfiguration configuration = Flyway.configure()
                .dataSource(where.dataSource())
                .locations(location)
                .defaultSchema(name(shard))
                .createSchemas(false)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .baselineDescription("Sharded id wrappers");
        customizer.customize(configuration);
        return configuration.load();
    }

    /** Scripts by their names. */
    private String release(String... namesAndScripts) throws IOException {
        Path release = Files.createTempDirectory(directory, "release");
        for (int i = 0; i < namesAndScripts.length; i += 2) {
            Files.writeString(release.resolve(namesAndScripts[i]), namesAndScripts[i + 1] + ";\n");
        }
        return "filesystem:" + release;
    }

    private static String name(int shard) {
        return "shard_000" + shard;
    }

    /** Flyway takes its version and description from the name. */
    static final class V2__Fill extends BaseJavaMigration {
        @Override
        public void migrate(org.flywaydb.core.api.migration.Context context) throws Exception {
            try (Statement insert = context.getConnection().createStatement()) {
                insert.execute("INSERT INTO photo VALUES (1, 'by Java')");
            }
        }
    }

    /** Events by schema, in order. */
    private record Heard(Map<String, List<String>> events) implements Callback {
        Heard() {
            this(new ConcurrentSkipListMap<>());
        }

        @Override
        public boolean supports(Event event, Context context) {
            return event != Event.CREATE_SCHEMA;
        }

        @Override
        public boolean canHandleInTransaction(Event event, Context context) {
            return true;
        }

        @Override
        public void handle(Event event, Context context) {
            String of = context.getMigrationInfo() == null
                    ? ""
                    : " " + context.getMigrationInfo().getScript();
            events.computeIfAbsent(
                            context.getConfiguration().getDefaultSchema(), schema -> new CopyOnWriteArrayList<>())
                    .add(event.getId() + of);
        }

        @Override
        public String getCallbackName() {
            return "heard";
        }
    }
}
