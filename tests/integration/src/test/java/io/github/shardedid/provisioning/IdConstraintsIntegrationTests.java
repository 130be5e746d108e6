package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ShardMover;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A table of a shard refuses ids of other shards, whoever writes them: here, sessions that know nothing of this library. */
@Tag("quick")
class IdConstraintsIntegrationTests {
    private static final String CONSTRAINTS =
            "SELECT conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)"
                    + " FROM pg_constraint WHERE conname LIKE 'sharded_id_check%' AND conparentid = 0 ORDER BY 1";
    private static final String DROP =
            "DO $$ DECLARE k record; BEGIN FOR k IN SELECT conrelid::regclass AS tab, conname FROM pg_constraint"
                    + " WHERE conname LIKE 'sharded_id_check%' LOOP"
                    + " EXECUTE 'ALTER TABLE ' || k.tab || ' DROP CONSTRAINT ' || k.conname; END LOOP; END $$";

    private static final String LONG = "reference_" + "x".repeat(50);

    private final TestCluster cluster = TestCluster.provisioned(IdLayout.DEFAULT, 6, "0-3", "4-5");

    /** As an earlier version, or an instance without constraints, has left it. */
    private void withoutConstraints() {
        List.of("pg1", "pg2").forEach(name -> cluster.database(name).execute(DROP));
    }

    private void provision(Map<String, Set<String>> columns) {
        cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                .withColocated(columns)
                .provision();
    }

    private void execute(String sql) {
        cluster.database("pg1").execute(sql);
    }

    private List<String> constraints() {
        return cluster.database("pg1").query(CONSTRAINTS);
    }

    private void refused(String sql) {
        assertThatThrownBy(() -> execute(sql)).hasStackTraceContaining("sharded_id_check");
    }

    private static String check(String column, int shard) {
        return "CHECK (((" + column + " >= 0) AND (((" + column + " >> 10) & (8191)::bigint) = " + shard + ")))";
    }

    private static String photo(int shard) {
        return "shard_000" + shard + ".photo sharded_id_check true " + check("id", shard);
    }

    private static long id(int shard) {
        return IdLayout.DEFAULT.encode(1000, shard, 1);
    }

    private static String insert(int schema, int shardOfId) {
        return "INSERT INTO shard_000" + schema + ".photo (id) VALUES (" + id(shardOfId) + ")";
    }

    @Test
    void aNewClusterHasThem() {
        assertThat(constraints()).containsExactly(photo(0), photo(1), photo(2), photo(3));
        assertThat(cluster.database("pg2").query(CONSTRAINTS)).containsExactly(photo(4), photo(5));
        refused(insert(1, 2));
        execute(insert(1, 1));
        refused("UPDATE shard_0001.photo SET id = " + id(3));
        refused("UPDATE shard_0001.photo SET id = -1");
    }

    @Test
    void aClusterThatWasThereBeforeGetsThem() {
        withoutConstraints();
        execute("CREATE SEQUENCE shard_0002.tag_id_seq MINVALUE 0; CREATE TABLE shard_0002.tag (id bigint PRIMARY KEY);"
                + " CREATE TABLE shard_0002.plain (id bigserial PRIMARY KEY);"
                + " CREATE TABLE shard_0002.pair (a bigint, b bigint, PRIMARY KEY (a, b));"
                + " CREATE TABLE shard_0002.parted (id bigint PRIMARY KEY DEFAULT shard_0002.next_id('shard_0002.tag_id_seq'))"
                + " PARTITION BY RANGE (id); CREATE TABLE shard_0002.parts PARTITION OF shard_0002.parted DEFAULT;"
                + " CREATE TABLE shard_0002.heir (note text) INHERITS (shard_0002.tag);"
                + insert(1, 1));
        provision(Map.of());

        assertThat(constraints())
                .containsExactly(
                        photo(0),
                        photo(1),
                        "shard_0002.heir sharded_id_check true " + check("id", 2),
                        "shard_0002.parted sharded_id_check true " + check("id", 2),
                        "shard_0002.parts sharded_id_check true " + check("id", 2),
                        photo(2),
                        "shard_0002.tag sharded_id_check true " + check("id", 2),
                        photo(3));
        refused("INSERT INTO shard_0002.parts VALUES (" + id(1) + ")");
        refused("INSERT INTO shard_0002.heir VALUES (" + id(1) + ")");
        assertThat(cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                        .drift()
                        .lines())
                .noneMatch(line -> line.contains("sharded_id_check"));
    }

