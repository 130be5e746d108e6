package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shards that were filled by other means than a change log. */
class LiquibaseBaselineIntegrationTests {
    private static final String BY_HAND =
            """
            CREATE SEQUENCE $.photo_id_seq MINVALUE 0;
            CREATE TABLE $.photo (
              id bigint CONSTRAINT photo_pkey PRIMARY KEY DEFAULT $.next_id('$.photo_id_seq'), caption text, shard text DEFAULT 'here');
            CREATE INDEX photo_caption ON $.photo (caption)
            """;

    /** As Liquibase creates it before its first change set. */
    private static final String HISTORY =
            """
            CREATE TABLE shard_0005.databasechangelog (id varchar(255) NOT NULL, author varchar(255) NOT NULL,
              filename varchar(255) NOT NULL, dateexecuted timestamp NOT NULL, orderexecuted int NOT NULL, exectype varchar(10) NOT NULL,
              md5sum varchar(35), description varchar(255), comments varchar(255), tag varchar(255), liquibase varchar(20),
              contexts varchar(255), labels varchar(255), deployment_id varchar(10))
            """;

    private final TestCluster cluster = TestCluster.ofTwo();
    private final TestDatabase pg1 = cluster.database("pg1");
    private final TestDatabase pg2 = cluster.database("pg2");

    private Provisioner provisioner(String baseline) {
        ChangeLog log = ChangeLog.at("db/liquibase/later.yaml")
                .withContexts("prod")
                .withParameters(Map.of("place", "here"))
                .withBaseline(baseline);
        return new Provisioner(
                cluster.definition(), cluster.sources(), ShardMigrations.of(log), cluster.layout()::epoch);
    }

    /** All shards but shard 5, in which Liquibase was interrupted before its first change set. */
    private void fill() {
        new Provisioner(cluster.definition(), cluster.sources(), ShardMigrations.none(), cluster.layout()::epoch)
                .provision();
        for (int shard = 0; shard < 5; shard++) {
            (shard < 4 ? pg1 : pg2).execute(BY_HAND.replace("$", "shard_000" + shard));
        }
        pg2.execute(HISTORY);
    }

    @ParameterizedTest
    @CsvSource({"photo", "db/liquibase/photo.yaml::photo::kim"})
    void changeSetsUpToTheBaselineAreRecordedWhereThereAreTables(String baseline) {
        fill();
        pg1.execute("INSERT INTO shard_0003.photo (caption) VALUES ('before')");

        provisioner(baseline).provision();
        provisioner(baseline).check();

        assertThat(provisioner(baseline).drift().inOrder())
                .as("%s", provisioner(baseline).drift().lines())
                .isTrue();
        assertThat(pg1.query("SELECT caption || likes FROM shard_0003.photo")).containsExactly("before0");
        List<String> history =
                pg1.query("SELECT id || exectype FROM shard_0000.databasechangelog ORDER BY orderexecuted");
        assertThat(history).hasSize(5).startsWith("photoEXECUTED");
        assertThat(pg2.query("SELECT id || exectype FROM shard_0005.databasechangelog ORDER BY orderexecuted"))
                .isEqualTo(history);
    }

    @Test
    void withoutABaselineTheChangeSetsRun() {
        fill();

        assertThatThrownBy(() -> provisioner("").provision()).hasMessageContaining("\"photo\" already exists");
    }

    @Test
    void aBaselineThatIsNoChangeSetIsRefused() {
        fill();

        assertThatThrownBy(() -> provisioner("pictures").provision())
                .isInstanceOf(ShardMigrationException.class)
                .hasMessageContaining(
                        "The baseline pictures of the change log db/liquibase/later.yaml is none of its change sets")
                .hasMessageContaining("Nothing was changed.");
        assertThat(pg2.query("SELECT id FROM shard_0005.databasechangelog")).isEmpty();
    }

    /** Its first table is there, and its history is empty, as the change set was not one transaction. */
    @Test
    void aNewShardWhoseFirstChangeSetIsInterruptedHasNoBaseline() {
        Provisioner provisioner = new Provisioner(
                cluster.definition(),
                cluster.sources(),
                ShardMigrations.of(
                        ChangeLog.at("db/liquibase/photo_outside.yaml").withBaseline("photo")),
                cluster.layout()::epoch);
        assertThatThrownBy(provisioner::provision).hasMessageContaining("undo by hand what it did there");
        for (TestDatabase database : List.of(pg1, pg2)) {
            database.execute("CREATE TABLE public.allowed AS SELECT 7 AS n");
        }

        assertThatThrownBy(provisioner::provision)
                .isInstanceOf(ShardMigrationException.class)
                .hasMessageContaining("\"photo\" already exists")
                .hasMessageContaining("undo by hand what it did there");

        for (int shard = 0; shard < 6; shard++) {
            (shard < 4 ? pg1 : pg2).execute("DROP TABLE IF EXISTS shard_000" + shard + ".photo");
        }
        provisioner.provision();
        provisioner.check();
        assertThat(pg1.query("SELECT id FROM shard_0000.photo")).containsExactly("7");
    }
}
