package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A repair repairs all that the configuration names, or fails. */
class RepairIntegrationTests {
    private static final String BROKEN = "classpath:db/provisioning/concurrent_broken";
    private static final String MORE = "classpath:db/provisioning/more";
    private static final String COUNTRIES = "classpath:db/membership/global";
    private static final String NAME_INDEX = "classpath:db/membership/name_index";
    private static final GlobalDatabase ON_PG2 = GlobalDatabase.on("pg2");
    private static final String FAILED = "SELECT version FROM %s.flyway_schema_history WHERE NOT success";
    private static final String RUNS = "SELECT kind FROM sharded_id.run";

    private final TestCluster cluster = TestCluster.ofTwo();
    private final TestDatabase pg1 = cluster.database("pg1");
    private final TestDatabase pg2 = cluster.database("pg2");

    private Provisioner global(ShardMigrations scripts) {
        return cluster.provisioner(cluster.sources(), TestCluster.GOOD).withGlobal(ON_PG2, scripts);
    }

    @Test
    @Tag("quick")
    void aScriptThatFailedOutsideOfATransactionInTheGlobalSchema() {
        global(ShardMigrations.at(COUNTRIES)).provision();
        pg2.execute("INSERT INTO sharded_global.country VALUES ('NL', 0, 'same'), ('DE', 0, 'same')");
        Provisioner next = global(ShardMigrations.at(COUNTRIES, NAME_INDEX));
        assertThatThrownBy(next::provision)
                .isInstanceOf(ShardMigrationException.class)
                .hasMessageContaining("the global schema sharded_global of database pg2")
                .hasMessageContaining("--sharded-id.repair-migrations");
        pg2.execute("DROP INDEX sharded_global.country_name; DELETE FROM sharded_global.country");

        next.repair();

        assertThat(pg2.query(String.format(FAILED, "sharded_global"))).isEmpty();
        assertThat(pg2.query(RUNS)).isEmpty();
        next.provision();
        next.check();
        assertThat(pg2.query(
                        "SELECT indisvalid FROM pg_index WHERE indexrelid = 'sharded_global.country_name'::regclass"))
                .containsExactly("t");
    }

    @Test
    void aChangedChangeSetOfTheGlobalSchema() {
        global(ShardMigrations.of(ChangeLog.at("db/liquibase/country.xml"))).provision();
        Provisioner next = global(ShardMigrations.of(ChangeLog.at("db/liquibase/country_changed.yaml")));
        assertThatThrownBy(next::provision)
                .isInstanceOf(ShardMigrationException.class)
                .hasMessageContaining("the history of the global schema sharded_global of database pg2")
                .hasMessageContaining("--sharded-id.repair-migrations");

        next.repair();
        next.provision();

        next.check();
        assertThat(pg2.query("SELECT code FROM sharded_global.country")).containsExactly("NL");
    }

    @Test
    void whatANewerVersionHasDoneInTheGlobalSchemaStays() {
        global(ShardMigrations.at(COUNTRIES, "classpath:db/membership/later")).provision();

        global(ShardMigrations.at(COUNTRIES)).repair();

        assertThat(
                        pg2.query(
                                "SELECT type || success FROM sharded_global.flyway_schema_history WHERE version IS NOT NULL ORDER BY installed_rank"))
                .doesNotContain("DELETEtrue")
                .endsWith("SQLtrue");
        global(ShardMigrations.at(COUNTRIES, "classpath:db/membership/later")).check();
    }

    @Test
    void anInstanceThatProvisionsIsWaitedFor() throws Exception {
        leaveFailed("shard_0004", pg2);
        try (Connection other = pg2.dataSource().getConnection()) {
            SessionLock lock = SessionLock.onDatabase("pg1", other);
            Sql.execute(other, "SELECT 1");
            CompletableFuture<Void> repair = OwnThread.run(cluster.provisioner(cluster.sources(), BROKEN)::repair);
            await().until(() -> repair.isDone()
                    || !pg2.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND pid <> pg_backend_pid() AND query LIKE '%advisory%'")
                            .isEmpty());
            lock.close();
            repair.get();
        }

        assertThat(pg2.query(String.format(FAILED, "shard_0004"))).isEmpty();
        cluster.provision(BROKEN);
    }

    @Test
    void aDatabaseThatIsDownIsNamedAfterTheOthersAreRepaired() {
        leaveFailed("shard_0003", pg1);
        Map<String, DataSource> sources = new TreeMap<>(cluster.sources());
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl("jdbc:postgresql://localhost:1/nowhere");
        sources.put("pg2", nobody);

        assertThatThrownBy(() -> cluster.provisioner(sources, BROKEN).repair())
                .isInstanceOf(DatabasesUnreachableException.class)
                .hasMessageContaining("not repaired")
                .hasMessageContaining("{pg2=")
                .hasMessageContaining("repair again");

        assertThat(pg1.query(String.format(FAILED, "shard_0003"))).isEmpty();
    }

    @Test
    void aShardThatIsBeingMovedIsNamedAfterTheOthersAreRepaired() {
        leaveFailed("shard_0003", pg1);
        pg1.execute("UPDATE sharded_id.shard SET state = 'MOVING' WHERE shard = 2");
        pg2.execute("INSERT INTO sharded_id.shard (shard, generation, state) VALUES (2, 2, 'RECEIVING')");

        assertThatThrownBy(() ->
                        cluster.provisioner(cluster.sources(), BROKEN, MORE).repair())
                .isInstanceOf(ProvisioningRefusedException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MOVING_SHARDS)
                .hasMessageContaining("database pg1 that are being moved: 2")
                .hasMessageContaining("repair again");

        assertThat(pg1.query(String.format(FAILED, "shard_0003"))).isEmpty();
    }

    /** By a script that fails outside of a transaction, whose traces are removed by hand. */
    private void leaveFailed(String schema, TestDatabase database) {
        cluster.provision(TestCluster.GOOD);
        database.execute("INSERT INTO " + schema + ".photo (caption) VALUES ('cat'), ('cat')");
        assertThatThrownBy(() -> cluster.provision(BROKEN)).isInstanceOf(ShardMigrationException.class);
        database.execute("DROP INDEX " + schema + ".photo_caption; DELETE FROM " + schema + ".photo");
        assertThat(database.query(String.format(FAILED, schema))).hasSize(1);
    }
}