    @Test
    void columnsThatAreDeclaredHaveThemUnlessAForeignKeyRefusesOtherIds() {
        execute(
                "CREATE TABLE shard_0001.likes (photo_id bigint REFERENCES shard_0001.photo, liker bigint, by_int int, words text, "
                        + LONG + "a bigint, " + LONG + "b bigint, PRIMARY KEY (photo_id, liker));"
                        + " CREATE TABLE shard_0001.owned (id bigint PRIMARY KEY);"
                        + insert(1, 1));
        provision(Map.of(
                "likes",
                Set.of("photo_id", "liker", "words", LONG + "a", LONG + "b", "missing"),
                "owned",
                Set.of("id"),
                "missing",
                Set.of("id")));

        assertThat(constraints())
                .hasSize(8)
                .contains("shard_0001.owned sharded_id_check true " + check("id", 1))
                .contains("shard_0001.likes sharded_id_check_liker true " + check("liker", 1));
        String likes = "INSERT INTO shard_0001.likes (photo_id, liker, " + LONG + "b) VALUES (";
        refused(likes + id(1) + ", " + id(2) + ", NULL)");
        refused(likes + id(1) + ", " + id(1) + ", " + id(2) + ")");
        assertThatThrownBy(() -> execute(likes + id(2) + ", " + id(1) + ", NULL)"))
                .hasStackTraceContaining("likes_photo_id_fkey");
        execute(likes + id(1) + ", " + id(1) + ", NULL)");

        withoutConstraints();
        cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                .withColocated(Map.of("likes", Set.of("liker")))
                .constrain(Set.of());
        assertThat(constraints()).hasSize(5);
    }

    @Test
    void rowsThatAreMisplacedAlreadyStopNothingButNewOnes() {
        withoutConstraints();
        execute(insert(1, 2));
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.github.shardedid.operations.internal.IdConstraints");
        logged.start();
        logger.addAppender(logged);
        try {
            provision(Map.of());
        } finally {
            logger.detachAppender(logged);
        }

        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("pg1", "shard_0001.photo", "shard_of(id) <> 1", "current_schema()"),
                        line -> assertThat(line).contains("VALIDATE CONSTRAINT sharded_id_check"));
        assertThat(constraints()).contains("shard_0001.photo sharded_id_check false " + check("id", 1) + " NOT VALID");
        refused(insert(1, 3));

        execute("DELETE FROM shard_0001.photo; ALTER TABLE shard_0001.photo VALIDATE CONSTRAINT sharded_id_check");
        assertThat(constraints()).contains(photo(1));
    }

    @Test
    void aTableThatIsInUseIsLeftForTheNextStart() throws SQLException {
        withoutConstraints();
        try (Connection user = cluster.database("pg1").dataSource().getConnection();
                Statement statement = user.createStatement()) {
            user.setAutoCommit(false);
            statement.execute("SELECT FROM shard_0001.photo");
            provision(Map.of());
            user.rollback();
        }

        assertThat(constraints()).containsExactly(photo(0), photo(2), photo(3));
        provision(Map.of());
        assertThat(constraints()).containsExactly(photo(0), photo(1), photo(2), photo(3));
    }

    @Test
    void thereAreNoneIfTheyAreSwitchedOff() {
        withoutConstraints();
        cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                .withOptions(new ProvisioningOptions(false, Map.of(), ClusterRoles.NONE))
                .provision();

        assertThat(constraints()).isEmpty();
    }

    @Test
    void aShardThatMovesTakesThemAlong() {
        execute("ALTER TABLE shard_0001.photo ADD owner bigint");
        provision(Map.of("photo", Set.of("owner")));
        execute("ALTER TABLE shard_0001.photo DROP owner");
        execute(insert(1, 1));
        new ShardMover(
                        cluster.definition(),
                        cluster.sources(),
                        ShardMigrations.at(TestCluster.GOOD),
                        MoveOptions.DEFAULT)
                .moveOffline(1, "pg2");

        assertThat(cluster.database("pg2").query(CONSTRAINTS)).contains(photo(1));
        assertThat(cluster.database("pg2").query("SELECT id FROM shard_0001.photo"))
                .isEqualTo(List.of(String.valueOf(id(1))));
    }
}
