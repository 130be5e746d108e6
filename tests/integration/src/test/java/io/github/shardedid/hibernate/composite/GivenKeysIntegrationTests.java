package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.composite.Gallery.Mark;
import io.github.shardedid.hibernate.composite.Gallery.MarkId;
import io.github.shardedid.hibernate.composite.Gallery.Note;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.hibernate.composite.Gallery.User;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import jakarta.persistence.criteria.CriteriaDelete;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Join;
import jakarta.persistence.criteria.Root;
import jakarta.persistence.criteria.Subquery;
import java.util.List;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.query.SelectionQuery;
import org.hibernate.query.common.JoinType;
import org.hibernate.query.criteria.HibernateCriteriaBuilder;
import org.hibernate.query.criteria.JpaCriteriaQuery;
import org.hibernate.query.criteria.JpaEntityJoin;
import org.hibernate.query.criteria.JpaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A key that a query is given decides where it goes, whatever its form and the open scope are, or the query is refused: it never has
 * another result than plain Hibernate on one database.
 */
class GivenKeysIntegrationTests extends GivenKeys {
    /** Twice: the second time the statement is known already. */
    private static void decides(Function<Session, Object> work) {
        Object expected = inRolledBackTransaction(plain, work);
        for (Target scope : scopes()) {
            for (int i = 0; i < 2; i++) {
                assertThat(outcome(scope, work)).as(String.valueOf(scope)).isEqualTo(expected);
            }
        }
        assertThat(outcome(ShardSet.all(), work)).as("all shards").isIn(expected, REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // several rows of one shard
                "select p.id, q.id from Photo p, Photo q where p.id = :photo and q.owner = p.owner",
                "select p.id, f.words from Photo p join Frame f on f.copyOf.owner = p.owner where p.id = :photo",
                "select p.id, m.words from Photo p left join Mark m on m.id.photoId = p.id where p.id = :photo",
                "select p.id, q.id from Photo p cross join Photo q where p.id = :photo and q.id = :same",
                "select n.words, m.words from Note n, Mark m where n.mark = m and m.id = :markId",
                "select n.words from Note n, Mark m where n.mark = m and m = :aMark and n.words = m.words",
                "select l.words from PhotoLike l, PhotoLike k where l = k and k.id = :likeId",
                "select s.words from Share s, Share t where s.tenant = t.tenant and t.tenant = :tenant",
                "select p.id from Photo p, Photo q where q = p and :photo = q.id",
                "select m.words from Mark m where (m.id.photoId, m.id.name) = (:photo, 'mark')",
                "select m.words from Mark m, Photo p where (m.id.photoId, m.words) = (p.id, p.title) and p.owner = :aUser",
                // correlated subselects
                "select p.id from Photo p where p.id = :photo and exists (select 1 from Mark m where m.id.photoId = p.id)",
                "select p.id from Photo p where p.owner = :aUser and not exists (select 1 from PhotoLike l where l.photo = p)",
                "select p.id, (select count(*) from PhotoLike l where l.photo = p) from Photo p where p.owner.id = :user",
                "select p.id from Photo p where p.owner.id = :user and p.title = (select max(m.words) from Mark m where"
                        + " m.id.photoId = p.id)",
                "select p.id from Photo p where p.id = :photo and exists (select 1 from p.likes l join Frame f on f.id.photo ="
                        + " l.photo where f.words = l.words)",
                // subselects that are given the key, too, or alone
                "select p.id from Photo p where p.id = :photo and p.title <> (select m.words from Mark m where m.id ="
                        + " :markId)",
                "select p.id from Photo p where p.id = :photo and p.id in (select m.id.photoId from Mark m)",
                // subselects in the FROM
                "select d.n from (select count(*) as n from Photo p where p.owner.id = :user) d",
                "select p.id, d.n from Photo p join lateral (select count(*) as n from PhotoLike l where l.photo = p) d"
                        + " where p.id = :photo",
                "select p.id, d.w from Photo p left join lateral (select m.words as w from Mark m where m.id.photoId = p.id"
                        + " order by m.id.name limit 1) d where p.owner.id = :user",
                // unions and the like, and named selects
                "select p.id from Photo p where p.id = :photo union all select l.photo.id from PhotoLike l where l.id = :likeId",
                "select p.id from Photo p where p.owner = :aUser except select m.id.photoId from Mark m where m.id.photoId ="
                        + " :photo",
                "with t as (select p.id as pid from Photo p where p.owner = :aUser) select x.pid from t x",
                // other conditions that require a key
                "select p.id from Photo p where not (p.id <> :photo)",
                "select p.id from Photo p where not (p.id <> :photo or p.title = 'x')",
                "select p.id from Photo p where p.id in :photos and p.id in :several",
                "select p.id from Photo p where p.id in :several and p.id in :photos",
                "select p.id from Photo p where p.id in (:photo, :same) and size(p.likes) > 0",
                "select p.owner.id, count(*) from Photo p group by p.owner.id having p.owner.id = :user",
                "select p.id from Photo p join p.likes l where l = (select k from PhotoLike k where k.id = :likeId) and"
                        + " p.id = :photo",
                "select p.id from Photo p where array_contains(:ids, p.id) and exists (select 1 from PhotoLike l where"
                        + " l.photo = p)",
                "select p.id from Photo p where (select l from PhotoLike l where l.photo.id = :photo) member of p.likes and"
                        + " p.owner = :aUser",
                "select r.stars from Rating r where r.photo = :aPhoto and r.stars >= all (select k.stars from Rating k where"
                        + " k.photo = r.photo)",
                "select f.words from Frame f where f.copyOf.owner = :aUser and f.id.photo.id = :photo",
                "select p.id from Photo p where fk(p.owner) = :user and exists (select 1 from p.likes l)",
                "select l.words from PhotoLike l where l.photo = :aPhoto and l in elements(l.photo.likes)",
                "select n.words from Note n where n.mark = :aMark and n.id.number = (select max(o.id.number) from Note o where"
                        + " o.mark = n.mark)",
                "select n.words from Note n where n.mark.id.photoId = :photo and n.id.number >= all (select o.id.number from"
                        + " Note o where o.mark.id = n.mark.id)",
                "select f.words from Frame f where f.id.photo = :aPhoto and f.id.photo.owner.id in (select u.id from User u"
                        + " where u.name = 'a user')",
            })
    void whatAQueryIsGivenDecides(String hql) {
        decides(session -> found(session, hql));
    }

