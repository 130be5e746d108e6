package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moves of several kinds, and what is refused. */
class MoveKindsIntegrationTests {
    private MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    @Test
    void aShardMovesBackOverItsOldCopyWhichIsDroppedOnRequest() {
        cluster.fill(100);
        cluster.mover().move(MovingCluster.SHARD, "pg2");
        cluster.fill(100);
        List<String> rows = cluster.rows("pg2");

        cluster.mover().move(MovingCluster.SHARD, "pg1");

        assertThat(cluster.states()).containsExactly("pg1 3 ACTIVE", "pg2 2 MOVED");
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThatThrownBy(() -> cluster.mover().dropOldCopy(2, "pg1")).isInstanceOf(MoveRefusedException.class);
        assertThatThrownBy(() -> cluster.mover().dropOldCopy(2, "pg1"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessage("Database pg1 has no old copy of shard 2. Nothing was changed.");
        cluster.mover().dropOldCopy(MovingCluster.SHARD, "pg1");
        cluster.mover().dropOldCopy(MovingCluster.SHARD, "pg2");
        for (String name : List.of("pg1", "pg2")) {
            assertThat(cluster.database(name).query("SELECT nspname FROM pg_namespace WHERE nspname LIKE '%fenced%'"))
                    .isEmpty();
        }
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        cluster.provision();
    }

    /** As after a script that was run by hand: PostgreSQL copies and replicates by the names of columns. */
    @Test
    @Tag("quick")
    void columnsInAnotherOrderAreNoObstacle() {
        cluster.fill(100);
        cluster.database("pg1")
                .execute(
                        "SET search_path = shard_0001; ALTER TABLE photo RENAME caption TO old; ALTER TABLE photo ADD caption text;"
                                + " UPDATE photo SET caption = old; ALTER TABLE photo DROP old CASCADE;"
                                + " CREATE INDEX photo_caption ON photo (caption);"
                                + " CREATE UNIQUE INDEX photo_odd ON photo (lower(caption) text_pattern_ops DESC NULLS LAST, id)"
                                + " INCLUDE (taken) WITH (fillfactor = 70) WHERE id > 0;"
                                + " CREATE INDEX photo_short ON photo (short(caption));"
                                + " CREATE INDEX photo_statistics ON photo (length(caption));"
                                + " ALTER INDEX photo_statistics ALTER COLUMN 1 SET STATISTICS 500");
        String photos = "SELECT id || ' ' || caption || ' ' || taken FROM shard_0001.photo ORDER BY id";
        List<String> rows = cluster.database("pg1").query(photos);
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg2")).isEmpty();

        cluster.mover().move(MovingCluster.SHARD, "pg2");

        assertThat(cluster.database("pg2").query(photos)).hasSize(100).isEqualTo(rows);
        cluster.mover().moveOffline(MovingCluster.SHARD, "pg1");
        assertThat(cluster.database("pg1").query(photos)).isEqualTo(rows);
    }

    @Test
    @Tag("quick")
    void anotherStructureThanTheScriptsMakeIsRefused() {
        cluster.database("pg1").execute("ALTER TABLE shard_0001.likes SET (fillfactor = 50)");

        assertThatThrownBy(() -> cluster.mover().move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("table likes: options is fillfactor=50 at the source, missing at the target");
    }

    @Test
    @Tag("quick")
    void anOfflineMoveCopiesUnderTheFence() {
        cluster.fill(300);
        List<String> rows = cluster.rows("pg1");

        Move move = cluster.mover().moveOffline(MovingCluster.SHARD, "pg2");

        assertThat(move.offline()).isTrue();
        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
        assertThatThrownBy(() -> cluster.database("pg2").execute("INSERT INTO shard_0001.likes (photo_id) VALUES (5)"))
                .hasStackTraceContaining("foreign key");
        cluster.fill(10);
    }

    @Test
    void bothDatabasesMayBeOfOneServer() {
        cluster.close();
        cluster = new MovingCluster(PostgresServers.shared(1), PostgresServers.shared(1));
        cluster.fill(100);
        List<String> rows = cluster.rows("pg1");

        cluster.mover().move(MovingCluster.SHARD, "pg2");

        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    @Tag("quick")
    void noIdComesTwiceThoughTheTargetsClockIsAnHourBehind() {
        Set<Long> ids = new HashSet<>();
        UUID jvm = UUID.randomUUID();
        TestDatabase source = cluster.database("pg1");
        TestDatabase target = cluster.database("pg2");
        long first = node(source, jvm);
        ids(source, ids);
        MoveOptions options = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.FENCE) {
                ClockSeam.install(target);
                ClockSeam.set(target, Duration.ofHours(-1));
                ids(source, ids);
            }
        });

        cluster.mover(options).move(MovingCluster.SHARD, "pg2");

        long last = Collections.max(ids);
        Set<Long> later = new HashSet<>();
        ids(target, later);
        assertThat(Collections.min(later)).as("ids only grow").isGreaterThan(last);
        ids.addAll(later);
        assertThat(ids).hasSize(9_000);
        String kept = "SELECT window_start || ' ' || window_end FROM shard_0001.sharded_id_lease WHERE node = " + first;
        String window = target.query(kept).get(0);
        assertThat(window)
                .isEqualTo(source.query(kept.replace("shard_0001", "shard_0001_fenced_1"))
                        .get(0));
        assertThat(node(target, jvm)).as("its own node goes on").isEqualTo(first);
        assertThat(target.query(kept)).as("by no time that has not come").containsExactly(window);
        assertThat(node(target, UUID.randomUUID())).as("another one").isNotEqualTo(first);
        assertThat(target.query("SELECT last_value || ' ' || is_called FROM shard_0001.never_used"))
                .containsExactly("7 false");
    }

    private static long node(TestDatabase database, UUID claimant) {
        return database.queryLong(
                "SELECT coalesce(node::text, refused) FROM shard_0001.lease_node('" + claimant + "', NULL, 64, 60000)");
    }

    private static void ids(TestDatabase database, Set<Long> ids) {
        database.query("SELECT shard_0001.next_ids('shard_0001.photo_id_seq', 3000)")
                .forEach(id -> assertThat(ids.add(Long.valueOf(id))).isTrue());
    }

    @Test
    @Tag("quick")
    void whatCannotBeMovedIsSaidBeforeAnythingStarts() {
        cluster.database("pg1")
                .execute("SET search_path = shard_0001; CREATE UNLOGGED TABLE cache (id int PRIMARY KEY);"
                        + " CREATE TABLE album (id int PRIMARY KEY, cover oid)");
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg2"))
                .anyMatch(line -> line.contains("unlogged table cache"))
                .anyMatch(line -> line.contains("album.cover"));
        assertThatThrownBy(() -> cluster.mover().move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveRefusedException.class);
        cluster.database("pg1").execute("DROP TABLE shard_0001.cache; ALTER TABLE shard_0001.album DROP COLUMN cover");
        assertThatThrownBy(() -> cluster.mover().move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("album");
        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
        assertThat(cluster.leftovers()).isEmpty();
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg1")).isNotEmpty();
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg9")).isNotEmpty();
        assertThatThrownBy(() -> cluster.mover().resume(MovingCluster.SHARD)).isInstanceOf(MoveRefusedException.class);
    }

    @Test
    void aPlanIsRunSeveralMovesAtOnce() {
        cluster.fill(10);
        assertThat(cluster.mover().plan(MoveGoal.drain("pg1"))).hasSize(2);
        MovePlan plan = cluster.mover().begin(MoveGoal.drain("pg1"), false);

        List<Move> moves = cluster.mover().run(plan);

        assertThat(moves).hasSize(2).allMatch(move -> move.step() == MoveStep.DONE);
        assertThat(cluster.home()).isEqualTo("pg2");
        assertThat(cluster.mover().plan(MoveGoal.BALANCE)).isNotEmpty();
        assertThat(cluster.leftovers()).isEmpty();
    }
}
