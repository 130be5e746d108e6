package io.github.shardedid.hibernate.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.derived.Club.Badge;
import io.github.shardedid.hibernate.derived.Club.Locker;
import io.github.shardedid.hibernate.derived.Club.Member;
import io.github.shardedid.hibernate.derived.Club.Pin;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row whose only id is an association is in the shard of that other row, and found by its id. */
@Tag("quick")
class DerivedIdsIntegrationTests {
    private static ClubCluster cluster;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        cluster = new ClubCluster();
        sessions = cluster.sessions;
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    private static Member withBadge(int shard, String words) {
        Member member = cluster.member(shard);
        sessions.inTransaction(session -> {
            Badge badge = new Badge(session.getReference(Member.class, member.id), words);
            badge.colours.add("red");
            session.persist(badge);
        });
        return member;
    }

    /** The same without a scope and in the scope of another shard. */
    private static List<@Nullable Object> everywhere(Function<Session, @Nullable Object> lookup) {
        List<@Nullable Object> found = new ArrayList<>();
        found.add(sessions.fromTransaction(lookup));
        found.add(ShardContext.call(7, () -> sessions.fromTransaction(lookup)));
        return found;
    }

    @Test
    void theIdOfTheOtherRowIsEnough() {
        Member member = withBadge(6, "of six");

        assertThat(cluster.rows(6, "SELECT words FROM $.badge WHERE member_id = " + member.id))
                .containsExactly("of six");
        assertThat(everywhere(session -> session.find(Badge.class, member.id).words))
                .containsExactly("of six", "of six");
        assertThat(everywhere(
                        session -> session.getReference(Badge.class, member.id).getWords()))
                .containsExactly("of six", "of six");
        assertThat(everywhere(
                        session -> session.find(Badge.class, member.id).colours.toString()))
                .containsExactly("[red]", "[red]");
        assertThat(everywhere(session -> Objects.requireNonNull(session.find(Badge.class, member.id).member)
                        .getName()))
                .containsExactly("member of 6", "member of 6");
        assertThat(everywhere(session -> session.createQuery("from Badge b where b.member.id = :id", Badge.class)
                        .setParameter("id", member.id)
                        .getSingleResult()
                        .words))
                .containsExactly("of six", "of six");
    }

    @Test
    void aRowIsChangedMergedAndRemoved() {
        Member member = withBadge(3, "new");
        Badge detached = sessions.fromTransaction(session -> {
            Badge badge = session.find(Badge.class, member.id);
            badge.words = "changed";
            return badge;
        });
        assertThat(cluster.rows(3, "SELECT words FROM $.badge WHERE member_id = " + member.id))
                .containsExactly("changed");
        detached.words = "merged";
        ShardContext.run(5, () -> sessions.inTransaction(session -> session.merge(detached)));
        assertThat(cluster.rows(3, "SELECT words FROM $.badge WHERE member_id = " + member.id))
                .containsExactly("merged");
        sessions.inTransaction(session -> session.remove(session.find(Badge.class, member.id)));
        assertThat(cluster.rows(3, "SELECT words FROM $.badge WHERE member_id = " + member.id))
                .isEmpty();
        assertThat(everywhere(session -> session.find(Badge.class, member.id))).containsExactly(null, null);
    }

    @Test
    void aRowWithoutTheOtherRowIsAbsent() {
        assertThat(everywhere(session -> session.find(Badge.class, IdLayout.DEFAULT.encode(3, 5, 1))))
                .containsExactly(null, null);
        assertThat(everywhere(session -> session.find(Badge.class, IdLayout.DEFAULT.encode(3, ClubCluster.SHARDS, 1))))
                .containsExactly(null, null);
    }

    @Test
    void itIsSavedAndRemovedWithTheOtherRow() {
        Member member = new Member("with a locker");
        member.locker = new Locker(member, "a locker");
        ShardContext.run(4, () -> sessions.inTransaction(session -> session.persist(member)));
        assertThat(cluster.rows(4, "SELECT words FROM $.locker WHERE member_id = " + member.id))
                .containsExactly("a locker");
        assertThat(everywhere(session -> Objects.requireNonNull(session.find(Member.class, member.id).locker).words))
                .containsExactly("a locker", "a locker");
        sessions.inTransaction(session -> session.remove(session.find(Member.class, member.id)));
        assertThat(cluster.rows(4, "SELECT words FROM $.locker WHERE member_id = " + member.id))
                .isEmpty();
    }

    @Test
    void itsShardIsThatOfRowsThatReferToIt() {
        Member member = withBadge(2, "of two");
        Pin pin = sessions.fromTransaction(session -> {
            Pin made = new Pin(session.find(Badge.class, member.id), "a pin");
            session.persist(made);
            return made;
        });
        assertThat(cluster.rows(2, "SELECT words FROM $.pin WHERE id = " + pin.id))
                .containsExactly("a pin");
        assertThat(everywhere(session -> Objects.requireNonNull(session.find(Pin.class, pin.id).badge)
                        .getWords()))
                .containsExactly("of two", "of two");
        EntityShards shards = EntityShards.of(sessions).orElseThrow();
        assertThat(shards.shardOf(new Badge(member, "new"))).isEqualTo(2);
        assertThat(shards.byId(Badge.class).shardOf(Objects.requireNonNull(member.id)))
                .isEqualTo(2);
        assertThat(shards.byId(Badge.class).accepts(Long.class)).isTrue();
    }

    @Test
    void aSecondShardIsRefusedBeforeAnythingIsSent() {
        Member one = cluster.member(1);
        Member six = cluster.member(6);
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    session.persist(new Badge(session.getReference(Member.class, one.id), "of one"));
                    session.persist(new Badge(session.getReference(Member.class, six.id), "of six"));
                }))
                .isInstanceOf(SecondWriteShardException.class);
        assertThat(cluster.rows(1, "SELECT words FROM $.badge WHERE member_id = " + one.id))
                .isEmpty();
    }

    @Test
    void aStatelessSessionWritesAndReadsIt() {
        Member member = cluster.member(5);
        sessions.inStatelessTransaction(session -> session.insert(new Badge(member, "stateless")));
        assertThat(cluster.rows(5, "SELECT words FROM $.badge WHERE member_id = " + member.id))
                .containsExactly("stateless");
        sessions.inStatelessTransaction(session -> {
            Badge badge = session.get(Badge.class, new Badge(member, ""));
            badge.words = "updated";
            session.update(badge);
        });
        assertThat(cluster.rows(5, "SELECT words FROM $.badge WHERE member_id = " + member.id))
                .containsExactly("updated");
    }

    @Test
    void theIdOfTheOtherRowDecidesOverItToo() {
        Member member = withBadge(6, "of six");

        for (String hql : List.of(
                "select b.words from Badge b, Member m where b.member = m and m.id = :id",
                "select b.words from Badge b, Member m where b.member.id = m.id and m.id = :id",
                "select b.words from Badge b, Member m where b.member.id = m.id and b.member.id = :id",
                "select b.words from Badge b join Member m on b.member = m where m.id = :id",
                "select b.words from Badge b join b.member m where m.id = :id")) {
            assertThat(everywhere(session -> session.createQuery(hql, Object.class)
                            .setParameter("id", member.id)
                            .getSingleResultOrNull()))
                    .as(hql)
                    .containsExactly("of six", "of six");
        }
    }
}
