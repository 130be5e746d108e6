package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The photos that queries over several shards are asked for, in six shards on two databases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScatteredPhotos {
    static final String IDS = "select p.id from sharded_id_shard.photo p";
    private static final ScatterOptions OPTIONS = new ScatterOptions(2, 1, Duration.ofMillis(200), 50);

    /** Shards 0, 2, 4 on pg1 and 1, 3, 5 on pg2; each has the photos of the ids shard, shard + 10, … shard + 50. */
    ManyShards cluster;

    @BeforeAll
    void start() {
        cluster = new ManyShards(6, OPTIONS, "template1", List.of(driver(), driver()));
        for (int shard = 0; shard < 6; shard++) {
            cluster.databases
                    .get(shard % 2)
                    .execute("INSERT INTO shard_000" + shard + ".photo (id, views, caption, score)"
                            + " SELECT " + shard + " + 10 * n, n, 'c' || n, 0.5 FROM generate_series(0, 5) n;"
                            + " CREATE FUNCTION shard_000" + shard + ".sneak(bigint) RETURNS bigint LANGUAGE sql AS"
                            + " 'DELETE FROM shard_000" + shard + ".photo WHERE id = $1 RETURNING id';"
                            + " CREATE TYPE shard_000" + shard + ".mood AS ENUM ('sad', 'glad');");
        }
    }

    /** Parameters of the driver's URL. */
    String driver() {
        return "";
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(cluster.taken()).isZero();
        assertThat(ShardContext.currentSet()).isEmpty();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }
}
