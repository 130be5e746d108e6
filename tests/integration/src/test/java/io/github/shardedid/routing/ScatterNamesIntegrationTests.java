package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The columns of groups and aggregates have the names that PostgreSQL gives them in one table. */
@Tag("embedded-only")
@Tag("quick")
class ScatterNamesIntegrationTests extends ScatteredPhotos {
    private static final String PHOTOS = " from sharded_id_shard.photo p";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*)::int, sum(p.views)::int FROM",
                "select cast(count(*) as int), cast(sum(p.views) as int), cast(max(p.views) + 1 as varchar(3)) FROM",
                "select avg(p.views)::int, 1, 'x', null, -count(*), count(*) + 1, not bool_and(p.flag) FROM",
                "select p.caption::text, count(*) FROM group by 1",
                "select coalesce(p.caption, ''), coalesce(max(p.views), 0) FROM group by coalesce(p.caption, '')",
                "select nullif(p.caption, ''), greatest(p.views, 1), least(p.views, 1), count(*) FROM group by 1, 2, 3",
                "select case when p.views > 1 then 1 else 0 end, case when p.flag then 'a' else p.caption end,"
                        + " count(*) FROM group by 1, 2",
                "select distinct p.views + 1, -p.views, p.views > 1, p.views is null, 1, 'x', date '2024-01-01', true FROM",
                "select distinct p.views::double precision, p.caption::character varying(2), p.caption collate \"C\" FROM",
                "select distinct extract(year from p.made), substring(p.caption from 1), trim(p.caption),"
                        + " position('c' in p.caption), upper(p.caption), pg_catalog.lower(p.caption) FROM",
                "select distinct (array[p.views, 1])[1], p.\"caption\", P.Views, (p.id), ((p.score))::text, current_user FROM",
                "select distinct exists (select 1 from sharded_id_shard.comment c where c.photo_id = p.id) FROM",
                "select distinct (select c.stars from sharded_id_shard.comment c where c.photo_id = p.id limit 1) FROM",
                "select p.views::text::int \"Views\", count(*)::text as \"a \"\"b\", count(*)::int FROM group by 1",
                "select distinct p.caption::name, p.views::numeric(10, 2), p.day::timestamp with time zone FROM"
            })
    void theyAreThoseOfOneTable(String text) throws SQLException {
        String sql = text.replace(" FROM", PHOTOS);
        List<String> expected = cluster.plainLabels(sql);
        assertThat(cluster.labels(sql)).isEqualTo(expected);
        assertThat(cluster.labels(sql)).as("a second time").isEqualTo(expected);
    }

    @Test
    void parametersKeepTheirPlaces() throws SQLException {
        String sql = "select p.views % ?, (count(*) + ?)::int, sum(p.views) filter (where p.views > ?)::int" + PHOTOS
                + " where p.id > ? group by 1 having count(*) > ? order by 2, 1 desc limit ? offset ?";
        Object[] parameters = {2, 7, 1, 3, 0, 1, 1};
        assertThat(cluster.labels(sql, parameters)).isEqualTo(cluster.plainLabels(sql, parameters));
        assertThat(cluster.all(sql, parameters)).containsExactly("1|25|48|");
    }

    @Test
    void aColumnIsReadByItsName() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*)::int, sum(p.views)::int" + PHOTOS)) {
            row.next();
            assertThat(row.getInt("count")).isEqualTo(36);
            assertThat(row.getInt("sum")).isEqualTo(90);
        }
    }

    /** The names are asked for once, on the connection of the transaction that has written. */
    @Test
    void withinATransactionThatHasWritten() throws SQLException {
        String sql = "select p.views::text, count(*)::int" + PHOTOS + " where p.views = 9 group by 1";
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(0);
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO sharded_id_shard.photo (id, views) VALUES (112, 9)");
            }
            for (int i = 0; i < 2; i++) {
                assertThat(ManyShards.query(connection, ShardSet.all(), sql)).containsExactly("9|1|");
            }
            connection.rollback();
        }
        cluster.resetTaps();
        assertThat(cluster.labels(sql)).containsExactly("views", "count");
        assertThat(String.join("", cluster.sent())).doesNotContain("group by 1) limit 0");
    }
}
