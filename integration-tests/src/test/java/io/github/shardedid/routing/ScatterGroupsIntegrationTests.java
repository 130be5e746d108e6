package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.test.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** GROUP BY and DISTINCT over several shards: equal values of several shards are one group. */
@Tag("embedded-only")
class ScatterGroupsIntegrationTests extends ScatteredPhotos {
    private static final String PHOTOS = " from sharded_id_shard.photo p";

    @Test
    void equalKeysOfSeveralShardsAreOneGroup() throws SQLException {
        assertThat(cluster.all("select p.caption, count(*), min(p.id), max(p.id), sum(p.score)" + PHOTOS
                        + " where p.views < 2 group by p.caption"))
                .containsExactlyInAnyOrder("c0|6|0|5|3.0|", "c1|6|10|15|3.0|");
        assertThat(cluster.all("select distinct p.views, p.score" + PHOTOS + " order by p.views desc limit 2 offset 1"))
                .containsExactly("4|0.5|", "3|0.5|");
        assertThat(cluster.all("select p.views v, count(*) n" + PHOTOS + " group by 1 order by v limit ?", 1))
                .containsExactly("0|6|");
        assertThat(cluster.all("select p.views, count(*)" + PHOTOS + " group by p.views limit 0"))
                .isEmpty();
        assertThat(cluster.all("select p.views, count(*)" + PHOTOS + " where p.id < 0 group by p.views"))
                .isEmpty();
        assertThat(cluster.all("select distinct nullif(p.views, 0) as v" + PHOTOS
                        + " where p.views < 2 order by v nulls first"))
                .containsExactly("null|", "1|");
    }

    @Test
    void whatOnlyTheDatabaseCanCompareIsRefused() {
        for (String sql : List.of(
                "select distinct p.caption" + PHOTOS + " order by p.caption",
                "select p.caption, count(*)" + PHOTOS + " group by p.caption order by 1 desc",
                "select distinct to_jsonb(p.views)" + PHOTOS,
                "select p.views, max(p.caption)" + PHOTOS + " group by p.views",
                "select p.id, count(*)" + PHOTOS + " group by p.id offset 5")) {
            assertThatExceptionOfType(UnmergeableQueryException.class).as(sql).isThrownBy(() -> cluster.all(sql));
        }
    }

    @Test
    void allGroupsOfAllShardsCount() throws SQLException {
        String sql =
                "select p.id, q.views, count(*)" + PHOTOS + ", sharded_id_shard.photo q group by p.id, q.views limit 3";
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> cluster.in(ShardSet.all().perShard(), sql))
                .withMessageContaining("more than 50 rows");
    }

    /** Where such a collation says that texts are equal, their bytes may differ. */
    @Test
    void textsAreNoKeysWhereACollationIsNondeterministic() throws SQLException {
        try (ManyShards other =
                new ManyShards(4, new ScatterOptions(2, 1, 1, Duration.ofSeconds(5), 50, 10_000, null))) {
            for (TestDatabase database : other.databases) {
                database.execute(
                        "CREATE COLLATION public.alike (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
            }
            other.databases.get(0).execute("INSERT INTO shard_0000.photo (id, views, caption) VALUES (0, 1, 'a')");
            assertThat(other.all("select distinct p.views" + PHOTOS)).containsExactly("1|");
            assertThatExceptionOfType(UnmergeableQueryException.class)
                    .isThrownBy(() -> other.all("select distinct p.caption" + PHOTOS))
                    .withMessageContaining("only the database knows which are equal");
        }
    }
}
