package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random transactions with values that are unique over all shards, and with a real unique index on one database: the outcomes are the same. And by
 * several threads, whatever their order: no two rows have one value.
 */
class RandomUniqueValuesIntegrationTests {
    private static final int SHARDS = 8;
    private static final int TRANSACTIONS = 300;
    private static final int VALUES = 6;
    private static final Class<?>[] ENTITIES = {Member.class, Page.class, Page.Chapter.class};

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());

    /** One step of a transaction; its rows are those that the transaction knows. */
    private record Step(int kind, int row, String email) {
        static Step random(Random random) {
            String email = "mail" + random.nextInt(VALUES) + "@example.org";
            return new Step(
                    random.nextInt(8),
                    random.nextInt(4),
                    random.nextBoolean() ? email : email.toUpperCase(Locale.ROOT));
        }

        /** Each step is flushed, as a unique index is checked with each statement. */
        void run(Session session, List<Member> rows, List<Long> preset, List<Long> made) {
            Member chosen = rows.isEmpty() ? null : rows.get(row % rows.size());
            if (kind < 3 || chosen == null) {
                persist(session, kind == 2 ? null : email, rows, preset, made);
            } else if (kind == 3) {
                rows.remove(chosen);
                session.remove(chosen);
            } else if (kind == 4) {
                chosen.name = email;
            } else {
                chosen.email = kind == 5 ? null : email;
            }
            session.flush();
        }
    }

    private static void persist(
            Session session, @Nullable String email, List<Member> rows, List<Long> preset, List<Long> made) {
        Member member = new Member(email);
        rows.add(member);
        if (!preset.isEmpty()) {
            member.id = preset.remove(0);
        }
        session.persist(member);
        made.add(Objects.requireNonNull(member.id));
    }

    private static String transaction(
            SessionFactory sessions,
            List<Step> steps,
            List<String> together,
            List<Long> existing,
            List<Long> preset,
            List<Long> made,
            boolean commits) {
        AtomicInteger done = new AtomicInteger();
        List<Member> rows = new ArrayList<>();
        try (Session session = sessions.openSession()) {
            session.beginTransaction();
            try {
                existing.forEach(
                        id -> Stream.ofNullable(session.find(Member.class, id)).forEach(rows::add));
                for (Step step : steps) {
                    step.run(session, rows, preset, made);
                    done.incrementAndGet();
                }
                // Several rows in one flush, which all of them pass, or none.
                together.forEach(email -> persist(session, email, rows, preset, made));
                session.flush();
                if (commits) {
                    session.getTransaction().commit();
                } else {
                    session.getTransaction().rollback();
                }
                return commits ? "committed" : "rolled back";
            } catch (RuntimeException e) {
                session.getTransaction().rollback();
                Throwable cause = e;
                while (cause.getCause() != null
                        && !(cause instanceof org.hibernate.exception.ConstraintViolationException)) {
                    cause = cause.getCause();
                }
                return "step " + done + ": "
                        + (cause instanceof org.hibernate.exception.ConstraintViolationException violation
                                ? violation.getKind()
                                : cause.toString());
            }
        }
    }

    @Test
    void outcomesAreThoseOfAUniqueIndex() {
        Random random = new Random(seed);
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
                SessionFactory sharded =
                        UniqueValuesIntegrationTests.configuration(databases).buildSessionFactory()) {
            database.execute("CREATE TABLE member (id bigint PRIMARY KEY, email text, name text);"
                    + " CREATE UNIQUE INDEX ON member (lower(email))");
            try (SessionFactory plain =
                    PlainHibernate.on(database, Map.of(), ENTITIES, List.of(Member.class, Page.class))) {
                List<List<Long>> ids = new ArrayList<>(Collections.nCopies(SHARDS, List.of()));
                for (int i = 0; i < TRANSACTIONS; i++) {
                    int shard = random.nextInt(SHARDS);
                    List<Long> existing = List.copyOf(ids.get(shard));
                    List<Step> steps = Stream.generate(() -> Step.random(random))
                            .limit(random.nextInt(5))
                            .toList();
                    List<String> together = random.nextInt(4) > 0
                            ? List.of()
                            : random.ints(3, 0, 2 * VALUES)
                                    .mapToObj(n -> "mail" + n + "@example.org")
                                    .toList();
                    boolean commits = random.nextInt(4) > 0;
                    List<Long> made = new ArrayList<>();
                    String outcome = ShardContext.call(
                            shard,
                            () -> transaction(sharded, steps, together, existing, new ArrayList<>(), made, commits));
                    assertThat(transaction(plain, steps, together, existing, made, new ArrayList<>(), commits))
                            .as("transaction " + i + " of -Dsharded-id.test.seed=" + seed + ", shard " + shard + ": "
                                    + steps)
                            .isEqualTo(outcome);
                    ids.set(shard, found(databases, shard));
                }
                compare(databases, database);
            }
        } finally {
            database.drop();
        }
    }

    private static List<Long> found(TestCluster databases, int shard) {
        return databases.home(shard).query("SELECT id FROM shard_000" + shard + ".member ORDER BY 1").stream()
                .map(Long::valueOf)
                .toList();
    }

    private void compare(TestCluster databases, TestDatabase plain) {
        List<String> rows = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            rows.addAll(
                    databases.home(shard).query("SELECT id || coalesce(email, '') FROM shard_000" + shard + ".member"));
        }
        assertThat(rows)
                .as("-Dsharded-id.test.seed=" + seed)
                .containsExactlyInAnyOrderElementsOf(plain.query("SELECT id || coalesce(email, '') FROM member"));
    }

    @Test
    @Tag("quick")
    void severalThreadsNeverStoreAValueTwice() throws InterruptedException {
        try (TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
                SessionFactory sharded = UniqueValuesIntegrationTests.configuration(databases)
                        .setProperty("jakarta.persistence.lock.timeout", "100")
                        .buildSessionFactory()) {
            List<Thread> threads = new ArrayList<>();
            AtomicInteger committed = new AtomicInteger();
            List<String> unexpected = Collections.synchronizedList(new ArrayList<>());
            for (int n = 0; n < 3; n++) {
                Random random = new Random(seed + n);
                Thread thread = new Thread(() -> attack(databases, sharded, random, committed, unexpected));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            List<String> emails = new ArrayList<>();
            for (int shard = 0; shard < SHARDS; shard++) {
                emails.addAll(databases
                        .home(shard)
                        .query("SELECT lower(email) FROM shard_000" + shard + ".member WHERE email IS NOT NULL"));
            }
            assertThat(emails).as("-Dsharded-id.test.seed=" + seed).doesNotHaveDuplicates();
            assertThat(committed.get()).isPositive();
            assertThat(unexpected).isEmpty();
        }
    }

    private static void attack(
            TestCluster databases,
            SessionFactory sessions,
            Random random,
            AtomicInteger committed,
            List<String> unexpected) {
        for (int i = 0; i < 100; i++) {
            int shard = random.nextInt(SHARDS);
            List<Step> steps = Stream.generate(() -> Step.random(random))
                    .limit(1 + random.nextInt(3))
                    .toList();
            boolean commits = random.nextInt(3) > 0;
            String outcome = ShardContext.call(
                    shard,
                    () -> transaction(
                            sessions,
                            steps,
                            List.of(),
                            found(databases, shard),
                            new ArrayList<>(),
                            new ArrayList<>(),
                            commits));
            if (outcome.equals("committed")) {
                committed.incrementAndGet();
            } else if (!outcome.equals("rolled back")
                    && !outcome.contains("UNIQUE")
                    && !outcome.contains("ock")
                    && !outcome.contains("StaleState")) {
                unexpected.add(outcome);
            }
        }
    }
}
