package io.github.shardedid.hibernate.derived;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.hibernate.derived.Club.Badge;
import io.github.shardedid.hibernate.derived.Club.Locker;
import io.github.shardedid.hibernate.derived.Club.Member;
import io.github.shardedid.hibernate.derived.Club.Pin;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random work on rows whose id is an association, with shards and with plain Hibernate on one database: the outcomes are the same. */
class RandomDerivedIdsIntegrationTests {
    private static final int STEPS = 200;

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    /** Two in each shard. */
    private final List<Long> members = Stream.iterate(0, i -> i < 16, i -> i + 1)
            .map(i -> IdLayout.DEFAULT.encode(1 + i / 8, i % 8, 1))
            .toList();

    private int rows;

    @Test
    void outcomesAndRowsAreThoseOfPlainHibernate() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (ClubCluster sharded = new ClubCluster()) {
            database.execute(Club.TABLES);
            try (SessionFactory plain = PlainHibernate.on(
                    database, ClubCluster.settings(), Club.ENTITIES, List.of(Member.class, Pin.class))) {
                for (int i = 0; i < members.size(); i++) {
                    insertMember(sharded.sessions, members.get(i));
                    insertMember(plain, members.get(i));
                }
                for (int step = 0; step < STEPS; step++) {
                    Function<Session, @Nullable Object> work = work(step);
                    int scope = random.nextInt(2 * ClubCluster.SHARDS);
                    Object outcome = scope < ClubCluster.SHARDS
                            ? ShardContext.call(
                                    scope, () -> PlainHibernate.outcome(() -> sharded.sessions.fromTransaction(work)))
                            : PlainHibernate.outcome(() -> sharded.sessions.fromTransaction(work));
                    assertThat(outcome)
                            .as("step " + step + " of -Dsharded-id.test.seed=" + seed)
                            .isEqualTo(PlainHibernate.outcome(() -> plain.fromTransaction(work)));
                }
            }
            compare(sharded, database);
        } finally {
            database.drop();
        }
    }

    private static void insertMember(SessionFactory sessions, long id) {
        sessions.inTransaction(session -> {
            Member member = new Member("member " + id);
            member.id = id;
            session.persist(member);
        });
    }

    private static int shardOf(long id) {
        return IdLayout.DEFAULT.decode(id).shard();
    }

    private static String text(@Nullable Badge badge) {
        return badge == null
                ? "none"
                : badge.words + new TreeSet<>(badge.colours) + (badge.member == null ? "" : badge.member.getName());
    }

    private static String text(@Nullable Locker locker) {
        return locker == null ? "none" : locker.words + (locker.member == null ? "" : locker.member.getName());
    }

    /** One transaction, with the same random choices on both sides. Writes to one shard, and reads any. */
    private Function<Session, @Nullable Object> work(int step) {
        long member = members.get(random.nextInt(members.size()));
        long other = members.get(random.nextInt(members.size()));
        String words = "words of " + step;
        String colour = "colour " + random.nextInt(3);
        long id = IdLayout.DEFAULT.encode(100 + rows++, shardOf(member), 1);
        boolean flushed = random.nextBoolean();
        return switch (random.nextInt(19)) {
            case 0, 1 ->
                session -> {
                    Badge badge = new Badge(session.getReference(Member.class, member), words);
                    badge.colours.add(colour);
                    session.persist(badge);
                    return text(session.find(Badge.class, other));
                };
            case 2 -> session -> text(session.find(Badge.class, member)) + text(session.find(Badge.class, other));
            case 3 ->
                session -> {
                    Badge badge = session.find(Badge.class, member);
                    if (badge != null) {
                        badge.words = words;
                        badge.colours.add(colour);
                        badge.colours.remove("colour 0");
                    }
                    return text(badge);
                };
            case 4 ->
                session -> {
                    Badge badge = session.find(Badge.class, member);
                    if (badge != null) {
                        session.remove(badge);
                    }
                    if (flushed) {
                        session.flush();
                    }
                    return text(session.find(Badge.class, member)) + text(session.find(Badge.class, other));
                };
            case 5 ->
                session -> {
                    Locker locker = new Locker(session.getReference(Member.class, member), words);
                    return text(session.merge(locker));
                };
            case 6 ->
                session -> session
                        .createQuery("from Badge b where b.member.id = :member", Badge.class)
                        .setParameter("member", member)
                        .getResultList()
                        .stream()
                        .map(each -> text(each))
                        .toList();
            case 7 ->
                session -> session
                        .createQuery("from Badge b where b.member = :member", Badge.class)
                        .setParameter("member", session.getReference(Member.class, member))
                        .getResultList()
                        .stream()
                        .map(each -> text(each))
                        .toList();
            case 8 -> session -> session.getReference(Badge.class, member).getWords();
            case 9 ->
                session -> {
                    Member found = session.find(Member.class, member);
                    if (found.locker == null) {
                        found.locker = new Locker(found, words);
                    } else if (flushed) {
                        found.locker.words = words;
                    } else {
                        found.locker = null;
                    }
                    return text(found.locker);
                };
            case 10 ->
                session -> text(session.find(Member.class, member).locker)
                        + text(session.find(Member.class, other).locker);
            case 11 ->
                session -> {
                    Badge badge = session.find(Badge.class, member);
                    if (badge != null) {
                        badge.words = words;
                        session.refresh(badge);
                    }
                    return text(badge);
                };
            case 12 ->
                session -> {
                    Badge badge = session.find(Badge.class, member);
                    if (badge == null) {
                        return "none";
                    }
                    session.lock(badge, LockMode.PESSIMISTIC_WRITE);
                    return text(badge) + session.getCurrentLockMode(badge);
                };
            case 13 ->
                session -> {
                    Badge badge = session.find(Badge.class, member);
                    if (badge == null) {
                        return "none";
                    }
                    Hibernate.initialize(badge.colours);
                    session.clear();
                    badge.words = words;
                    return text(session.merge(badge));
                };
            case 14 ->
                session -> {
                    Badge badge = session.find(Badge.class, member);
                    if (badge == null) {
                        return "none";
                    }
                    Pin pin = new Pin(badge, words);
                    pin.id = id;
                    session.persist(pin);
                    session.flush();
                    session.clear();
                    Badge found = session.find(Pin.class, id).badge;
                    return found == null ? "none" : found.getWords();
                };
            case 15 ->
                session -> session
                        .createQuery("from Pin p where p.badge.member.id = :member order by p.id", Pin.class)
                        .setParameter("member", member)
                        .getResultList()
                        .stream()
                        .map(pin -> pin.words + text(pin.badge))
                        .toList();
            case 16 ->
                session -> {
                    Locker locker = session.find(Locker.class, member);
                    if (locker != null) {
                        locker.words = words;
                    }
                    session.flush();
                    return text(locker) + text(session.find(Locker.class, other));
                };
            case 17 ->
                session -> session
                        .findMultiple(
                                Badge.class,
                                List.of(
                                        new Badge(session.getReference(Member.class, member), ""),
                                        new Badge(session.getReference(Member.class, other), "")))
                        .stream()
                        .map(each -> text(each))
                        .toList();
            default ->
                session -> {
                    Badge badge = session.find(Badge.class, IdLayout.DEFAULT.encode(9, shardOf(member), 9));
                    return badge == null ? "none" : "found";
                };
        };
    }

    /** Each row is in the shard of its member, and there are no others. */
    private void compare(ClubCluster sharded, TestDatabase plain) {
        for (String columns : List.of(
                "badge.member_id || ' ' || words || version",
                "badge_colours.member_id || ' ' || colour",
                "locker.member_id || ' ' || words",
                "pin.badge_id || ' ' || words")) {
            String table = columns.substring(0, columns.indexOf('.'));
            List<String> found = new ArrayList<>();
            for (int shard = 0; shard < ClubCluster.SHARDS; shard++) {
                List<String> here = sharded.rows(shard, "SELECT " + columns + " FROM $." + table);
                int expected = shard;
                assertThat(here).allMatch(row -> shardOf(Long.parseLong(row.split(" ", -1)[0])) == expected);
                found.addAll(here);
            }
            assertThat(found)
                    .as(table + ", -Dsharded-id.test.seed=" + seed)
                    .containsExactlyInAnyOrderElementsOf(plain.query("SELECT " + columns + " FROM " + table));
        }
    }
}
