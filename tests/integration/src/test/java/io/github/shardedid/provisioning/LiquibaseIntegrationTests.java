package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import liquibase.Scope;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiquibaseIntegrationTests {
    private static final String HISTORY =
            "SELECT concat_ws('|', orderexecuted, id, author, filename, exectype, md5sum) FROM %s.databasechangelog ORDER BY orderexecuted";

    private final TestCluster cluster = TestCluster.ofTwo();
    private final TestDatabase pg1 = cluster.database("pg1");
    private final TestDatabase pg2 = cluster.database("pg2");

    private static ChangeLog log(String file) {
        return new ChangeLog("classpath:db/liquibase/" + file, "prod", "", Map.of("place", "here"));
    }

    private Provisioner provisioner(ChangeLog changeLog) {
        return new Provisioner(
                cluster.definition(), cluster.sources(), ShardMigrations.of(changeLog), cluster.layout()::epoch);
    }

    private void provision(String file) {
        provisioner(log(file)).provision();
    }

    @Test
    @Tag("quick")
    void changeLogsRunInEachShard() {
        provision("good.yaml");

        List<String> history = pg1.query(String.format(HISTORY, "shard_0000"));
        assertThat(history).hasSize(4);
        assertThat(history.get(0)).startsWith("1|photo|kim|db/liquibase/photo.yaml|EXECUTED|9:");
        for (int shard = 0; shard < 6; shard++) {
            TestDatabase database = shard < 4 ? pg1 : pg2;
            String schema = "shard_000" + shard;
            assertThat(database.query(String.format(HISTORY, schema))).isEqualTo(history);
            database.execute("INSERT INTO " + schema + ".photo (caption) VALUES (' cat ')");
            assertThat(database.query("SELECT concat(sharded_id.shard_of(id), caption, shard, " + schema
                            + ".caption_of(id)) FROM " + schema + ".photo"))
                    .containsExactly(shard + "catherecat");
        }
        assertThat(pg1.query(
                        "SELECT relname FROM pg_class WHERE relname LIKE '%lock%' AND relname LIKE 'databasechange%'"
                                + " OR relname = 'only_in_tests'"))
                .isEmpty();
    }

    @Test
    void aSecondRunChangesNothingAndNewChangeSetsArrive() {
        provision("good.yaml");
        Map<String, List<String>> before = cluster.dump();

        provision("good.yaml");
        provisioner(log("good.yaml")).check();

        assertThat(cluster.dump()).isEqualTo(before);
        assertThatThrownBy(() -> provisioner(log("later.yaml")).check())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNPROVISIONED);
        provision("later.yaml");
        provisioner(log("later.yaml")).check();
        assertThat(pg2.query("SELECT id FROM shard_0005.databasechangelog ORDER BY orderexecuted"))
                .endsWith("likes")
                .hasSize(5);
    }

    @Test
    void driftIsReported() {
        provision("later.yaml");
        DriftReport report = provisioner(log("later.yaml")).drift();
        assertThat(report.inOrder()).as("%s", report.lines()).isTrue();
        assertThat(report.shards()).hasSize(6).allMatch(shard -> "db/liquibase/likes.sql::likes::kim"
                .equals(shard.version()));
    }

    private static void fails(ThrowingCallable provisioning, String... parts) {
        assertThatThrownBy(provisioning)
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts).doesNotContain("\n"));
    }

    @Test
    void aFailingChangeSetIsNamedAndLeavesNothingBehind() {
        provision("good.yaml");
        pg1.execute("CREATE INDEX photo_likes ON shard_0003.photo (shard)");

        fails(
                () -> provision("later.yaml"),
                "db/liquibase/likes.sql::likes::kim",
                "shard 3 of database pg1",
                "ERROR: relation \"photo_likes\" already exists",
                "What ran before stays. Remove the cause and provision again");
        assertThat(
                        pg1.query(
                                "SELECT attname FROM pg_attribute WHERE attrelid = 'shard_0003.photo'::regclass AND attnum > 0"))
                .containsExactly("id", "caption", "shard");
        assertThat(pg1.query(String.format(HISTORY, "shard_0003"))).hasSize(4);
        assertThat(pg2.query(String.format(HISTORY, "shard_0004"))).hasSize(5);

        pg1.execute("DROP INDEX shard_0003.photo_likes");
        provision("later.yaml");
        assertThat(provisioner(log("later.yaml")).drift().inOrder()).isTrue();
    }

    /** Between its statements and the row of the history, where Liquibase's own update would have committed. */
    @Test
    void aChangeSetThatIsInterruptedLeavesNothingBehind() {
        provision("good.yaml");
        pg1.execute(
                "CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';"
                        + " CREATE TRIGGER die BEFORE INSERT ON shard_0002.databasechangelog FOR EACH ROW EXECUTE FUNCTION public.die()");

        assertThatThrownBy(() -> provision("later.yaml")).isInstanceOf(ShardedIdException.class);
        assertThat(
                        pg1.query(
                                "SELECT attname FROM pg_attribute WHERE attrelid = 'shard_0002.photo'::regclass AND attnum > 0"))
                .containsExactly("id", "caption", "shard");

        pg1.execute("DROP FUNCTION public.die() CASCADE");
        provision("later.yaml");
        assertThat(provisioner(log("later.yaml")).drift().inOrder()).isTrue();
        assertThat(pg1.query(String.format(HISTORY, "shard_0002")))
                .hasSize(5)
                .isEqualTo(pg2.query(String.format(HISTORY, "shard_0005")));
    }

    @Test
    void aChangedChangeSetIsRefused() {
        provision("later.yaml");
        Map<String, List<String>> before = cluster.dump();

        fails(
                () -> provision("changed.yaml"),
                "The change log failed in shard ",
                "db/liquibase/likes.sql::likes::kim was: 9:",
                "put it back");
        provision("later.yaml");
        assertThat(cluster.dump()).isEqualTo(before);
    }

    @Test
    void anOlderInstanceLeavesNewerShardsAlone() throws SQLException {
        provision("later.yaml");
        Map<String, List<String>> before = cluster.dump();

        provision("good.yaml");
        provisioner(log("good.yaml")).check();

        assertThat(cluster.dump()).isEqualTo(before);
        try (Connection connection = pg2.dataSource().getConnection()) {
            assertThat(ShardMigrations.of(log("good.yaml"))
                            .compare(connection, "shard_0004")
                            .newer())
                    .isNotEmpty();
            assertThat(ShardMigrations.of(log("later.yaml")).compare(connection, "shard_0004"))
                    .isEqualTo(new ScriptComparison(List.of(), List.of()));
            assertThat(ShardMigrations.of(log("later.yaml"))
                            .compare(connection, "sharded_id")
                            .missing())
                    .isNotEmpty();
        }
        assertThat(cluster.dump()).isEqualTo(before);
    }

    @Test
    void aChangedParameterRunsAgainWhatRunsOnChange() {
        ChangeLog view = log("view.yaml");
        provisioner(new ChangeLog(view.location(), "prod", "", Map.of("place", "here", "greeting", "Hello ")))
                .provision();
        pg2.execute("INSERT INTO shard_0005.photo (caption) VALUES ('cat')");
        assertThat(pg2.query("SELECT caption FROM shard_0005.captions")).containsExactly("Hello cat");

        provisioner(new ChangeLog(view.location(), "prod", "", Map.of("place", "here", "greeting", "Bye ")))
                .provision();

        assertThat(pg2.query("SELECT caption FROM shard_0005.captions")).containsExactly("Bye cat");
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "concurrent", "ignoring", "psql", "skipping"})
    void whatCouldMakeShardsDifferIsRefused(String what) {
        fails(() -> provision("refused_" + what + ".yaml"), "Change set db/liquibase/refused_", "Nothing was changed.");
        assertThat(pg1.query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"hidden_rollback, hidden", "committing, refused"})
    void aChangeSetThatEndsItsTransactionIsNotRecorded(String file, String id) {
        fails(() -> provision(file + ".yaml"), file + ".yaml::" + id + "::kim", "has ended the transaction");

        assertThat(pg1.query("SELECT id FROM shard_0000.databasechangelog WHERE id = '" + id + "'"))
                .isEmpty();
        assertThat(pg1.query("SELECT relname FROM pg_class WHERE relname = 'lost'"))
                .isEmpty();
    }

    @Test
    void savepointsAreNoneOfTheTransactions() {
        provision("savepoints.yaml");

        assertThat(pg2.query("SELECT schemaname FROM pg_tables WHERE tablename IN ('kept', 'lost') ORDER BY 1"))
                .containsExactly("shard_0004", "shard_0005");
    }

    @Test
    void aSearchPathHoldsForItsChangeSetOnly() {
        provision("paths.yaml");

        assertThat(pg2.query("SELECT schemaname FROM pg_tables WHERE tablename = 'after_path' ORDER BY 1"))
                .containsExactly("shard_0004", "shard_0005");
    }

    @Test
    void aMissingFileIsNamed() {
        fails(() -> provision("nowhere.yaml"), "db/liquibase/nowhere.yaml cannot be read", "Nothing was changed.");
    }

    @Test
    void theGlobalSchemaMayHaveOne() {
        Provisioner provisioner = provisioner(log("good.yaml"))
                .withGlobal(GlobalDatabase.on("pg2"), ShardMigrations.of(ChangeLog.at("db/liquibase/country.xml")));
        provisioner.provision();
        provisioner.provision();
        provisioner.check();

        assertThat(pg2.query("SELECT id FROM sharded_global.databasechangelog")).containsExactly("country");
        assertThat(pg2.query("SELECT code FROM sharded_global.country")).containsExactly("NL");
    }

    /** Another use in the same thread, such as Spring Boot's on the global database, keeps its services. */
    @Test
    void otherUsesOfLiquibaseKeepTheirScope() throws Exception {
        cluster.provision();
        try (Connection connection = pg1.dataSource().getConnection()) {
            Scope.child(SeenScope.MARKER, "theirs", () -> {
                Scope before = Scope.getCurrentScope();

                ShardMigrations.of(log("scope.yaml")).migrate(connection, "pg1", 2);

                assertThat(Scope.getCurrentScope()).isSameAs(before);
            });
        }
        assertThat(SeenScope.SEEN).containsExactly("null");
    }

    @Test
    void scriptsAndAChangeLogCannotBeCombined() {
        ShardMigrations migrations = ShardMigrations.of(log("good.yaml"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> migrations.withFlyway(flyway -> {}))
                .withMessageContaining("db/liquibase/good.yaml");
        assertThatIllegalArgumentException().isThrownBy(() -> ChangeLog.at("filesystem:/etc/changes.yaml"));
    }
}
