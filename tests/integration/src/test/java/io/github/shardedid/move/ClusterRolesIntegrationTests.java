package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ClusterRoles;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.GlobalDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Owner, application, reader and mover as SECURITY.md describes them: each can do its work, and nothing else. */
// The role pg_create_subscription is needed.
@Tag("since-16")
@Tag("embedded-only")
class ClusterRolesIntegrationTests {
    private static final ClusterRoles ROLES = new ClusterRoles("shop_app", "shop_reader", "shop_mover");
    private static final String ACLS =
            "SELECT c.oid::regclass || ' ' || x.privilege_type || ' ' || x.grantee::regrole FROM pg_class c,"
                    + " aclexplode(c.relacl) x WHERE c.relnamespace IN ('shard_0001'::regnamespace, 'sharded_id'::regnamespace)"
                    + " AND x.grantee <> c.relowner UNION ALL"
                    + " SELECT p.oid::regprocedure || ' ' || x.grantee::regrole FROM pg_proc p, aclexplode(p.proacl) x"
                    + " WHERE p.pronamespace = 'sharded_id'::regnamespace AND x.grantee NOT IN (0, p.proowner) UNION ALL"
                    + " SELECT d.defaclobjtype::text || ' ' || x.privilege_type || ' ' || x.grantee::regrole FROM pg_default_acl d,"
                    + " aclexplode(d.defaclacl) x WHERE d.defaclnamespace = 'shard_0001'::regnamespace UNION ALL"
                    + " SELECT nspname || x.grantee::regrole FROM pg_namespace, aclexplode(nspacl) x WHERE nspname = 'shard_0001'"
                    + " ORDER BY 1";

    private final ServerAsRole first;
    private final ServerAsRole second;
    private final MovingCluster cluster;

    ClusterRolesIntegrationTests() {
        for (int server = 1; server <= 2; server++) {
            TestDatabase postgres = new TestDatabase(PostgresServers.shared(server), "postgres");
            if (postgres.query("SELECT 1 FROM pg_roles WHERE rolname = 'shop_owner'")
                    .isEmpty()) {
                postgres.execute(documented("roles"));
                ServerAsRole.passwordFor(postgres, "shop_mover");
            }
        }
        first = ServerAsRole.on(PostgresServers.shared(1), "shop_owner");
        second = ServerAsRole.on(PostgresServers.shared(2), "shop_owner");
        cluster = new MovingCluster(first, second);
    }

