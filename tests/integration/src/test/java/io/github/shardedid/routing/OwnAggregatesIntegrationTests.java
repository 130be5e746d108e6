package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.test.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregates of the application with names of PostgreSQL's: what merges them is not known. */
@Tag("quick")
class OwnAggregatesIntegrationTests extends ScatteredPhotos {
    @BeforeAll
    void create() {
        for (TestDatabase database : cluster.databases) {
            database.execute(
                    """
                    CREATE FUNCTION public.later(uuid, uuid) RETURNS uuid IMMUTABLE LANGUAGE sql AS 'SELECT greatest($1, $2)';
                    CREATE AGGREGATE public.sum(uuid) (SFUNC = later, STYPE = uuid);
                    CREATE AGGREGATE public.max(boolean) (SFUNC = booland_statefunc, STYPE = boolean)""");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select sum(p.token) from sharded_id_shard.photo p",
                "select \"sum\"(p.views) from sharded_id_shard.photo p",
                "select p.id, (select sum(c.stars) from sharded_id_shard.comment c where c.photo_id = p.id)"
                        + " from sharded_id_shard.photo p",
                "select max(p.flag) from sharded_id_shard.photo p",
                "select pg_catalog.sum(p.views) from sharded_id_shard.photo p",
            })
    void anAggregateWithTheNameOfOneOfPostgres(String sql) {
        for (ShardSet shards : new ShardSet[] {ShardSet.all(), ShardSet.all().perShard()}) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .isThrownBy(() -> cluster.in(shards, sql))
                    .withMessageContaining("an aggregate of your own a name of its own")
                    .withMessageContaining("Nothing was sent");
        }
    }

    @Test
    void others() throws SQLException {
        assertThat(cluster.all("select min(p.id), count(*) from sharded_id_shard.photo p"))
                .containsExactly("0|36|");
    }
}