    /** Rarer forms: the scope says where their rows are, and is refused if it is not that of the values. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id, m.words from Photo p left join Mark m on m.id.photoId = p.id where m.id.photoId = :photo",
                "select p.id, m.words from Photo p left join Mark m on m.id.photoId = :photo where p.id = :same",
                "select p.id from Photo p where exists (select 1 from Mark m where m.id.photoId = p.id and m.id = :markId)",
                "select p.id from Photo p where p.id in (select m.id.photoId from Mark m where m = :aMark)",
                "select p.id from Photo p where p.id = any (select m.id.photoId from Mark m where m.id.photoId = :photo)",
                "select p.id from Photo p where p in (select l.photo from PhotoLike l where l.photo.owner = :aUser)",
                "select d.pid from (select p.id as pid, p.title as t from Photo p) d where d.pid = :photo",
                "select d.pid, m.words from (select p.id as pid from Photo p where p.owner = :aUser) d join Mark m on"
                        + " m.id.photoId = d.pid",
                "with t as (select p.id as pid from Photo p where p.id = :photo) select m.words, x.pid from Mark m join t x on"
                        + " x.pid = m.id.photoId",
                "with t as (select p.id as pid, p.owner.id as o, 1 as n from Photo p where p.id = :photo union all select"
                        + " q.id as pid, q.owner.id as o, x.n + 1 as n from Photo q join t x on q.owner.id = x.o where x.n < 2)"
                        + " select y.pid, y.n from t y",
                "select p.id from Photo p where (p.id = :photo or p.owner.id = :user) and p.title is not null",
                "select u.id from User u where u.id in (select p.owner.id from Photo p where p.id = :photo)",
                "select p.id from Photo p where id(p) = :photo and :photo in (select id(q) from Photo q)",
                "select p.id from Photo p where p.id is not distinct from :photo",
            })
    void otherFormsOfAQueryNeedTheScopeOfTheirValues(String hql) {
        needsTheScope(session -> found(session, hql));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update Photo p set p.title = 'new' where p.id in (select l.photo.id from PhotoLike l where l.id = :likeId)",
                "delete from Note n where exists (select 1 from Mark m where m = n.mark and m.id = :markId)",
            })
    void otherFormsOfAChangeNeedTheScopeOfTheirValues(String hql) {
        needsTheScope(session -> changed(session, hql));
    }

    private static void needsTheScope(Function<Session, Object> work) {
        Object expected = inRolledBackTransaction(plain, work);
        for (Target scope : scopes()) {
            assertThat(outcome(scope, work))
                    .as(String.valueOf(scope))
                    .isEqualTo(Target.shard(SHARD).equals(scope) ? expected : REFUSED);
        }
        assertThat(outcome(ShardSet.all(), work)).as("all shards").isIn(expected, REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update Photo p set p.title = 'new' where p.id = :photo and exists (select 1 from PhotoLike l where l.photo = p)",
                "update Photo p set p.title = (select max(m.words) from Mark m where m.id.photoId = p.id) where p.owner = :aUser",
                "update Photo p set p.title = 'new' where not (p.id <> :photo)",
                "delete from PhotoLike l where l.photo.id = :photo and l.words in (select m.words from Mark m where m.id ="
                        + " :markId)",
                "delete from Mark m where m.id.photoId in :photos and m.id.photoId in :several",
                "delete from Mark m where m.id.photoId in :several and m.id.photoId in :photos",
                "delete from Mark m where m.id.photoId in :photos and m.id.photoId in :others",
                "delete from Share s where s.tenant = :tenant and s.number = (select min(t.number) from Share t where t.tenant"
                        + " = s.tenant)",
            })
    void whatAChangeIsGivenDecides(String hql) {
        decides(session -> changed(session, hql));
    }

    @Test
    void whatOtherQueriesAreGivenDecides() {
        String withSubselect =
                "from Photo p where p.id = :photo and exists (select 1 from PhotoLike l where l.photo = p)";
        decides(session -> {
            SelectionQuery<Photo> query = session.createSelectionQuery(withSubselect, Photo.class);
            bind(query, session);
            return query.getResultCount();
        });
        decides(session -> {
            HibernateCriteriaBuilder builder = session.getCriteriaBuilder();
            CriteriaQuery<Long> query = builder.createQuery(Long.class);
            Root<Photo> photo = query.from(Photo.class);
            Subquery<Integer> likes = query.subquery(Integer.class);
            Join<?, ?> like = likes.correlate(photo).join("likes");
            likes.select(builder.literal(1)).where(builder.equal(like.get("words"), "words"));
            query.select(photo.get("id"))
                    .where(
                            builder.exists(likes),
                            builder.equal(photo.get("owner").get("id"), user(SHARD)));
            return session.createQuery(query).getResultList();
        });
        decides(session -> {
            HibernateCriteriaBuilder builder = session.getCriteriaBuilder();
            JpaCriteriaQuery<Long> query = builder.createQuery(Long.class);
            JpaRoot<Photo> photo = query.from(Photo.class);
            JpaEntityJoin<Photo, Mark> mark = photo.join(Mark.class, JoinType.LEFT);
            mark.on(builder.equal(mark.get("id").get("photoId"), photo.get("id")));
            query.select(photo.get("id")).where(photo.in(List.of(session.getReference(Photo.class, photo(SHARD)))));
            return session.createQuery(query).getResultList();
        });
        needsTheScope(session -> {
            HibernateCriteriaBuilder builder = session.getCriteriaBuilder();
            CriteriaDelete<Note> delete = builder.createCriteriaDelete(Note.class);
            Root<Note> note = delete.from(Note.class);
            Subquery<Integer> marks = delete.subquery(Integer.class);
            Root<Mark> mark = marks.from(Mark.class);
            marks.select(builder.literal(1))
                    .where(
                            builder.equal(mark.get("id"), new MarkId(photo(SHARD), "mark")),
                            builder.equal(mark, marks.correlate(note).get("mark")));
            return session.createMutationQuery(delete.where(builder.exists(marks)))
                    .executeUpdate();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from Photo p where p.owner = :aUser union all select q.id from Photo q where q.id = :elsewhere",
                "select (select p.title from Photo p where p.owner = :aUser), (select q.title from Photo q where q.id = :elsewhere)",
                "select p.id from Photo p, Photo q where p.owner = :aUser and q.id = :elsewhere",
            })
    void rowsOfSeveralShardsAreRefusedWithTheirValues(String hql) {
        assertThatThrownBy(() -> inRolledBackTransaction(cluster.sessions, session -> {
                    session.find(User.class, user(SHARD));
                    return found(session, hql);
                }))
                .hasMessageContaining("has rows of several shards")
                .hasMessageContaining("User#" + user(SHARD) + " of shard 6")
                .hasMessageContaining(photo(3) + " of shard 3");
    }

    /** What of its rows is read elsewhere is not known, so only the scope of the key is a right one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from Photo p where p.id = :photo and exists (select 1 from Mark m where m.words = p.title)",
                "select p.id from Photo p where p.id = :photo and p.title < (select max(m.words) from Mark m)",
                "select p.id, q.id from Photo p, Photo q where p.id = :photo and q.title = p.title",
                "select p.id, q.id from Photo p left join Photo q on q.title = p.title where p.id = :photo",
                "select p.id from Photo p where p.title = (select m.words from Mark m where m.id = :markId)",
                "select p.id from Photo p where not exists (select 1 from Mark m where m.id = :markId)",
                "select d.pid from (select p.id as pid from Photo p order by p.title limit 3) d where d.pid = :photo",
                "with t as (select p.id as pid from Photo p order by p.title limit 3) select x.pid from t x where x.pid = :photo",
                "select p.id from Photo p where p.id = :photo union all select q.id from Photo q where q.title = 'words'",
                "select p.id from Photo p right join Mark m on m.words = p.title where p.id = :photo",
            })
    void whatIsReadBesideAKeyIsRefusedInAnotherScope(String hql) {
        Object expected = inRolledBackTransaction(plain, session -> found(session, hql));
        for (Target scope : scopes()) {
            boolean own = Target.shard(SHARD).equals(scope);
            Object outcome = outcome(scope, session -> found(session, hql));
            assertThat(outcome.equals(REFUSED)).as(String.valueOf(scope)).isEqualTo(!own);
        }
        assertThat(outcome(ShardSet.all(), session -> found(session, hql))).isIn(REFUSED, expected);
        assertThatThrownBy(() -> ShardContext.run(
                        OTHER, () -> inRolledBackTransaction(cluster.sessions, session -> found(session, hql))))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining(" of shard 6")
                .hasMessageContaining("shard 2")
                .hasMessageContaining("no id or shard key ties")
                .hasMessageContaining("ShardContext.run(6, …)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update Photo p set p.title = 'new' where p.id = :photo and p.title in (select m.words from Mark m)",
                "delete from Mark m where m.id = :markId and m.words <> (select min(p.title) from Photo p)",
            })
    void aChangeBesideWhatIsReadIsRefusedInAnotherScope(String hql) {
        for (Target scope : scopes()) {
            boolean own = Target.shard(SHARD).equals(scope);
            assertThat(outcome(scope, session -> changed(session, hql)).equals(REFUSED))
                    .as(String.valueOf(scope))
                    .isEqualTo(!own);
        }
    }

    /** What is fixed for some rows only, or by another kind of condition, decides nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from Photo p where p.id = :photo or p.title = 'words'",
                "select p.id from Photo p where not (p.id = :photo)",
                "select p.id from Photo p where not (p.id = :photo and p.title = 'a photo')",
                "select p.id from Photo p where p.title = 'x' or exists (select 1 from Mark m where m.id.photoId = p.id and"
                        + " m.id = :markId)",
                "select p.id from Photo p left join p.likes l on l.photo.id = :photo",
                "select p.id, m.words from Photo p left join Mark m on m.id.photoId = p.id and p.id = :photo",
                "select p.id from Photo p where p.id > :photo",
                "select max(p.id) from Photo p group by p.title having max(p.id) = :photo",
            })
    void aKeyForSomeRowsDecidesNothing(String hql) {
        Object expected = inRolledBackTransaction(plain, session -> found(session, hql));
        assertThat(outcome(null, session -> found(session, hql))).isEqualTo(REFUSED);
        assertThat(outcome(ShardSet.all(), session -> found(session, hql))).isIn(REFUSED, expected);
    }

    /** The scope of one shard does not decide in place of a value that only the database knows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from Photo p where p.id = :photo + 0",
                "select p.id from Photo p where p.id = cast(:photo as Long)",
                "select p.id from Photo p where p.id = cast(:photoText as Long)",
                "select p.id from Photo p where p.id in (cast(:photo as Long), (cast(:same as BigInteger)))",
                "select p.id from Photo p where p.owner.id is not distinct from cast((:user) as Long)",
                "select m.words from Mark m where (m.id.photoId, m.id.name) = (cast(:photo as Long), 'mark')",
                "select m.words from Mark m where m.id = (:photo, 'mark') and exists (select 1 from Note n where n.mark = m)",
                "select p.id from Photo p where :photo - 0 = p.id",
                "select p.id from Photo p where p.id = -(0 - :photo)",
                "select p.id from Photo p where p.id = (coalesce(:photo, 0))",
                "select p.id from Photo p where p.id in (abs(:photo), 0)",
                "select p.id from Photo p where p.id in (:elsewhere, nullif(:photo, 0))",
                "select p.id from Photo p where p.id is not distinct from abs(:photo)",
                "select p.id from Photo p where not (p.id <> nullif(:photo, 0))",
                "select p.id from Photo p where p.id = case when 1=1 then :photo else 0 end",
                "select p.id from Photo p where p.owner.id = case 1 when 1 then :user else 0 end",
                "select m.words from Mark m join Photo p on p.id = m.id.photoId where p.owner.id = abs(:user)",
                "select p.id from Photo p where p.id in (select m.id.photoId from Mark m where m.id.photoId = abs(:photo))",
                "select s.words from Share s where s.tenant = lower(:tenant)",
                "select s.words from Share s where s.tenant = :tenant || ''",
                "select s.words from Share s where s.tenant = trim(:tenant)",
            })
    void aComputedKeyIsRefusedInTheScopeOfOneShard(String hql) {
        refusesComputed(session -> found(session, hql));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update Photo p set p.title = 'new' where p.id = coalesce(:photo, 0)",
                "update Photo p set p.title = 'new' where p.id = cast(:photo as Long)",
                "delete from PhotoLike l where l.photo.id = nullif(:photo, 0)",
                "update Share s set s.words = 'new' where s.tenant = concat(:tenant, '')",
            })
    void aChangeByAComputedKeyIsRefused(String hql) {
        refusesComputed(session -> changed(session, hql));
    }

    @Test
    void criteriaWithAComputedKeyAreRefused() {
        refusesComputed(session -> {
            HibernateCriteriaBuilder builder = session.getCriteriaBuilder();
            JpaCriteriaQuery<String> query = builder.createQuery(String.class);
            JpaRoot<Photo> photo = query.from(Photo.class);
            query.select(photo.get("title"))
                    .where(builder.equal(
                            photo.get("id"), builder.coalesce(builder.literal(photo(SHARD)), builder.literal(0L))));
            return session.createQuery(query).getResultList();
        });
    }

    private static void refusesComputed(Function<Session, Object> work) {
        Object expected = inRolledBackTransaction(plain, work);
        assertThat(expected).isNotIn(List.of(), 0);
        for (Target scope : scopes()) {
            assertThat(outcome(scope, work)).as(String.valueOf(scope)).isEqualTo(REFUSED);
        }
        assertThat(outcome(ShardSet.all(), work)).as("all shards").isIn(expected, REFUSED);
        assertThatThrownBy(() -> ShardContext.run(OTHER, () -> inRolledBackTransaction(cluster.sessions, work)))
                .hasMessageContaining("with a value that the database computes")
                .hasMessageContaining("shard 2")
                .hasMessageContaining("pass it as a parameter");
    }

    /** A known key decides beside a computed one; a filter that may be left out is no key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from Photo p where p.id = :photo and p.owner.id = abs(:user)",
                "select p.id from Photo p where p.owner = :aUser and p.id = coalesce(:photo, p.id)",
                "select p.id from Photo p where p.id = :photo and exists (select 1 from Mark m where m.id.photoId = p.id and"
                        + " m.id.photoId = abs(:photo))",
            })
    void aKnownKeyDecidesBesideAComputedOne(String hql) {
        decides(session -> found(session, hql));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from Photo p where p.id = coalesce(:photo, p.id)",
                "select p.id from Photo p where :photo is null or p.id = abs(:photo)",
                "select p.id from Photo p where p.id = case when :photo is null then p.id else :same end",
            })
    void aFilterThatMayBeLeftOutIsNoKey(String hql) {
        assertThat(outcome(Target.shard(SHARD), session -> found(session, hql))).isNotEqualTo(REFUSED);
        assertThat(outcome(Target.shard(OTHER), session -> found(session, hql))).isNotEqualTo(REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id, q.id from Photo p, Photo q where p.id = :photo and q.id = :elsewhere",
                "select p.id from Photo p where p.id = :photo union all select q.id from Photo q where q.id = :elsewhere",
            })
    void keysOfSeveralShardsAreRefused(String hql) {
        for (Target scope : scopes()) {
            assertThat(outcome(scope, session -> found(session, hql))).isEqualTo(REFUSED);
        }
        assertThatThrownBy(() -> inRolledBackTransaction(cluster.sessions, session -> found(session, hql)))
                .hasMessageContaining("of shard 6")
                .hasMessageContaining("of shard 3");
    }
}
