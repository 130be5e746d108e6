package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims of rows that were stored before their values became unique, or past Hibernate. The oracle is SQL over all schemas. */
@Tag("quick")
class BuiltClaimsIntegrationTests {
    private static final int SHARDS = 8;

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
    private final List<SessionFactory> open = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(SessionFactory::close);
        databases.close();
    }

    /** The same table when its values were not unique. */
    @Entity
    @Table(name = "member")
    static class PlainMember {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String email;
    }

    /** The same table, whose values are compared otherwise. */
    @Entity
    @Table(name = "member")
    static class ExactMember {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @UniqueAcrossShards
        @Nullable
        String email;
    }

    /** The same table, of which another column is written. */
    @Entity
    @Table(name = "member")
    static class NamedMember {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String name;
    }

    /** The same table, whose values are only read. */
    @Entity
    @Table(name = "member")
    static class MemberView {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Column(insertable = false, updatable = false)
        @Nullable
        String email;
    }

    private SessionFactory start(boolean builds) {
        return start(UniqueValuesIntegrationTests.configuration(databases), builds);
    }

    private SessionFactory start(Configuration configuration, boolean builds) {
        SessionFactory sessions = configuration
                .setProperty(ShardingSettings.BUILD_CLAIMS, String.valueOf(builds))
                .setProperty("jakarta.persistence.lock.timeout", "5000")
                .buildSessionFactory();
        open.add(sessions);
        return sessions;
    }

    private Configuration only(Class<?> entity) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        return configuration.addAnnotatedClass(entity);
    }

    private static UniqueAcrossShards.Claims claims(SessionFactory sessions) {
        return UniqueAcrossShards.Claims.of(sessions).orElseThrow();
    }

    private List<String> build(SessionFactory sessions) {
        progress.clear();
        return claims(sessions).build(progress::add);
    }

    private List<String> check(SessionFactory sessions, boolean remove) {
        progress.clear();
        return claims(sessions).check(remove, progress::add);
    }

    private static String schema(int shard) {
        return "shard_000" + shard + ".";
    }

    /** As psql stores a row, which claims nothing. */
    private long insert(int shard, String email) {
        return databases
                .home(shard)
                .queryLong("INSERT INTO " + schema(shard) + "member (id, email) SELECT " + schema(shard) + "next_id('"
                        + schema(shard) + "member_id_seq'), '" + email + "' RETURNING id");
    }

    private void insert(int shard, int rows) {
        databases
                .home(shard)
                .execute("INSERT INTO " + schema(shard) + "member (id, email) SELECT " + schema(shard) + "next_id('"
                        + schema(shard) + "member_id_seq'), 'old" + shard + "-' || i FROM generate_series(1, " + rows
                        + ") i");
    }

    private static Member saved(SessionFactory sessions, int shard, String email) {
        Member member = new Member(email);
        ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(member)));
        return member;
    }

    private static @Nullable Member byEmail(SessionFactory sessions, String email) {
        return sessions.fromTransaction(
                session -> session.createSelectionQuery("from Member where lower(email) = lower(:email)", Member.class)
                        .setParameter("email", email)
                        .getSingleResultOrNull());
    }

    /** All rows of a query of each shard's schema. */
    private List<String> everywhere(String query) {
        return IntStream.range(0, SHARDS)
                .boxed()
                .flatMap(shard -> databases.home(shard).query(query.replace("$", schema(shard))).stream())
                .toList();
    }

    private void assertClaimed() {
        List<String> values = everywhere("SELECT lower(email) FROM $member WHERE email IS NOT NULL");
        assertThat(values).doesNotHaveDuplicates();
        assertThat(everywhere("SELECT value || ' ' || unnest(id || prior) FROM $sharded_id_claim WHERE attribute ="
                        + " 'member(lower(email))'"))
                .containsAll(everywhere("SELECT lower(email) || ' ' || id FROM $member WHERE email IS NOT NULL"));
    }

    @Test
    void aStartOnRowsWithoutClaimsIsRefusedAndNamesTheWayOut() {
        long id = insert(5, "Ann@example.org");
        assertThatThrownBy(() -> start(false))
                .isInstanceOf(ShardedIdMappingException.class)
                .hasMessageContainingAll(
                        "Member.email", "ShardingSettings.BUILD_CLAIMS", "UniqueAcrossShards.Claims.build");

        SessionFactory building = start(true);
        assertThat(claims(building).unbuilt()).containsExactly("member(lower(email))");
        // Another instance that is not configured to build is refused still.
        assertThatThrownBy(() -> start(false)).isInstanceOf(ShardedIdMappingException.class);
        // What is written from now on is claimed; what is not claimed yet is not found, which is no answer.
        saved(building, 2, "bob@example.org");
        assertThatThrownBy(() -> saved(building, 3, "BOB@example.org")).isInstanceOf(DuplicateValueException.class);
        assertThatThrownBy(() -> byEmail(building, "ann@example.org"))
                .isInstanceOf(NoShardException.class)
                .hasMessageContainingAll("Member.email", "UniqueAcrossShards.Claims.build");
        assertThat(ShardContext.call(5, () -> byEmail(building, "ann@example.org")))
                .isNotNull();

        assertThat(build(building)).isEmpty();
        assertThat(claims(building).unbuilt()).isEmpty();
        assertThat(byEmail(building, "ann@example.org"))
                .satisfies(ann -> assertThat(ann.id).isEqualTo(id));
        SessionFactory ready = start(false);
        assertThatThrownBy(() -> saved(ready, 0, "ANN@example.org"))
                .isInstanceOfSatisfying(DuplicateValueException.class, thrown -> assertThat(thrown.owner())
                        .isEqualTo(id));
        assertClaimed();
    }

    @Test
    void aTableWithoutValuesIsReadyAtOnce() {
        databases
                .home(3)
                .execute("INSERT INTO shard_0003.member (id, name) SELECT shard_0003.next_id("
                        + "'shard_0003.member_id_seq'), 'without e-mail'");
        SessionFactory sessions = start(false);
        assertThat(claims(sessions).unbuilt()).isEmpty();
        saved(sessions, 3, "first@example.org");
        assertThat(claims(start(false)).unbuilt()).isEmpty();
    }

    @Test
    void aKeyThatComparesOtherwiseIsAnotherOne() {
        saved(start(false), 1, "Carl@example.org");
        assertThatThrownBy(() -> start(only(ExactMember.class), false))
                .isInstanceOf(ShardedIdMappingException.class)
                .hasMessageContaining("ExactMember.email");
        SessionFactory exact = start(only(ExactMember.class), true);
        assertThat(build(exact)).isEmpty();
        assertThat(claims(exact).unbuilt()).isEmpty();
    }

    /** Such an application neither refuses a value that is taken, nor claims one. */
    @Test
    void afterAStartWithoutTheAnnotationTheClaimsAreBuiltAgain() {
        saved(start(false), 1, "fay@example.org");
        SessionFactory plain = start(only(PlainMember.class), false);
        assertThatThrownBy(() -> start(false))
                .isInstanceOf(ShardedIdMappingException.class)
                .hasMessageContainingAll("Member.email", "an application without it", "ShardingSettings.BUILD_CLAIMS");
        PlainMember gil = new PlainMember();
        gil.email = "gil@example.org";
        ShardContext.run(4, () -> plain.inTransaction(session -> session.persist(gil)));

        SessionFactory building = start(true);
        assertThat(build(building)).isEmpty();
        assertThat(byEmail(building, "gil@example.org")).isNotNull();
        assertThat(claims(start(false)).unbuilt()).isEmpty();
        assertClaimed();
    }

    /** It may write behind the position of the build. */
    @Test
    void aStartWithoutTheAnnotationDuringABuildLetsItBeginAgain() {
        insert(2, 1);
        SessionFactory sessions = start(true);
        assertThat(claims(sessions).build(line -> {
                    if (line.contains("Member.email: shard 5")) {
                        start(only(PlainMember.class), false);
                    }
                }))
                .isEmpty();
        assertThat(claims(sessions).unbuilt()).isNotEmpty();
        insert(2, "hal@example.org");
        assertThat(build(start(true))).isEmpty();
        assertClaimed();
    }

    @Test
    void aStartThatDoesNotWriteTheColumnLeavesTheClaimsReady() {
        saved(start(false), 1, "ian@example.org");
        start(only(NamedMember.class), false);
        start(only(MemberView.class), false);
        start(only(Guest.class), false);
        assertThat(claims(start(false)).unbuilt()).isEmpty();
    }

    @Test
    void anApplicationWithoutUniqueValuesStartsWithoutTheDatabaseOfTheStates() {
        Map<String, DataSource> pools = new HashMap<>(databases.sources());
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://localhost:1/down");
        config.setConnectionTimeout(250);
        config.setInitializationFailTimeout(-1);
        Configuration configuration = only(PlainMember.class);
        databases.cluster().map().get(); // read while its database was up
        try (HikariDataSource down = new HikariDataSource(config)) {
            pools.put("pg1", down);
            configuration
                    .getProperties()
                    .put(
                            "hibernate.connection.datasource",
                            new RoutingDataSource(
                                    databases.cluster(), pools, RoutingOptions.DEFAULT, InstantSource.system()));
            saved(start(configuration, false), 7);
        }
    }

    private static void saved(SessionFactory plain, int shard) {
        ShardContext.run(shard, () -> plain.inTransaction(session -> session.persist(new PlainMember())));
    }

    @Test
    void anApplicationWithoutTheRightToStoreTheStateStarts() {
        saved(start(false), 1, "jo@example.org");
        databases
                .home(0)
                .execute(
                        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE insufficient_privilege; END';"
                                + " CREATE TRIGGER refuse BEFORE UPDATE ON shard_0000.sharded_id_claim EXECUTE FUNCTION refuse()");
        start(only(PlainMember.class), false);
        assertThat(claims(start(false)).unbuilt()).isEmpty();
    }

    @Test
    void duplicatesAreReportedUntilThereAreNone() {
        long one = insert(1, "dora@example.org");
        long other = insert(6, "DORA@example.org");
        long twin = insert(6, "Dora@example.org");
        insert(7, "eve@example.org");
        SessionFactory sessions = start(true);
        for (int i = 0; i < 2; i++) {
            assertThat(build(sessions))
                    .hasSize(2)
                    .anyMatch(line -> line.contains(one + " (shard 1)") && line.contains(other + " (shard 6)"))
                    .anyMatch(line -> line.contains(twin + " (shard 6)"))
                    .noneMatch(line -> line.toLowerCase(java.util.Locale.ROOT).contains("dora@"));
            assertThat(claims(sessions).unbuilt()).isNotEmpty();
            assertThatThrownBy(() -> start(false)).isInstanceOf(ShardedIdMappingException.class);
        }
        ShardContext.run(
                6,
                () -> sessions.inTransaction(session -> {
                    session.find(Member.class, other).email = "dora2@example.org";
                    session.find(Member.class, twin).email = null;
                }));
        assertThat(build(sessions)).isEmpty();
        assertClaimed();
        start(false);
    }

    @Test
    void aBuildGoesOnWhereItWasStopped() {
        for (int shard = 0; shard < SHARDS; shard++) {
            insert(shard, 2_500);
        }
        SessionFactory sessions = start(true);
        assertThatThrownBy(() -> claims(sessions).build(line -> {
                    if (line.contains("Member.email: shard 3")) {
                        throw new IllegalStateException("stopped");
                    }
                }))
                .hasMessage("stopped");
        assertThat(claims(sessions).unbuilt()).isNotEmpty();
        // Its last batch may have been claimed, but not been noted.
        databases
                .home(3)
                .execute(
                        "UPDATE shard_0003.sharded_id_claim SET id = (SELECT id FROM shard_0003.member ORDER BY id LIMIT 1"
                                + " OFFSET 1999) WHERE attribute = '#position'");
        assertThat(build(sessions)).isEmpty();
        List<String> ofMembers =
                progress.stream().filter(line -> line.contains("Member.email")).toList();
        assertThat(ofMembers.subList(0, 5))
                .extracting(line -> line.replaceAll(".*shard (\\d) of 8, (\\d+) rows, (\\d+) of.*", "$1 $2 $3"))
                .containsExactly("0 0 0", "1 0 0", "2 0 0", "3 500 0", "4 2500 2500");
        assertClaimed();
        // A repair of what is ready looks at all rows again.
        assertThat(build(sessions)).isEmpty();
        assertThat(progress).anyMatch(line -> line.contains("Member.email: shard 7 of 8, 2500 rows, 0 of them"));
    }

    /** Two builders and writers that change, remove and add rows, half of which have no claims. */
    @Test
    void aBuildBesideWritersLosesNoValueAndFindsNoDuplicate() throws Exception {
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            rows.add(insert(i % SHARDS, "v" + i));
        }
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        SessionFactory sessions = start(true);
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong writes = new AtomicLong();
        List<CompletableFuture<Void>> writers = IntStream.range(0, 3)
                .mapToObj(number -> OwnThread.run(() -> {
                    Random random = new Random(seed + number);
                    while (!done.get()) {
                        write(sessions, rows.get(random.nextInt(rows.size())), random, number);
                        writes.incrementAndGet();
                    }
                }))
                .toList();
        await().atMost(Duration.ofSeconds(60)).until(() -> writes.get() > 50);
        CompletableFuture<List<String>> second =
                OwnThread.supply(() -> claims(sessions).build(line -> {}));
        assertThat(build(sessions)).as("seed %s", seed).isEmpty();
        assertThat(second.join()).as("seed %s", seed).isEmpty();
        done.set(true);
        writers.forEach(CompletableFuture::join);
        assertThat(claims(sessions).unbuilt()).isEmpty();
        assertClaimed();
        assertThat(check(sessions, false)).as("seed %s", seed).isEmpty();
    }

    /** Half of the values are those that rows without claims have, or had. */
    private static void write(SessionFactory sessions, long id, Random random, int writer) {
        try {
            ShardContext.run(
                    (int) (id >> 10 & 8191),
                    () -> sessions.inTransaction(session -> {
                        Member member = session.find(Member.class, id);
                        if (random.nextInt(4) == 0) {
                            session.persist(new Member("w" + writer + "-" + random.nextInt(100)));
                        } else if (member != null && random.nextInt(6) == 0) {
                            session.remove(member);
                        } else if (member != null) {
                            member.email = "n" + writer + "-" + random.nextInt(100);
                        }
                    }));
        } catch (RuntimeException taken) {
            assertThat(taken)
                    .satisfiesAnyOf(
                            thrown -> assertThat(thrown).hasStackTraceContaining("DuplicateValueException"),
                            thrown -> assertThat(thrown).hasStackTraceContaining("Stale"),
                            thrown -> assertThat(thrown).hasStackTraceContaining("timeout"));
        }
    }

    @Test
    void aCheckFindsWhatWasWrittenPastHibernate() {
        SessionFactory sessions = start(false);
        Member fred = saved(sessions, 2, "fred@example.org");
        assertThat(check(sessions, false)).isEmpty();
        long gil = insert(4, "gil@example.org");
        long other = insert(6, "FRED@example.org");
        long one = insert(1, "hal@example.org");
        long two = insert(3, "Hal@example.org");
        assertThat(check(sessions, false))
                .hasSize(4)
                .anyMatch(line -> line.contains("Row " + gil + " (shard 4) has no claim"))
                .anyMatch(line -> line.contains("Row " + one + " (shard 1) has no claim"))
                .anyMatch(line -> line.contains(other + " (shard 6) and " + fred.id + " (shard 2) have one value"))
                .anyMatch(line -> line.contains(two + " (shard 3) and " + one + " (shard 1) have one value"))
                .noneMatch(line -> line.contains("example"));
        // A build repairs what can be.
        assertThat(build(sessions)).hasSize(2);
        assertThatThrownBy(() -> saved(sessions, 0, "gil@example.org")).isInstanceOf(DuplicateValueException.class);
        assertThat(check(sessions, false)).hasSize(2);
        databases.home(6).execute("DELETE FROM shard_0006.member WHERE id = " + other);
        databases.home(3).execute("DELETE FROM shard_0003.member WHERE id = " + two);
        assertThat(check(sessions, false)).isEmpty();
    }

    private void abandon(SessionFactory sessions, int shard, String email) {
        assertThatThrownBy(() -> ShardContext.run(
                        shard,
                        () -> sessions.inTransaction(session -> {
                            session.persist(new Member(email));
                            session.flush();
                            throw new IllegalStateException("rolled back");
                        })))
                .hasMessage("rolled back");
    }

    private long storedClaims() {
        return everywhere("SELECT value FROM $sharded_id_claim WHERE attribute = 'member(lower(email))'")
                .size();
    }

    @Test
    void orphansAreRemovedButNotThoseOfATransactionInProgress() {
        SessionFactory sessions = start(false);
        Member kept = saved(sessions, 1, "kept@example.org");
        Member moved = saved(sessions, 1, "left@example.org");
        ShardContext.run(
                1,
                () -> sessions.inTransaction(
                        session -> session.find(Member.class, moved.id).email = "new@example.org"));
        for (int i = 0; i < 20; i++) {
            abandon(sessions, i % SHARDS, "gone" + i + "@example.org");
        }
        long before = storedClaims();
        assertThat(check(sessions, false)).isEmpty();
        assertThat(storedClaims()).isEqualTo(before);
        ShardContext.run(
                4,
                () -> sessions.inTransaction(session -> {
                    for (int i = 0; i < SHARDS; i++) {
                        session.persist(new Member("open" + i + "@example.org"));
                    }
                    session.flush();
                    assertThat(OwnThread.supply(() -> check(sessions, true)).join())
                            .isEmpty();
                }));
        assertThat(everywhere("SELECT value FROM $sharded_id_claim WHERE attribute = 'member(lower(email))'"))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of("kept@example.org", "new@example.org"),
                                IntStream.range(0, SHARDS).mapToObj(i -> "open" + i + "@example.org"))
                        .toList());
        assertThatThrownBy(() -> saved(sessions, 6, "kept@example.org"))
                .isInstanceOfSatisfying(DuplicateValueException.class, thrown -> assertThat(thrown.owner())
                        .isEqualTo(kept.id));
        assertClaimed();
    }

    @Test
    void anOrphanThatIsTakenWhileItIsRemovedHasOneOwner() {
        SessionFactory sessions = start(false);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> sweeper = OwnThread.run(() -> {
            while (!done.get()) {
                claims(sessions).check(true, line -> {});
            }
        });
        for (int round = 0; round < 60; round++) {
            String email = "raced" + round + "@example.org";
            abandon(sessions, round % SHARDS, email);
            CountDownLatch both = new CountDownLatch(2);
            int shard = round;
            List<CompletableFuture<Void>> takers = IntStream.of(1, 2)
                    .mapToObj(taker -> OwnThread.run(() -> {
                        both.countDown();
                        try {
                            saved(sessions, (shard + taker) % SHARDS, email);
                        } catch (RuntimeException taken) {
                            assertThat(taken).hasStackTraceContaining("DuplicateValueException");
                        }
                    }))
                    .toList();
            takers.forEach(CompletableFuture::join);
        }
        done.set(true);
        sweeper.join();
        assertThat(everywhere("SELECT email FROM $member")).hasSize(60);
        assertClaimed();
        assertThat(check(sessions, false)).isEmpty();
    }

    /** As if the database of shard 0 were down. */
    @Test
    void aStateThatCannotBeReadIsReadLater() {
        Member ida = saved(start(false), 5, "ida@example.org");
        databases.home(0).execute("ALTER TABLE shard_0000.sharded_id_claim RENAME TO hidden");
        SessionFactory sessions = start(false);
        String other = IntStream.range(0, 100)
                .mapToObj(i -> "jan" + i + "@example.org")
                .filter(value -> io.github.shardedid.topology.ShardKeys.shardOf(value, SHARDS) != 0)
                .findFirst()
                .orElseThrow();
        saved(sessions, 4, other);
        assertThatThrownBy(() -> byEmail(sessions, "ida@example.org")).isInstanceOf(NoShardException.class);
        databases.home(0).execute("ALTER TABLE shard_0000.hidden RENAME TO sharded_id_claim");
        await().atMost(Duration.ofMinutes(2))
                .ignoreException(NoShardException.class)
                .untilAsserted(() -> assertThat(byEmail(sessions, "ida@example.org"))
                        .satisfies(found -> assertThat(found.id).isEqualTo(ida.id)));
    }

    @Test
    void aStartReadsTheStatesByOneQueryAndTheColumnsOfUniqueKeysByOneMore() {
        start(only(ExactMember.class), false);
        start(only(NamedMember.class), false);
        List<WireTap> taps = new ArrayList<>();
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        for (TestDatabase database : databases.databases()) {
            WireTap tap = new WireTap(database.server().port());
            taps.add(tap);
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(tap.url(database.name()));
            config.setUsername(database.server().username());
            config.setPassword(database.server().password());
            pools.put("pg" + taps.size(), TestPools.trusting(config));
        }
        Map<Class<?>, List<Long>> trips = new LinkedHashMap<>();
        for (int i = 0; i < 4; i++) {
            for (Class<?> entity : List.of(ExactMember.class, NamedMember.class)) {
                Configuration configuration = only(entity);
                configuration
                        .getProperties()
                        .put("hibernate.connection.datasource", new RoutingDataSource(databases.cluster(), pools));
                long before = taps.stream().mapToLong(WireTap::turns).sum();
                configuration.buildSessionFactory().close();
                trips.computeIfAbsent(entity, none -> new ArrayList<>())
                        .add(taps.stream().mapToLong(WireTap::turns).sum() - before);
            }
        }
        pools.values().forEach(HikariDataSource::close);
        taps.forEach(WireTap::close);
        // The first start opens the connections.
        assertThat(trips.getOrDefault(ExactMember.class, List.of()).get(3))
                .as("%s", trips)
                .isEqualTo(trips.getOrDefault(NamedMember.class, List.of()).get(3) + 1);
    }
}