    private static String documented(String file) {
        try {
            return Files.readString(Path.of("src/test/resources/documented/" + file + ".sql"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void inDatabases() {
        for (String name : List.of("pg1", "pg2")) {
            admin(name).execute(documented("roles-in-database"));
        }
    }

    @AfterEach
    void drop() {
        cluster.close();
    }

    private TestDatabase admin(String name) {
        return (name.equals("pg1") ? first : second).owned(cluster.database(name));
    }

    private TestDatabase as(String role, String name) {
        return new TestDatabase(
                new ServerAsRole((name.equals("pg1") ? first : second).server(), role, "pw of " + role),
                cluster.database(name).name());
    }

    private void provision(ClusterRoles roles, String... scripts) {
        new Provisioner(cluster.definition(), cluster.sources(), ShardMigrations.at(scripts))
                .withOptions(new ProvisioningOptions(true, Map.of(), roles))
                .provision();
    }

    @Test
    void provisioningGrantsWhatTheDocumentationSays() {
        provision(ROLES, MovingCluster.SCRIPTS);
        List<String> granted = cluster.database("pg1").query(ACLS);
        String catalog = "SELECT max(xmin::text::bigint) FROM pg_class WHERE relnamespace = 'shard_0001'::regnamespace";
        long before = cluster.database("pg1").queryLong(catalog);

        provision(ROLES, MovingCluster.SCRIPTS);
        assertThat(cluster.database("pg1").queryLong(catalog))
                .as("changed for nothing")
                .isEqualTo(before);
        cluster.database("pg1").execute(documented("grants"));

        assertThat(cluster.database("pg1").query(ACLS)).isEqualTo(granted).hasSizeGreaterThan(40);
    }

    /** Liquibase runs as the owner, who is no superuser. */
    @Test
    void theApplicationDoesNotWriteTheHistoryOfChangeSets() {
        MovingCluster empty = new MovingCluster(List.of(first.newDatabase(), second.newDatabase()));
        first.owned(empty.database("pg1")).execute(documented("roles-in-database"));
        second.owned(empty.database("pg2")).execute(documented("roles-in-database"));
        TestDatabase application = new TestDatabase(
                new ServerAsRole(first.server(), "shop_app", "pw of shop_app"),
                empty.database("pg1").name());
        for (String file : List.of("good.yaml", "later.yaml")) {
            new Provisioner(
                            empty.definition(),
                            empty.sources(),
                            ShardMigrations.of(ChangeLog.at("db/liquibase/" + file)))
                    .withGlobal(GlobalDatabase.on("pg1"), ShardMigrations.of(ChangeLog.at("db/liquibase/country.xml")))
                    .withOptions(new ProvisioningOptions(true, Map.of(), ROLES))
                    .provision();

            application.execute("INSERT INTO shard_0001.photo (caption) VALUES ('a')");
            assertThat(application.query("SELECT id FROM shard_0001.databasechangelog"))
                    .contains("photo");
            refused(application, "DELETE FROM shard_0001.databasechangelog");
            refused(application, "INSERT INTO shard_0001.databasechangelog TABLE shard_0001.databasechangelog");
            application.execute("INSERT INTO sharded_global.country VALUES ('" + file.substring(0, 2) + "')");
            assertThat(application.query("SELECT id FROM sharded_global.databasechangelog"))
                    .containsExactly("country");
            refused(application, "DELETE FROM sharded_global.databasechangelog");
        }
        empty.close();
    }

    @Test
    void theApplicationMakesIdsInAllWaysAndChangesRowsAndNothingElse() {
        provision(ROLES, MovingCluster.SCRIPTS);
        TestDatabase application = as("shop_app", "pg1");
        String sequence = "'shard_0001.photo_id_seq'";

        application.execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('a'), ('b');"
                + " UPDATE photo SET caption = 'c' WHERE caption = 'b'; DELETE FROM photo WHERE caption = 'a'");
        application.query("SELECT sharded_id.next_id_block(" + sequence + ", 1, 600)");
        application.query("SELECT shard_0001.next_ids(" + sequence + ", 600)");
        assertThat(application.query("SELECT node IS NOT NULL FROM"
                        + " shard_0001.lease_node('00000000-0000-0000-0000-000000000001', 1, 64, 1000)"))
                .containsExactly("t");
        application.query("SELECT shard_0001.release_node('00000000-0000-0000-0000-000000000001', 1)");
        application.query(
                "SELECT sharded_id.claim_unique('shard_0001.sharded_id_claim', '{key}', '{value}', '{1}', NULL, 1000)");
        application.query("SELECT shard_0001.next_ids_after(" + sequence + ", 2, 4611686018427387904)");
        for (String forbidden : List.of(
                "UPDATE sharded_id.shard SET state = 'MOVED'",
                "TABLE shard_0001.sharded_id_lease",
                "DELETE FROM shard_0001.flyway_schema_history",
                "TRUNCATE shard_0001.photo",
                "CREATE TABLE shard_0001.mine ()",
                "CREATE TABLE public.mine ()",
                "CREATE TEMP TABLE mine ()",
                "CREATE TRIGGER mine BEFORE INSERT ON shard_0001.photo EXECUTE FUNCTION sharded_id.map_changed()",
                "SELECT sharded_id.grant_roles()")) {
            refused(application, forbidden);
        }
    }

    @Test
    void theReaderReadsAndNothingElse() {
        provision(ROLES, MovingCluster.SCRIPTS);
        TestDatabase reader = as("shop_reader", "pg1");

        assertThat(reader.query("SELECT count(*) FROM shard_0001.photo")).containsExactly("0");
        assertThat(reader.query("SELECT count(*) FROM sharded_id.shard")).containsExactly("2");
        for (String forbidden : List.of(
                "INSERT INTO shard_0001.note (number) VALUES (1)",
                "SELECT shard_0001.next_id('shard_0001.photo_id_seq')",
                "SELECT pg_catalog.nextval('shard_0001.note_number_seq')",
                "SELECT last_value FROM sharded_id.lock_secret",
                "SELECT shard_0001.lease_node('00000000-0000-0000-0000-000000000001', 1, 64, 1000)")) {
            refused(reader, forbidden);
        }
    }

    private static void refused(TestDatabase database, String sql) {
        assertThatThrownBy(() -> database.execute(sql)).as(sql).cause().hasMessageContaining("permission denied");
    }

    @Test
    void theMoverMovesWhatBelongsToTheOwnerAndTheGrantsAreTheSameThere() {
        provision(ROLES, MovingCluster.SCRIPTS);
        cluster.fill(20);
        List<String> rows = cluster.rows("pg1");
        Map<String, DataSource> sources = new TreeMap<>();
        Map<String, ReplicationSource> reach = new TreeMap<>();
        for (String name : List.of("pg1", "pg2")) {
            TestDatabase database = as("shop_mover", name);
            sources.put(name, database.dataSource());
            reach.put(
                    name,
                    new ReplicationSource(
                            database.server().peerHost(),
                            database.server().peerPort(),
                            database.name(),
                            "shop_mover",
                            "pw of shop_mover"));
        }
        ShardMover mover = new ShardMover(
                cluster.definition(),
                sources,
                ShardMigrations.at(MovingCluster.SCRIPTS),
                MoveOptions.DEFAULT.withReplicationSources(reach));
        assertThat(mover.check(MovingCluster.SHARD, "pg2")).isEmpty();
        List<String> acls = cluster.database("pg1").query(ACLS);

        mover.move(MovingCluster.SHARD, "pg2");

        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.database("pg2").query(ACLS)).isEqualTo(acls);
        as("shop_app", "pg2").execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('there')");
        mover.moveOffline(MovingCluster.SHARD, "pg1");
        as("shop_app", "pg1").execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('back')");
    }

    /** Provisioning, migrations by Flyway with and without replay, grants, and both kinds of moves. */
    @Test
    void namesOfRolesMayContainWhateverPostgreSqlAllows() {
        String odd = "o'w\"n\\\\e.r %s %I $$ ${x} {} ü? -- ";
        List<String> names = List.of(odd + "owner", odd + "app", odd + "reader", odd + "mover");
        List<TestDatabase> empty = new ArrayList<>();
        for (ServerAsRole known : List.of(first, second)) {
            TestDatabase postgres = new TestDatabase(known.server(), "postgres");
            if (postgres.query("SELECT 1 FROM pg_roles WHERE rolname = " + Sql.literal(names.get(0)))
                    .isEmpty()) {
                names.forEach(name ->
                        postgres.execute("CREATE ROLE " + Sql.name(name) + " LOGIN REPLICATION PASSWORD 'odd'"));
                postgres.execute(
                        "GRANT " + Sql.name(names.get(0)) + ", pg_create_subscription TO " + Sql.name(names.get(3)));
                ServerAsRole.passwordFor(postgres, Sql.name(names.get(3)));
            }
            TestDatabase made = known.server().newDatabase();
            made.execute(
                    "GRANT CREATE ON DATABASE " + made.name() + " TO " + Sql.name(names.get(0)) + " WITH GRANT OPTION");
            empty.add(new TestDatabase(new ServerAsRole(known.server(), names.get(0), "odd"), made.name()));
        }
        MovingCluster odds = new MovingCluster(empty);
        ClusterRoles roles = new ClusterRoles(names.get(1), names.get(2), names.get(3));
        for (boolean replay : List.of(true, false)) {
            new Provisioner(
                            odds.definition(),
                            odds.sources(),
                            ShardMigrations.at(MovingCluster.SCRIPTS, "classpath:db/move_later")
                                    .withReplay(replay))
                    .withOptions(new ProvisioningOptions(true, Map.of(), roles))
                    .provision();
        }
        odds.fill(3);
        List<String> rows = odds.rows("pg1");
        Map<String, DataSource> sources = new TreeMap<>();
        Map<String, ReplicationSource> reach = new TreeMap<>();
        for (String name : List.of("pg1", "pg2")) {
            TestDatabase database = odds.database(name);
            PostgresServer server = ((ServerAsRole) database.server()).server();
            sources.put(
                    name,
                    new TestDatabase(new ServerAsRole(server, names.get(3), "odd"), database.name()).dataSource());
            reach.put(
                    name,
                    new ReplicationSource(server.peerHost(), server.peerPort(), database.name(), names.get(3), "odd"));
        }
        ShardMover mover = new ShardMover(
                odds.definition(),
                sources,
                ShardMigrations.at(MovingCluster.SCRIPTS, "classpath:db/move_later"),
                MoveOptions.DEFAULT.withReplicationSources(reach));

        assertThat(mover.check(MovingCluster.SHARD, "pg2")).isEmpty();
        mover.move(MovingCluster.SHARD, "pg2");
        mover.moveOffline(MovingCluster.SHARD, "pg1");

        assertThat(odds.rows("pg1")).isEqualTo(rows);
        TestDatabase application = new TestDatabase(
                new ServerAsRole(first.server(), names.get(1), "odd"),
                odds.database("pg1").name());
        application.execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('there')");
        odds.close();
    }

    @Test
    void aRoleThatIsNotThereIsNamedBeforeAnythingIsWritten() {
        assertThatThrownBy(() -> provision(new ClusterRoles("shop\"; DROP", null, null), MovingCluster.SCRIPTS))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MISSING_OBJECT)
                .hasMessageContainingAll("shop\"; DROP", "pg1", "ClusterRoles");
        assertThat(cluster.database("pg1").query("TABLE sharded_id.role")).isEmpty();
    }
}
