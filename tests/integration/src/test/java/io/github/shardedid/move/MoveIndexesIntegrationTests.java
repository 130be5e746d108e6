package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.ShardedIdException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The target is copied without the indexes that can be made again just as they were, and has them all in the end. */
class MoveIndexesIntegrationTests {
    private static final String INDEXES =
            "SELECT concat_ws(' ', pg_get_indexdef(i.oid), x.indisvalid, x.indisclustered, x.indisunique, x.indisreplident,"
                    + " obj_description(i.oid, 'pg_class'), (SELECT max(a.attstattarget) FROM pg_attribute a WHERE"
                    + " a.attrelid = i.oid), (SELECT string_agg(k.conname || pg_get_constraintdef(k.oid) || k.convalidated, ';'"
                    + " ORDER BY k.conname) FROM pg_constraint k WHERE k.conindid = i.oid), i.relowner::regrole)"
                    + " FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid"
                    + " WHERE i.relnamespace = 'shard_0001'::regnamespace AND i.relname NOT LIKE '%marker%' ORDER BY 1";
    private static final String REMADE = "SELECT unnest(remake) FROM sharded_id.move";

    private final MovingCluster cluster = new MovingCluster();

    @BeforeEach
    void fill() {
        cluster.fill(100);
    }

    @AfterEach
    void drop() {
        cluster.close();
    }

    private List<String> indexes(String database) {
        return cluster.database(database).query(INDEXES);
    }

    @Test
    void whileItIsCopiedTheTargetHasNoIndexesButThoseThatAreKept() {
        List<String> before = indexes("pg1");
        List<String> copying = new ArrayList<>();
        List<String> afterwards = new ArrayList<>();
        MoveOptions options = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.COPY && copying.isEmpty()) {
                copying.addAll(indexes("pg2"));
            } else if (progress.step() == MoveStep.CATCH_UP && afterwards.isEmpty()) {
                afterwards.addAll(indexes("pg2"));
            }
        });

        cluster.mover(options).move(MovingCluster.SHARD, "pg2");

        List<String> remade = cluster.database("pg1").query(REMADE);
        assertThat(remade).hasSize(6).contains("likes_photo", "photo_caption", "photo_odd");
        assertThat(before).containsAll(copying).hasSize(copying.size() + 3);
        assertThat(String.join("", copying)).contains("photo_short").doesNotContain("photo_odd ON", "likes_photo ON");
        assertThat(afterwards).isEqualTo(before);
        assertThat(indexes("pg2")).isEqualTo(before);
    }

    @Tag("attack")
    @ParameterizedTest
    @CsvSource({
        "SET remake, true",
        "DROP INDEX, true",
        "SET identities, false",
        "likes_photo ON shard_0001, false",
        "likes_photo ON shard_0001, true",
        "photo_odd ON shard_0001, false"
    })
    void aMoverThatDiesOnTheWayIsResumedOrAborted(String statement, boolean after) {
        List<String> indexes = indexes("pg1");
        List<String> everything = cluster.everything("pg1");
        dieAt(statement, after);
        await().ignoreExceptionsMatching(MovingCluster::busy)
                .until(() -> cluster.mover().abort(MovingCluster.SHARD).step() == MoveStep.ABORTED);
        assertThat(cluster.everything("pg1")).isEqualTo(everything);
        assertThat(cluster.leftovers()).isEmpty();

        dieAt(statement, after);
        cluster.fill(10);
        List<String> rows = cluster.rows("pg1");
        await().ignoreExceptionsMatching(MovingCluster::busy)
                .until(() -> cluster.mover().resume(MovingCluster.SHARD).step() == MoveStep.DONE);
        assertThat(indexes("pg2")).isEqualTo(indexes);
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
    }

    private void dieAt(String statement, boolean after) {
        SourcesDyingAt dying = new SourcesDyingAt(cluster.sources(), statement, after);
        assertThatThrownBy(() -> cluster.mover(dying.sources()).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(ShardedIdException.class);
        assertThat(dying.dead()).isTrue();
    }
}
