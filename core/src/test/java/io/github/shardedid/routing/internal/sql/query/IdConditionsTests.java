package io.github.shardedid.routing.internal.sql.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdConditionsTests {
    private static final ColocatedColumns COLUMNS = new ColocatedColumns();

    static {
        COLUMNS.add(Map.of("photo", Set.of("id", "author_id"), "comment", Set.of("id", "photo_id")));
    }

    private static ComparedIds compared(String sql) {
        return IdConditions.of(sql.replace("$.", "sharded_id_shard."), COLUMNS);
    }

    private static Optional<ComparedIds.Ids> of(String sql) {
        return compared(sql).required();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from $.photo where caption = ? and id = ?",
                "select p.caption || ? from $.photo p where ? = p.author_id order by p.caption limit ?",
                "SELECT count(*) FROM $.photo p WHERE p.views > ? AND (p.id = ?) GROUP BY p.views",
                "select c.* from $.comment c join $.photo p on p.id = c.photo_id and p.views = ? where p.id = ?",
                "select ?, lower(caption) from $.photo where id = ?",
                "select 1 from $.photo p where p.views = ? and p.id = ? and exists (select 1 from $.comment c where"
                        + " c.photo_id = p.id)",
                "select caption from $.photo where id in (?) and id = ?",
                "update $.photo set caption = ? where id = ?",
                "UPDATE $.photo AS p SET views = p.views + 1, caption = ? WHERE p.id = ? AND p.views > 3;",
                "update $.photo p set (views, caption) = (1, ?) where p.id = ?",
                "update $.photo p set views = (select count(*) from $.comment c where c.photo_id = p.id), caption = ?"
                        + " where p.id = ?",
                "delete from $.photo where caption = ? and id = ?",
                "delete from $.comment c where c.stars < ? and photo_id = ?"
            })
    void theSecondParameterIsTheIdOfEachRow(String sql) {
        assertThat(of(sql)).hasValueSatisfying(ids -> {
            assertThat(ids.parameters()).containsExactly(2);
            assertThat(ids.numbers()).isEmpty();
            assertThat(ids.isList()).isFalse();
            assertThat(ids.isComputed()).isFalse();
        });
        assertThat(compared(sql).count())
                .isEqualTo((int) sql.chars().filter(c -> c == '?').count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from $.photo where id in (?, ?)",
                "delete from $.photo where id in (?, ?)",
                "select * from $.photo where id = any(?) and id = any(?)"
            })
    void aListHasSeveral(String sql) {
        assertThat(of(sql)).hasValueSatisfying(ids -> {
            assertThat(ids.parameters()).isIn(List.of(1), List.of(1, 2));
            assertThat(ids.isList()).isTrue();
        });
    }

    @Test
    void numbersOfTheTextAreIds() {
        assertThat(of("select * from $.photo where views = ? and 9223372036854775807 = id"))
                .contains(new ComparedIds.Ids("id", List.of(), List.of(Long.MAX_VALUE), false, false));
        assertThat(of("delete from $.photo where id in (5, ?, 0)"))
                .contains(new ComparedIds.Ids("id", List.of(1), List.of(5L, 0L), true, false));
        for (String number :
                List.of("-7", "- 7", "'-7'", "bigint '-7'", "(-7)", "cast('-7' as int8)", "' -7 '::bigint")) {
            assertThat(of("select * from $.photo where id = " + number))
                    .as(number)
                    .contains(new ComparedIds.Ids("id", List.of(), List.of(-7L), false, false));
        }
        for (String number : List.of("1.0", "1e3", "9223372036854775808", "0x1F", "1_0", "true")) {
            assertThat(of("select * from $.photo where id = " + number))
                    .as(number)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from $.photo where id in (null)",
                "delete from $.photo where views > ? and id in (NULL)",
                "update $.photo set caption = ? where id in (null, null)"
            })
    void aListOfNullHasNone(String sql) {
        assertThat(of(sql)).hasValueSatisfying(ids -> {
            assertThat(ids.parameters()).isEmpty();
            assertThat(ids.isList()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from $.photo where id = ? + 1",
                "select * from $.photo where id in (? + 1)",
                "select * from $.photo where id = abs(?)",
                "select * from $.photo where id = 5000000000 + 1",
            })
    void aComputedIdIsNotKnown(String sql) {
        assertThat(of(sql))
                .hasValueSatisfying(ids -> assertThat(ids.isComputed()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from $.photo where id not in (null)",
                "select * from $.photo where id in (null) or views = ?",
                "select * from $.photo where id in (null + 1)",
                "select * from photo where id = ?",
                "select * from $.photo where id = ? or views = 1",
                "select * from $.photo where not id = ?",
                "select * from $.photo where id <> ?",
                "select * from $.photo where id in (?, views)",
                "select * from $.photo where id = all(?)",
                "select * from $.photo where views = ?",
                "select row_number() over () from $.photo where id = ?",
                "select * from $.photo where id = ? union all select * from $.photo",
                "select * from $.photo p, $.photo q where p.id = ?",
                "select * from $.photo p left join $.photo q on q.views = p.views where p.id = ?",
                "select * from $.photo p where p.id = ? and exists (select 1 from $.photo q where q.views = p.views)",
                "select (select max(views) from $.photo) from $.photo where id = ?",
                "select * from $.photo p join other.country c on true where p.id = ?",
                "with p as (select 1) select * from $.photo where id = ?",
                "with p as (delete from $.photo) select * from $.photo where id = ?",
                "select * from $.photo where id = ?; delete from $.photo",
                "insert into $.photo (id) values (?)",
                "update $.photo set views = 1",
                "update $.photo set views = 1 where views = ?",
                "update $.photo p set views = q.views from $.photo q where p.id = ?",
                "update $.photo set views = 1 where id = ?; delete from $.photo",
                "update $.photo set views = (select max(views) from $.photo) where id = ?",
                "delete from $.photo p using $.photo q where p.id = ?",
                "delete from $.photo where id = ? or true",
                "delete from $.photo where id = ? returning id",
                "merge into $.photo p using $.photo q on p.id = ? when matched then delete",
                "call $.photo(?)",
                "select * from $.photo where id = '?",
                ""
            })
    void otherStatementsRequireNone(String sql) {
        assertThat(of(sql)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "with p as (select 1) select * from $.photo where id = ?|true",
                "insert into $.photo (id) select ? from $.photo where id = 1|true",
                "select * from $.photo p where exists (select 1 where p.id = ?)|true",
                "update $.photo set views = 1 where id = ? returning id|true",
                "insert into $.photo (id) values (?)|false",
                "insert into $.photo (id) values (?) on conflict (id) do nothing|false",
                "select * from $.photo where id > ?|false",
                "select * from $.photo where id = ?|false",
            })
    void aConditionOfAnUnknownFormIsDoubtful(String sql, boolean doubtful) {
        assertThat(compared(sql).doubtful()).isEqualTo(doubtful);
    }
}
