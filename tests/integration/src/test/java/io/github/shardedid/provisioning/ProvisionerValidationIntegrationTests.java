package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Whatever is wrong is said before anything is changed, in any database. */
class ProvisionerValidationIntegrationTests {
    private final TestCluster cluster = TestCluster.provisioned(IdLayout.DEFAULT, 6, "0-3", "4-5");

    /** A database is always being added too, so that a check that comes too late would have changed something. */
    private static AbstractThrowableAssert<?, ? extends Throwable> refused(TestCluster wrong, Reason reason) {
        TestCluster growing = wrong.with("pg0", PostgresServers.shared(1).newDatabase(), "");
        Map<String, List<String>> before = growing.dump();
        var thrown = assertThatThrownBy(() -> growing.provision(TestCluster.LATER))
                .isExactlyInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", reason)
                .hasMessageNotContaining("password");
        assertThat(growing.dump()).isEqualTo(before);
        return thrown;
    }

    @Test
    @Tag("quick")
    void databasesOfTwoClustersAreRefused() {
        TestCluster other = TestCluster.ofTwo();
        other.provision(TestCluster.GOOD);
        refused(cluster.without("pg2").with("pg2", other.database("pg2"), "4-5"), Reason.WRONG_DATABASE)
                .hasMessageContaining("pg1=")
                .hasMessageContaining("pg2=");
        assertThatThrownBy(() -> cluster.without("pg2")
                        .with("pg2", other.database("pg2"), "4-5")
                        .map())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.WRONG_DATABASE);
    }

    @Test
    @Tag("quick")
    void anotherEpochIsRefusedWithBothValues() {
        Instant epoch = Instant.parse("2024-01-01T00:00:00Z");
        refused(cluster.with(IdLayout.DEFAULT.withEpoch(epoch), 6), Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("pg1")
                .hasMessageContaining(
                        "epoch is 2011-08-24T21:07:01.721Z there, but configured as 2024-01-01T00:00:00Z");
    }

    @Test
    @Tag("quick")
    void fewerShardsAreRefusedWithBothValues() {
        refused(cluster.with(IdLayout.DEFAULT, 5), Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("shards is 6 there, but configured as 5");
    }

    @Test
    void anotherNumberOfJvmNodesIsRefusedWithBothValues() {
        refused(cluster.with(IdLayout.DEFAULT.withJvmNodes(0), 6), Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("jvm-nodes is 64 there, but configured as 0");
    }

    @Test
    void otherWidthsAreRefusedWithBothValues() {
        IdLayout narrow = new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.SECONDS, 25, 3, 4, 0);
        refused(cluster.with(narrow, 6), Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("unit is MILLISECONDS there, but configured as SECONDS")
                .hasMessageContaining("timestamp bits is 41 there, but configured as 25");
    }

    @Test
    void eachWidthThatDiffersIsNamedWithBothValues() {
        IdLayout fewerShards = new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.MILLISECONDS, 41, 12, 11, 64);
        refused(cluster.with(fewerShards, 6), Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("values than are configured: shard bits is 13 there, but configured as 12,"
                        + " sequence bits is 10 there, but configured as 11. They");
    }

    @Test
    void aDatabaseThatStoresOtherValuesThanTheRestIsNamed() {
        cluster.database("pg2").execute("UPDATE sharded_id.cluster SET epoch_ms = 0");
        refused(cluster, Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("Database pg2")
                .hasMessageContaining("1970-01-01T00:00:00Z");
    }

    @Test
    void aMissingFunctionIsNotSilentlyPutBack() {
        cluster.database("pg2").execute("DROP FUNCTION sharded_id.next_ids(regclass, int, int)");
        refused(cluster, Reason.DAMAGED_DATABASE)
                .hasMessageContaining("pg2")
                .hasMessageContaining("next_ids (missing)");
    }

    @Test
    void anAlteredFunctionIsNotSilentlyPutBack() {
        cluster.database("pg1")
                .execute("CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key bigint) RETURNS int LANGUAGE sql"
                        + " IMMUTABLE AS 'SELECT 1'");
        refused(cluster, Reason.DAMAGED_DATABASE)
                .hasMessageContaining("pg1")
                .hasMessageContaining("shard_of_key (altered)");
    }

    @Test
    @Tag("quick")
    void exchangedDatabasesAreRefused() {
        TestCluster exchanged =
                cluster.with("pg1", cluster.database("pg2"), "0-3").with("pg2", cluster.database("pg1"), "4-5");
        refused(exchanged, Reason.WRONG_DATABASE)
                .hasMessageContaining("configured as pg1")
                .hasMessageContaining("under the name pg2");
    }

    @Test
    void oneDatabaseUnderTwoNamesIsRefused() {
        TestDatabase empty = PostgresServers.shared(1).newDatabase();
        refused(cluster.with("pg3", empty, "").with("pg4", empty, ""), Reason.WRONG_DATABASE)
                .hasMessageContaining("pg3")
                .hasMessageContaining("pg4");
    }

    @Test
    void theLostSchemaOfAnActiveShardIsNotMadeAnew() {
        cluster.database("pg2").execute("DROP SCHEMA shard_0004 CASCADE");
        refused(cluster, Reason.DAMAGED_DATABASE).hasMessageContaining("pg2").hasMessageContaining("shards 4");
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 99})
    void anotherVersionOfTheTablesIsRefused(int version) {
        cluster.database("pg1").execute("UPDATE sharded_id.cluster SET schema_version = " + version);
        refused(cluster, Reason.UNSUPPORTED_VERSION).hasMessageContaining("database pg1 has version " + version);
    }

    @Test
    void aUserWithoutPrivilegesIsRefused() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        String user = "u_" + database.name();
        database.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'not-to-be-seen'");
        TestCluster wrong = new TestCluster(IdLayout.DEFAULT, 1, Map.of(), Map.of()).with("pg1", database, "0");
        Map<String, List<String>> before = wrong.dump();

        assertThatThrownBy(() -> wrong.provisioner(Map.of("pg1", as(database, user, "not-to-be-seen")))
                        .provision())
                .isExactlyInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MISSING_PRIVILEGE)
                .hasMessageContaining(user)
                .hasMessageContaining("pg1")
                .hasMessageContaining("GRANT CREATE ON DATABASE " + database.name() + " TO " + user);

        assertThat(wrong.dump()).isEqualTo(before);
        wrong.provision(TestCluster.GOOD);
        assertThatThrownBy(() -> wrong.provisioner(Map.of("pg1", as(database, user, "not-to-be-seen")))
                        .provision())
                .isExactlyInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MISSING_PRIVILEGE)
                .hasMessageContaining("GRANT SELECT ON ALL TABLES IN SCHEMA sharded_id TO \"" + user + "\"");
        database.execute("GRANT SELECT ON ALL TABLES IN SCHEMA sharded_id TO " + user);
        wrong.provisioner(Map.of("pg1", as(database, user, "not-to-be-seen")), TestCluster.GOOD)
                .provision();
        database.execute("DROP OWNED BY " + user + "; DROP ROLE " + user);
    }

    /** One refusal names everything: what it says is run, and the user provisions. */
    @Test
    void aUserWhoIsNotTheOwnerIsToldAllThatItLacksAtOnce() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        String owner = "Owner_of_" + database.name();
        String user = "u_" + database.name();
        database.execute("CREATE ROLE \"" + owner + "\" LOGIN PASSWORD 'o'; CREATE ROLE " + user
                + " LOGIN PASSWORD 'u'; GRANT CREATE ON DATABASE " + database.name() + " TO \"" + owner + "\"");
        TestCluster owned = new TestCluster(IdLayout.DEFAULT, 1, Map.of(), Map.of()).with("pg1", database, "0");
        owned.provisioner(Map.of("pg1", as(database, owner, "o")), TestCluster.GOOD)
                .provision();
        Provisioner later = owned.provisioner(Map.of("pg1", as(database, user, "u")), TestCluster.LATER);
        String statement = "GRANT \"" + owner + "\" TO " + user;

        assertThatThrownBy(later::provision)
                .isExactlyInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MISSING_PRIVILEGE)
                .hasMessageContaining("User " + user + " of database pg1 may not provision: it is not the owner of the"
                        + " cluster's schemas, \"" + owner + "\". Run there: " + statement + ".");

        database.execute(statement);
        later.provision();
        assertThat(later.drift().inOrder()).isTrue();
        database.execute(
                "DROP OWNED BY " + user + ", \"" + owner + "\" CASCADE; DROP ROLE " + user + ", \"" + owner + "\"");
    }

    @Test
    void aWrongPasswordIsNotShown() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        database.execute("CREATE ROLE w_" + database.name() + " LOGIN PASSWORD 'right'");
        TestCluster wrong = new TestCluster(IdLayout.DEFAULT, 1, Map.of(), Map.of()).with("pg1", database, "0");
        PGSimpleDataSource source = as(database, "w_no_such_user", "not-to-be-seen");
        source.setUrl("jdbc:postgresql://localhost:1/" + database.name() + "?password=not-to-be-seen");
        assertThatThrownBy(() -> wrong.provisioner(Map.of("pg1", source)).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNREACHABLE_DATABASE)
                .hasMessageContaining("pg1")
                .hasMessageNotContaining("not-to-be-seen");
        database.execute("DROP ROLE w_" + database.name());
    }

    private static PGSimpleDataSource as(TestDatabase database, String user, String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.url());
        source.setUser(user);
        source.setPassword(password);
        return source;
    }
}
