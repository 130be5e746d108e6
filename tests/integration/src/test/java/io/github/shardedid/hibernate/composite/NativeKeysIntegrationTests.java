package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.function.Function;
import org.hibernate.Session;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a native statement is given decides in any scope, or contradicts it; compared with plain Hibernate on one database. */
class NativeKeysIntegrationTests extends GivenKeys {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.title from $.gallery_photo p where p.id = :photo and exists (select 1 from $.photo_like l where l.photo_id"
                        + " = p.id)",
                "delete from $.photo_like l where l.photo_id = :photo and exists (select 1 from $.gallery_photo p where p.id ="
                        + " l.photo_id)",
                "select title from $.gallery_photo where id = cast(:photo as bigint)",
                "select title from $.gallery_photo where id = :photo\\:\\:bigint",
                "select title from $.gallery_photo where id = cast(:photoText as bigint)",
                "select title from $.gallery_photo where cast(id as text) = :photoText",
                "select title from $.gallery_photo where (id) = (:photo)",
                "select title from $.gallery_photo where id = (((:photo)\\:\\:int8))",
                "select title from $.gallery_photo where :photo = id",
                "select title from $.gallery_photo where id in (cast(:photo as bigint), :same\\:\\:bigint)",
                "select title from $.gallery_photo where id = any(cast(:ids as bigint[]))",
                "select title from $.gallery_photo where id = any(array[:photo, :same])",
                "select title from $.gallery_photo where id = any(array[:photo]\\:\\:bigint[])",
                "select title from $.gallery_photo where id in (select :photo)",
                "select title from $.gallery_photo where id = (select cast(:photo as bigint))",
                "select title from $.gallery_photo where id in (select unnest(:ids))",
                "select title from $.gallery_photo where :photo in (id)",
                "select title from $.gallery_photo where id is not distinct from :photo",
                "select title from $.gallery_photo where id = :photo or id = :same",
                "select title from $.gallery_photo where id = :photo and title = :title or id = :same and title <> :title",
                "select title from $.gallery_photo where (id, title) = (:photo, :title)",
                "select title from $.gallery_photo where row(title, id) = row(:title, :photo)",
                "select title from $.gallery_photo where (id, title) in ((:photo, :title), (:same, 'x'))",
                "select p.title from $.gallery_photo p where p.owner_id = cast(:user as bigint) and p.title = :title",
                "select \"P\".title from $.\"gallery_photo\" as \"P\" where /* the id */ \"P\".\"id\" = -- here\n :photo",
                "select title from $.gallery_photo where id operator(pg_catalog.=) :photo",
                "select title from $.gallery_photo where id = :photo\\:\\:bigint and id > :photo - 1",
                "update $.gallery_photo set title = 'new' where id = :photo\\:\\:bigint",
                "update $.gallery_photo set title = 'new' where id in (select :photo)",
                "delete from $.photo_like where (photo_id, user_id) = (:photo, :user)",
                "delete from $.photo_like l where l.photo_id = cast(:photoText as bigint) or l.photo_id = :photo",
            })
    void aValueThatIsKnownDecides(String sql) {
        Function<Session, Object> work = session -> natively(session, sql);
        Object expected = expected(work);
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD))) {
            assertThat(outcome(scope, work)).as(scope.toString()).isEqualTo(expected);
        }
        assertThat(outcome(null, work)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {SHARD, OTHER})
    void aNumberOfTheTextDecides(long scope) {
        for (String number : List.of("#\\:\\:bigint", "cast(# as bigint)", "'#'", "bigint '#'", "(#)", "+#")) {
            Function<Session, Object> work = session -> natively(
                    session,
                    "select title from $.gallery_photo where id = "
                            + number.replace("#", String.valueOf(photo(SHARD))));
            assertThat(outcome(Target.shard((int) scope), work)).as(number).isIn(expected(work), REFUSED);
        }
    }

    /** Whether other rows of it are in the same shard is not known, so only the scope of the key is a right one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select title from gallery_photo where id = :photo",
                "with p as (select * from $.gallery_photo where id = :photo) select title from p",
                "with p as materialized (select id as key from $.gallery_photo where id = any(:ids)) select key from p",
                "with p as (select * from $.gallery_photo) select title from p where p.id = :photo",
                "with p as (select * from $.gallery_photo) select x.title from p as x where x.id in (:photos)",
                "with i(id) as (values (:photo)) select p.title from $.gallery_photo p join i on i.id = p.id",
                "with p as (update $.gallery_photo set title = 'x' where id = :photo returning title) select title from p",
                "select title from $.gallery_photo where id = :photo union all select words from $.mark where photo_id = :same",
                "select title from $.gallery_photo where id = :photo union select name from $.gallery_user where id = :user",
                "select (select title from $.gallery_photo where id = :photo), (select count(*) from $.mark where photo_id = :same)",
                "select p.title from $.gallery_photo p join $.mark m on m.photo_id = p.id and p.id = :photo",
                "select m.words from $.mark m join $.photo_like l using (photo_id, words) where m.photo_id = :photo",
                "select title from $.gallery_photo where id in (values (:photo), (:same))",
                "select title from $.gallery_photo p where exists (select 1 where p.id = :photo)",
                "select p.title from $.gallery_photo p, (values (:photo)) as v(id) where v.id = p.id",
                "select p.title from $.gallery_photo p, (values (:title, :photo)) as v(title, id) where v.id = p.id",
                "select p.title from $.gallery_photo p join (select :photo as id) v on p.id = v.id",
                "select p.title from $.gallery_photo p join unnest(:ids) pid on p.id = pid",
                "select p.title from $.gallery_photo p join unnest(:ids) with ordinality as o(pid, n) on o.pid = p.id",
                "select p.title from unnest(cast(:ids as bigint[])) u(v), $.gallery_photo p where p.id = v",
                "select p.title from $.gallery_photo p where p.id in (select v from unnest(:ids) v)",
                "select max(p.title) from $.gallery_photo p group by p.id having p.id = :photo",
                "select p.title, row_number() over () from $.gallery_photo p where p.id = :photo",
                "select title from (select * from $.gallery_photo order by id limit 1000) p where p.id = :photo",
                "update $.gallery_photo p set title = m.words from $.mark m where m.photo_id = p.id and p.id = :photo",
                "update $.gallery_photo p set title = v.t from (values (:photo, 'x')) v(id, t) where v.id = p.id",
                "update $.gallery_photo set title = 'new' where id = :photo returning title",
                "delete from $.photo_like l using $.gallery_photo p where p.id = l.photo_id and p.id = :photo",
                "delete from $.mark m where exists (select 1 from $.note n where n.mark_photo_id = :photo) and m.photo_id = :photo",
                "insert into $.note (mark_photo_id, mark_name, number, words) select photo_id, name, 7, words from $.mark where photo_id = :photo",
                "merge into $.mark m using $.gallery_photo p on p.id = m.photo_id and p.id = :photo"
                        + " when matched then update set words = 'x'",
                "merge into $.mark m using (values (:photo)) v(id) on m.photo_id = v.id when matched then delete",
                "select title from $.gallery_photo where id in (select v + 0 from unnest(:ids) v)",
                "select p.title from $.gallery_photo p natural join (values (:photo)) v(id)",
                "select id from $.gallery_photo intersect select :photo",
                "select p.title from $.gallery_photo p join jsonb_array_elements(cast(:json as jsonb)) e on p.id = e\\:\\:bigint",
                "select p.title from $.gallery_photo p, json_to_recordset(('[{\"id\":' || :photoText || '}]')\\:\\:json) e(id bigint)"
                        + " where p.id = e.id",
                "select p.title from $.gallery_photo p join (values (:photo)) v(n) on v.n + 0 = p.id",
                "with i as (select :photo + 0 as n) select p.title from $.gallery_photo p join i on i.n = p.id",
                "with p as (select * from $.gallery_photo where id = :photo + 0) select title from p",
                "insert into $.note (mark_photo_id, mark_name, number, words) select photo_id, name, 7, words from $.mark where photo_id = abs(:photo)",
            })
    void aValueOfSomeRowsContradictsAnotherScope(String sql) {
        Function<Session, Object> work = session -> natively(session, sql);
        Object expected = expected(work);
        assertThat(outcome(Target.shard(SHARD), work)).isEqualTo(expected);
        assertThat(outcome(Target.shard(OTHER), work)).isIn(REFUSED, expected);
        assertThat(outcome(null, work)).isIn(REFUSED, expected);
    }

    /** An id within a text, with a sign or with a fraction is an id. One in hexadecimal digits, for example, is not found. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "cast(split_part(:x, '-', 2) as bigint); photo-#",
                "cast(split_part(:x, '_', 2) as bigint); photo_#",
                "cast(substr(:x, 2) as bigint); p#",
                "cast(:x as numeric); #.0",
                "-cast(:x as bigint); -#",
                "cast('#.0' as numeric) + length(:x) * 0; x",
            })
    void anIdWithinAValueContradictsAnotherScope(String key, String value) {
        String id = String.valueOf(photo(SHARD));
        for (String form : List.of(
                "with p as (select * from $.gallery_photo where id = %s) select title from p",
                "update $.gallery_photo set title = 'new' where id = %s returning title")) {
            Function<Session, Object> work = session -> session.createNativeQuery(
                            form.formatted(key.replace("#", id))
                                    .replace("$.", session.getSessionFactory() == plain ? "" : "{h-schema}"),
                            Object.class)
                    .setParameter("x", value.replace("#", id))
                    .getResultList()
                    .toString();
            assertThat(outcome(Target.shard(SHARD), work)).isIn(expected(work), REFUSED);
            assertThat(outcome(Target.shard(OTHER), work)).isEqualTo(REFUSED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select title from $.gallery_photo where id = :photo + 0",
                "select title from $.gallery_photo where id = abs(:photo)",
                "select title from $.gallery_photo where coalesce(:photo, 0) = id",
                "select title from $.gallery_photo where id = case when true then :photo else 0 end",
                "select title from $.gallery_photo where id in (abs(:photo), :elsewhere)",
                "select title from $.gallery_photo where id = :elsewhere or id = :photo + 0",
                "select title from $.gallery_photo where id = any(cast(:array as bigint[]))",
                "select title from $.gallery_photo where id = any(string_to_array(:photoText, ',')\\:\\:bigint[])",
                "select title from $.gallery_photo where id in (select :photo + 0)",
                "select title from $.gallery_photo where id = (select :photo + 0)",
                "update $.gallery_photo set title = 'new' where id = nullif(:photo, 0)",
                "delete from $.photo_like where photo_id = greatest(:photo, 0)",
            })
    void aValueThatTheDatabaseComputesIsRefusedInTheScopeOfOneShard(String sql) {
        Function<Session, Object> work = session -> natively(session, sql);
        expected(work);
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD))) {
            assertThat(outcome(scope, work)).as(scope.toString()).isEqualTo(REFUSED);
        }
        assertThat(outcome(null, work)).isEqualTo(REFUSED);
        assertThatThrownBy(() -> ShardContext.run(OTHER, () -> inRolledBackTransaction(cluster.sessions, work)))
                .hasMessageContaining("the open scope, which is shard 2")
                .hasMessageContaining("pass it as a parameter");
    }

    /** What is no key, or a range of them, leaves the scope open. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from $.gallery_photo p, $.mark m where m.photo_id = p.id",
                "select count(*) from $.gallery_photo p join $.gallery_photo q on q.owner_id = p.owner_id and q.id > p.id",
                "select count(*) from $.gallery_photo where id > :elsewhere - 100000000000",
                "select count(*) from $.gallery_photo where id between 0 and :elsewhere + 100000000000",
                "select count(*) from $.gallery_photo where (title, id) > (:title, :elsewhere)",
                "select count(*) from $.gallery_photo where id = coalesce(:none, id)",
                "select count(*) from $.gallery_photo where :none is null or id = :elsewhere",
                "select count(*) from $.gallery_photo where id = :elsewhere or title = :title",
                "select count(*) from $.gallery_photo where id <> :elsewhere",
                "select count(*) from $.gallery_photo where id not in (:others)",
                "select count(*) from $.gallery_photo where not id = :elsewhere",
                "select count(*) filter (where id = :elsewhere) from $.gallery_photo",
                "select count(*) from $.gallery_photo where id in (select max(id) from $.gallery_photo)",
                "select count(*) from $.gallery_photo where id = any(select photo_id from $.mark where name = 'mark')",
                "select count(*) from $.gallery_photo p left join $.photo_like l on l.photo_id = p.id and l.user_id = :elsewhere",
                "select count(*) from $.gallery_photo where id = -1 or title = :title",
                "select sum(case when id = :elsewhere then 1 else 0 end) from $.gallery_photo",
                "select count(*) from $.gallery_photo where id % 7 = mod(:elsewhere, 7) or true",
                "select count(*) from $.gallery_photo p where p.title = :title and exists (select 1 from $.mark m where m.photo_id = p.id)",
            })
    void whatIsNoKeyLeavesTheScope(String sql) {
        Function<Session, Object> work = session -> natively(session, sql);
        expected(work);
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD))) {
            assertThat(outcome(scope, work)).as(scope.toString()).isNotEqualTo(REFUSED);
        }
        assertThat(outcome(ShardSet.all(), work)).isIn(expected(work), REFUSED);
    }

    private static Object expected(Function<Session, Object> work) {
        Object expected = inRolledBackTransaction(plain, work);
        assertThat(expected).isNotIn(List.of(), 0);
        return expected;
    }
}
