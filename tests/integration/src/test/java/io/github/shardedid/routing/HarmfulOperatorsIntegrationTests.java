package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator and a cast of the application that read other rows: no query over several shards is known to use neither. */
@Tag("quick")
class HarmfulOperatorsIntegrationTests extends ScatteredPhotos {
    @BeforeAll
    void create() {
        for (int shard = 0; shard < 6; shard++) {
            cluster.databases
                    .get(shard % 2)
                    .execute(
                            """
                    SET search_path TO %1$s;
                    CREATE FUNCTION newest(bigint, bigint) RETURNS boolean STABLE LANGUAGE sql AS
                      'SELECT $1 = (SELECT max(id) FROM %1$s.photo)';
                    CREATE OPERATOR === (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = newest);
                    CREATE FUNCTION total(photo) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM %1$s.photo';
                    CREATE CAST (photo AS bigint) WITH FUNCTION total(photo)"""
                                    .formatted("shard_000" + shard));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                IDS,
                IDS + " where p.id operator(sharded_id_shard.===) 3",
                IDS + " where p.id === 3",
            })
    void whatMayReadOtherRows(String sql) {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all(sql))
                .withMessageContaining("function of your own")
                .withMessageContaining("Nothing was sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p::bigint from sharded_id_shard.photo p",
                "select cast(p as bigint) from sharded_id_shard.photo p",
            })
    void castsOfRows(String sql) {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all(sql))
                .withMessageContaining("Nothing was sent");
    }
}
