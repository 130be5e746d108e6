package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenIdsTests {
    private static final ColocatedColumns COLUMNS = new ColocatedColumns();

    static {
        COLUMNS.add(Map.of("photo", Set.of("id", "author_id"), "photo_tags", Set.of("photo_id")));
    }

    private static Map<Integer, String> parameters(String sql) {
        return WrittenIdsReader.in(new SqlText(sql), COLUMNS).parameters();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO sharded_id_shard.photo (caption, id) VALUES (?, ?)",
                "insert into Photo as p (caption, id) values (?, ?)",
                "insert into photo p (caption, id) overriding system value values (?, cast(? as bigint))",
                "insert into \"photo\" (caption, \"id\") values (upper(?), ?::bigint)",
                "insert into photo (caption, id) select distinct ?, (?) from x",
                "insert into photo (caption, id) (select ?, ?)",
                "insert into photo (caption, id) with a as (select ?) select x, ? from a",
                "with a as (insert into photo (caption, id) values (?, ?) returning id) select * from a",
                "UPDATE photo SET caption = ?, id = ? WHERE id = ?",
                "update only shard_0001.photo p set caption = ?, id = ?",
                "insert into photo (caption) values (?) on conflict (id) do update set id = ?",
                "merge into photo using t on ? when not matched then insert (caption, id) values (x, ?)",
                "merge into photo using t on ? when matched then update set id = ? when not matched then do nothing"
            })
    void parametersThatWriteIds(String sql) {
        assertThat(parameters(sql)).isEqualTo(Map.of(2, "photo.id"));
    }

    @Test
    void eachRowAndEachColumnIsRead() {
        assertThat(parameters("insert into photo (id, caption, author_id) values (?, ?, ?), (?, ?, ?)"))
                .isEqualTo(Map.of(1, "photo.id", 3, "photo.author_id", 4, "photo.id", 6, "photo.author_id"));
        assertThat(parameters("insert into photo (id) select ? union all select ?"))
                .isEqualTo(Map.of(1, "photo.id", 2, "photo.id"));
        assertThat(parameters("insert into photo_tags (tag, photo_id) values (?, ?)"))
                .isEqualTo(Map.of(2, "photo_tags.photo_id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into stats (id) values (?)",
                "insert into sharded_id_global.photo (id) values (?)",
                "insert into photo (id) values (? + 1)",
                "insert into photo (id) values (f(?))",
                "insert into photo values (?)",
                "insert into photo (caption, id) values (?, default)",
                "update photo set caption = ? where id = ?",
                "update photo set caption = (select name from x where id = ?)",
                "delete from photo where id = ?",
                "select id from photo where id = ? for update",
                "insert into photo (caption, id) with a as (select ?, ?) select * from a"
            })
    void otherParameters(String sql) {
        assertThat(parameters(sql)).isEmpty();
    }

    @Test
    void literals() {
        assertThat(WrittenIdsReader.in(
                                new SqlText(
                                        "insert into photo (id, author_id) values (-5, '17'), (cast(8 as bigint), 1.5)"),
                                COLUMNS)
                        .literals())
                .containsExactly(
                        new WrittenIds.Literal("photo.id", "-5"),
                        new WrittenIds.Literal("photo.author_id", "17"),
                        new WrittenIds.Literal("photo.id", "8"));
    }
}
