package io.github.shardedid.boot.finders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import jakarta.persistence.LockModeType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Where queries by a unique value go, and by how many round trips. */
@Tag("quick")
class FindersIntegrationTests {
    private static final int SHARDS = 6;
    private static final List<TestDatabase> DATABASES = new ArrayList<>();
    private static final List<WireTap> TAPS = new ArrayList<>();

    private static ConfigurableApplicationContext context;
    private static People people;
    private static PersonRepository persons;

    private final String some = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.shards=" + SHARDS,
                "sharded-id.moves.recover=false",
                "sharded-id.migrations=classpath:db/finders"));
        for (int i = 1; i <= 3; i++) {
            TestDatabase database = PostgresServers.shared(i % 2 + 1).newDatabase();
            WireTap tap = new WireTap(database.server().port());
            DATABASES.add(database);
            TAPS.add(tap);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
            properties.add("sharded-id.databases.pg" + i + ".url=" + tap.url(database.name()));
            properties.add("sharded-id.databases.pg" + i + ".shards=" + (2 * i - 2) + "-" + (2 * i - 1));
        }
        context = new SpringApplicationBuilder(FindersApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
        people = People.sharded(context);
        persons = people.persons();
    }

    @AfterAll
    static void stop() {
        context.close();
        TAPS.forEach(WireTap::close);
        DATABASES.forEach(TestDatabase::drop);
    }

    private Person save(int shard, String login) {
        return ShardContext.call(
                shard, () -> persons.save(new Person(null, login, login + "@Mail.example", null, "four")));
    }

    private static long turns(Runnable call) {
        for (int i = 0; i < 10; i++) {
            call.run();
        }
        TAPS.forEach(WireTap::reset);
        call.run();
        return TAPS.stream().mapToLong(WireTap::turns).sum();
    }

    /** Of three databases, as of two: one for the claim, and one for the row. */
    @Test
    void findingTakesTwoRoundTrips() {
        for (int shard = 0; shard < SHARDS; shard++) {
            String login = some + shard;
            Person person = save(shard, login);
            assertThat(turns(() -> assertThat(persons.findByLogin(login)).isPresent()))
                    .isEqualTo(2);
            assertThat(turns(() -> people.inTransaction(() -> persons.findByLogin(login))))
                    .isEqualTo(2);
            assertThat(turns(() -> assertThat(persons.existsByEmailIgnoreCase(login + "@mail.EXAMPLE"))
                            .isTrue()))
                    .isEqualTo(2);
            assertThat(turns(() -> assertThat(persons.findByLogin(login + "'s")).isEmpty()))
                    .isEqualTo(2);
            assertThat(turns(() -> assertThat(persons.findAllByLogin(login)).hasSize(1)))
                    .as("in all shards, which need no claim")
                    .isEqualTo(3);
            assertThat(turns(() -> people.entities()
                            .createQuery("from Person p where p.login = :login and p.id = :id", Person.class)
                            .setParameter("login", login)
                            .setParameter("id", person.id())
                            .getSingleResult()))
                    .as("by id, which needs no claim")
                    .isEqualTo(1);
        }
    }

    @Test
    void anotherScopeAndTransactionDoNotMatter() {
        Person person = save(3, some);
        for (int shard = 0; shard < SHARDS; shard++) {
            ShardContext.run(shard, () -> {
                assertThat(persons.findByLogin(some).map(Person::id)).contains(person.id());
                assertThat(persons.findByLogin("not " + some)).isEmpty();
            });
        }
        people.inTransaction(() -> {
            save(5, some + 5);
            assertThat(persons.findByLogin(some).map(Person::id)).contains(person.id());
            assertThat(persons.findByLogin(some + 5)).isPresent();
            return person;
        });
    }

    /** As with a key: the scope remains if it has the row's shard. */
    @Test
    void scopesOfSeveralShards() {
        Person person = save(3, some);
        for (ShardSet scope : List.of(ShardSet.all(), ShardSet.of(Set.of(2, 3)), ShardSet.of(Set.of(0, 1)))) {
            ShardContext.run(scope, () -> {
                assertThat(persons.findByLogin(some).map(Person::id)).contains(person.id());
                assertThat(persons.findByLogin("not " + some)).isEmpty();
            });
        }
    }

    /** Each has its own claims in other shards since its snapshot was made, and its own rows. */
    @Test
    void aTransactionWithASnapshotFindsItsOwnRows() {
        TransactionTemplate snapshots = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        snapshots.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        List<String> logins = IntStream.range(0, 8).mapToObj(i -> some + i).toList();
        snapshots.executeWithoutResult(status -> {
            for (int shard = 0; shard < SHARDS; shard++) {
                ShardContext.run(shard, () -> people.entities()
                        .createQuery("select count(p) from Person p", Long.class)
                        .getSingleResult());
            }
            for (String login : logins) {
                save(4, login);
            }
            people.entities().flush();
            for (String login : logins) {
                assertThat(persons.findByLogin(login)).isPresent();
            }
        });
    }

    /** Its claim stays, and names a row that decides itself. */
    @Test
    void aValueThatARowNoLongerHas() {
        Person person = save(2, some);
        people.inTransaction(() -> {
            persons.findById(person.id()).orElseThrow().setLogin(some + "'s new one");
            return person;
        });
        assertThat(persons.findByLogin(some)).isEmpty();
        assertThat(persons.findByLogin(some + "'s new one")).isPresent();

        persons.deleteById(person.id());
        assertThat(persons.findByLogin(some + "'s new one")).isEmpty();

        Person next = save(5, some);
        assertThat(persons.findByLogin(some).map(Person::id)).contains(next.id());
    }

    /** Queries compare either case, and Spring Data compares the upper one. */
    @Test
    void textsWithOneLowerOrOneUpperCaseAreOneValue() {
        for (List<String> alike : List.of(
                List.of("σας", "ΣΑΣ"),
                List.of("σας", "σασ"),
                List.of("ſ", "s"),
                List.of("straẞe", "straße"),
                List.of("\u00b5", "\u03bc"))) {
            String rest = UUID.randomUUID() + "@mail.example";
            persons.save(new Person(null, "one of " + rest, alike.get(0) + rest, null, "four"));
            assertThatExceptionOfType(DuplicateKeyException.class)
                    .as("%s", alike)
                    .isThrownBy(() ->
                            persons.save(new Person(null, "other of " + rest, alike.get(1) + rest, null, "four")));
        }
    }

    /** As documented: nothing claims what is written without Hibernate. Without a claim, the query asks the shard that would have it. */
    @Test
    void aRowWithoutAClaimIsNotFound() {
        String login = IntStream.range(0, 100)
                .mapToObj(i -> some + i)
                .filter(each -> UniqueKey.shardOf(each, SHARDS) != 3)
                .findFirst()
                .orElseThrow();
        DATABASES
                .get(1)
                .execute(
                        "INSERT INTO shard_0003.person (id, login, name, active) SELECT shard_0003.next_id('shard_0003.person_id_seq'), '"
                                + login + "', 'psql', true");
        assertThat(persons.findByLogin(login)).isEmpty();
        assertThat(persons.findAllByLogin(login)).hasSize(1);
    }

    /** Whether there is such a row is known by the claim's database. */
    @Test
    void otherDatabasesMayBeDown() {
        List<String> free = IntStream.range(0, 100)
                .mapToObj(i -> some + i)
                .filter(login -> UniqueKey.shardOf(login, SHARDS) / 2 == 1)
                .limit(3)
                .toList();
        Person person = save(3, free.get(0));
        TAPS.get(0).cut();
        TAPS.get(2).cut();
        try {
            assertThat(persons.findByLogin(free.get(0)).map(Person::id)).contains(person.id());
            assertThat(persons.findByLogin(free.get(1))).isEmpty();
            assertThat(people.entities()
                            .createQuery("select count(p) from Person p where p.login = :v", Long.class)
                            .setParameter("v", free.get(2))
                            .getSingleResult())
                    .isZero();
        } finally {
            TAPS.forEach(WireTap::restore);
        }
    }

    @Test
    void whatIsNoEqualityOfAUniqueValueNeedsAScope() {
        Person person = save(1, some);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> persons.findByLoginIgnoreCase(some.toUpperCase(Locale.ROOT)));
        assertThatExceptionOfType(NoShardException.class).isThrownBy(() -> persons.findByLoginOrEmail(some, some));
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> people.essays().findBySlug(some));
        for (String condition : List.of(
                "lower(p.login) = :v",
                "p.login = lower(:v)",
                "p.login like :v",
                "p.login in (:v)",
                "p.login <> :v",
                "not (p.login = :v)",
                "p.login = :v or p.name = 'x'",
                "p.login is not distinct from :v",
                "p.login = p.name and p.name = :v",
                "upper(trim(p.email)) = upper(:v)",
                "p.email = concat(:v, '@Mail.example')")) {
            assertThatExceptionOfType(NoShardException.class)
                    .as(condition)
                    .isThrownBy(() -> hql("from Person p where " + condition));
        }
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> hql("from Person p left join Person q on q.login = :v"));
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> hql("select p.id from Person p where p.login = :v union select p.id from Person p"));
        assertThatExceptionOfType(NoShardException.class).isThrownBy(() -> hql("from Essay e where e.slug = :v"));
        assertThat(ShardContext.call(1, () -> persons.findByLoginIgnoreCase(some.toUpperCase(Locale.ROOT)))
                        .map(Person::id))
                .contains(person.id());
    }

    private List<Object> hql(String text) {
        return people.entities()
                .createQuery(text, Object.class)
                .setParameter("v", some)
                .getResultList();
    }

    @Test
    void updatesAndDeletesNeedAScope() {
        save(1, some);
        for (String text : List.of(
                "update Person p set p.name = 'other' where p.login = :v", "delete from Person p where p.login = :v")) {
            assertThatExceptionOfType(NoShardException.class)
                    .isThrownBy(() -> people.inTransaction(() -> people.entities()
                            .createQuery(text)
                            .setParameter("v", some)
                            .executeUpdate()));
        }
        assertThat(persons.deleteByLogin(some)).isOne();
        assertThat(persons.deleteByLogin(some)).isZero();
    }

    @Test
    void valuesOfOtherTypes() {
        int badge = Math.floorMod(some.hashCode(), Integer.MAX_VALUE);
        Person person = persons.save(new Person(null, some, null, badge, "four"));
        assertThat(people.entities()
                        .createQuery("select p.id from Person p where p.badge = " + badge, Long.class)
                        .getResultList())
                .containsExactly(person.id());
        for (Object value : List.of(badge, (long) badge, BigDecimal.valueOf(badge), new BigDecimal(badge + ".00"))) {
            var builder = people.entities().getCriteriaBuilder();
            var query = builder.createQuery(Long.class);
            var from = query.from(Person.class);
            query.select(from.get("id")).where(builder.equal(from.get("badge"), value));
            assertThat(people.entities().createQuery(query).getResultList())
                    .as("%s %s", value.getClass(), value)
                    .containsExactly(person.id());
        }
    }

    @Test
    void theRowIsLocked() {
        save(1, some);
        people.inTransaction(() -> {
            assertThat(people.entities()
                            .createQuery("from Person p where p.login = :v", Person.class)
                            .setParameter("v", some)
                            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                            .getResultList())
                    .hasSize(1);
            return some;
        });
    }

    @Test
    void theRoutesAreThoseOfOneShard() {
        assertThat(context.getBean(RepositoryRoutes.class).routes())
                .filteredOn(route -> route.kind() == RouteKind.ONE_SHARD)
                .extracting(RepositoryRoutes.Route::method)
                .contains(
                        "PersonRepository.findByEmail(String)",
                        "PersonRepository.countByEmail(String)",
                        "PersonRepository.nameOf(String)",
                        "PersonRepository.essaysOf(String)",
                        "PersonRepository.deleteByLogin(String)",
                        "EssayRepository.findBySiteAndSlug(String, String)",
                        "EssayRepository.findByAuthorLoginOrderById(String)");
    }
}
