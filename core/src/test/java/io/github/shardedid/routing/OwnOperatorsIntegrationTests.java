package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators and casts of the application in queries over several shards, and aggregates without rows. */
class OwnOperatorsIntegrationTests extends ScatteredPhotos {
    @BeforeAll
    void create() {
        for (int shard = 0; shard < 6; shard++) {
            String schema = "shard_000" + shard;
            cluster.databases
                    .get(shard % 2)
                    .execute(
                            """
                    SET search_path TO %1$s;
                    CREATE FUNCTION newest(bigint, bigint) RETURNS boolean STABLE LANGUAGE sql AS
                      'SELECT $1 = (SELECT max(id) FROM %1$s.photo)';
                    CREATE OPERATOR === (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = newest);
                    CREATE FUNCTION same(bigint, bigint) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1 = $2';
                    CREATE OPERATOR ==== (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = same);
                    CREATE FUNCTION total(photo) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM %1$s.photo';
                    CREATE CAST (photo AS bigint) WITH FUNCTION total(photo)"""
                                    .formatted(schema));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                IDS + " where p.id operator(sharded_id_shard.===) 3",
                IDS + " where p.id === 3",
                "select p::bigint from sharded_id_shard.photo p",
                "select cast(p as bigint) from sharded_id_shard.photo p",
            })
    void whatMayReadOtherRows(String sql) {
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> cluster.all(sql))
                .withMessageContaining("function of your own")
                .withMessageContaining("Nothing was sent");
    }

    @Test
    void oneThatIsImmutable() throws SQLException {
        assertThat(cluster.all(IDS + " where p.id operator(sharded_id_shard.====) 13"))
                .containsExactly("13|");
    }

    @Test
    void anAggregateWithoutRows() throws SQLException {
        String count = "select count(*) from sharded_id_shard.photo p";
        assertThat(cluster.all(count + " limit ?", 1)).containsExactly("36|");
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> cluster.all(count + " limit ?", 0))
                .withMessageContaining("limit of 0");
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> cluster.all(count + " fetch first ? rows only", 0));
    }
}
