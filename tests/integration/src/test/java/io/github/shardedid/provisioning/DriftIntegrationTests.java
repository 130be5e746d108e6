package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.provisioning.ProvisioningException.Reason;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DriftIntegrationTests {
    private static final String MANY = "classpath:db/provisioning/many";

    private final TestCluster cluster = TestCluster.ofTwo();

    private DriftReport drift(String... locations) {
        return cluster.provisioner(cluster.sources(), locations).drift();
    }

    @Test
    @Tag("quick")
    void shardsThatWereProvisionedAreAlikeInAllDatabases() {
        cluster.provision(MANY);

        DriftReport report = drift(MANY);

        assertThat(report.inOrder()).isTrue();
        assertThat(report.shards()).hasSize(6).allMatch(shard -> "2".equals(shard.version()));
        assertThat(report.lines())
                .containsExactly("6 of 6 shards are alike and up to date", "version 2, up to date: 6 shards, 0-5");
    }

    @Test
    @Tag("quick")
    void whatWasDoneByHandIsNamed() {
        cluster.provision(MANY);
        cluster.database("pg1")
                .execute("DROP INDEX shard_0001.tag_label; CREATE TABLE shard_0003.notes (id bigint PRIMARY KEY);"
                        + " GRANT SELECT ON shard_0002.photo TO PUBLIC");
        cluster.database("pg2")
                .execute("ALTER TABLE shard_0004.photo ALTER caption SET DEFAULT 'none';"
                        + " CREATE FUNCTION shard_0005.f() RETURNS int LANGUAGE sql AS 'SELECT 1'");

        DriftReport report = drift(MANY);

        assertThat(report.inOrder()).isFalse();
        // All differ but one: whoever is the usual one then, four others do.
        assertThat(report.shards().stream().filter(shard -> !shard.differences().isEmpty()))
                .hasSize(5);
        cluster.database("pg1")
                .execute("REVOKE ALL ON shard_0002.photo FROM PUBLIC; REVOKE ALL ON shard_0002.photo FROM CURRENT_USER;"
                        + " GRANT ALL ON shard_0002.photo TO CURRENT_USER");
        cluster.database("pg2").execute("DROP FUNCTION shard_0005.f()");
        assertThat(differences(drift(MANY)))
                .containsEntry(0, List.of())
                .containsEntry(5, List.of())
                .containsEntry(
                        1,
                        List.of(
                                "table tag: index tag_label is CREATE INDEX tag_label ON tag USING btree (label, id) in most shards, missing here"))
                .containsEntry(3, List.of("table notes: missing in most shards"))
                .hasEntrySatisfying(4, some -> assertThat(some)
                        .containsExactly(
                                "table photo: column caption is text in most shards, text DEFAULT 'none'::text here"));
    }

    /** All that a move compares is compared here, and the order of columns. */
    @Test
    @Tag("quick")
    void whatAMoveWouldFindIsNamed() {
        cluster.provision(MANY);
        cluster.database("pg1")
                .execute("ALTER TABLE shard_0000.photo ENABLE ROW LEVEL SECURITY;"
                        + " ALTER TABLE shard_0000.photo SET (fillfactor = 50);"
                        + " ALTER TABLE shard_0001.tag DROP photo_id, ADD photo_id bigint NOT NULL REFERENCES shard_0001.photo;"
                        + " CREATE INDEX tag_photo ON shard_0001.tag (photo_id)");
        cluster.database("pg2")
                .execute("ALTER FUNCTION shard_0004.next_id(regclass) COST 7;"
                        + " CREATE STATISTICS shard_0004.both_of ON id, caption FROM shard_0004.photo");

        Map<Integer, List<String>> differences = differences(drift(MANY));

        assertThat(differences.get(0))
                .containsExactly(
                        "table photo: options is missing in most shards, fillfactor=50 here",
                        "table photo: row security is missing in most shards, enabled here");
        assertThat(differences.get(1))
                .containsExactly(
                        "table tag: order of columns is id, photo_id, label in most shards, id, label, photo_id here");
        assertThat(differences.get(4))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("function next_id(") && line.contains("COST 7"))
                .anyMatch(line -> line.startsWith("statistics both_of: missing in most shards"));
        assertThat(differences)
                .containsEntry(2, List.of())
                .containsEntry(3, List.of())
                .containsEntry(5, List.of());
    }

    private static Map<Integer, List<String>> differences(DriftReport report) {
        return report.shards().stream().collect(Collectors.toMap(ShardStatus::shard, ShardStatus::differences));
    }

    @Test
    void scriptsThatFailedAndShardsThatAreBehindAreNamed() {
        cluster.provision(TestCluster.GOOD);
        cluster.database("pg1").execute("INSERT INTO shard_0001.photo (caption) VALUES ('cat'), ('cat')");
        String broken = "classpath:db/provisioning/concurrent_broken";
        Assertions.assertThatThrownBy(() -> cluster.provision(broken))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION);

        DriftReport report = drift(broken);

        assertThat(report.lines())
                .contains("failed, to be repaired: V2__caption_index.sql in shard 1 (pg1)")
                .anyMatch(line -> line.startsWith("version 1, other scripts than here: "))
                .anyMatch(line -> line.startsWith("shard 1 (pg1): ") && line.contains("(not valid) here"));
    }
}
