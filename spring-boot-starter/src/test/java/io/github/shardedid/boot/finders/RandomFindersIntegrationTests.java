package io.github.shardedid.boot.finders;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Random saves, changes and removals on six shards and on one database with unique indexes; after each, a finder gives the same answer on both.
 * {@code sharded-id.test.seed} repeats a run.
 */
@Tag("quick")
@Tag("embedded-only")
class RandomFindersIntegrationTests {
    private static final int STEPS = 400;
    private static final int SHARDS = 6;
    private static final List<String> VALUES =
            List.of("ann", "Ann", "bob", "bOB", "carol", "d'arc", "eve", "EVE", "fröhlich", "FRÖHLICH", "");

    private static final List<TestDatabase> DATABASES = new ArrayList<>();
    private static ConfigurableApplicationContext context;
    private static SessionFactory plainFactory;
    private static People sharded;
    private static People plain;

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, Integer> counts = new TreeMap<>();

    @BeforeAll
    static void start() throws IOException {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "logging.level.org.hibernate.orm.jdbc.error=off",
                "sharded-id.shards=" + SHARDS,
                "sharded-id.migrations=classpath:db/finders"));
        for (int i = 1; i <= 2; i++) {
            TestDatabase database = PostgresServers.shared(i).newDatabase();
            DATABASES.add(database);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
            properties.add("sharded-id.databases.pg" + i + ".shards=" + (i == 1 ? "0-2" : "3-5"));
        }
        context = new SpringApplicationBuilder(FindersApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
        sharded = People.sharded(context);
        TestDatabase one = PostgresServers.shared(1).newDatabase();
        DATABASES.add(one);
        try (InputStream tables = Objects.requireNonNull(
                RandomFindersIntegrationTests.class.getResourceAsStream("/db/finders/V1__people.sql"))) {
            plainFactory = People.plainFactory(one, new String(tables.readAllBytes(), StandardCharsets.UTF_8));
        }
        plain = People.plain(plainFactory);
    }

    @AfterAll
    static void stop() {
        plainFactory.close();
        context.close();
        DATABASES.forEach(TestDatabase::drop);
    }

    @Test
    void findersAnswerAsOnOneDatabase() {
        System.err.println("seed " + seed);
        for (int step = 0; step < STEPS; step++) {
            change();
            for (int i = 0; i < 5; i++) {
                compareOne();
            }
        }
        System.err.println(counts);
        assertThat(counts.get("duplicate")).isPositive();
        Finders.ALL.keySet().forEach(finder -> assertThat(counts)
                .as("%s has found something, seed %s", finder, seed)
                .containsKey("found: " + finder));
    }

    /** In a transaction, finders see what it has written itself. */
    private void compareOne() {
        List<String> names = List.copyOf(Finders.ALL.keySet());
        String name = names.get(random.nextInt(names.size()));
        String value = value();
        String expected = Finders.find(name, plain, value);
        int scope = random.nextInt(SHARDS);
        String found =
                switch (random.nextInt(4)) {
                    case 0 -> sharded.inTransaction(() -> Finders.find(name, sharded, value));
                    case 1 -> ShardContext.call(scope, () -> Finders.find(name, sharded, value));
                    default -> Finders.find(name, sharded, value);
                };
        assertThat(found).as("%s of '%s', seed %s", name, value, seed).isEqualTo(expected);
        boolean none = List.of("", "Optional.empty", "false", "0", "null").contains(expected);
        counts.merge((none ? "nothing: " : "found: ") + name, 1, Integer::sum);
    }

    private void change() {
        List<Person> all = plain.persons().findAll();
        Person one = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        int choice = random.nextInt(10);
        if (one == null || (choice < 5 && all.size() < 12)) {
            add();
        } else if (choice < 8) {
            String login = value();
            String email = random.nextInt(4) == 0 ? null : value();
            Integer badge = random.nextBoolean() ? null : random.nextInt(5);
            same("change", people -> {
                Person row = people.persons().findById(one.id()).orElseThrow();
                row.setLogin(login);
                row.setEmail(email);
                row.setBadge(badge);
                people.entities().flush();
                return Finders.find("findByLogin", people, login)
                        + Finders.find("findByEmailIgnoreCase", people, value(email));
            });
        } else if (choice == 8) {
            addEssay(one);
        } else {
            remove(one);
        }
    }

    private static String value(@Nullable String value) {
        return value == null ? "" : value;
    }

    private void add() {
        String login = value();
        String email = random.nextInt(4) == 0 ? null : value();
        Integer badge = random.nextBoolean() ? null : random.nextInt(5);
        int shard = random.nextInt(SHARDS);
        long[] id = new long[1];
        String made = outcome(() -> ShardContext.call(
                shard,
                () -> sharded.inTransaction(() -> {
                    Person row = sharded.persons().save(new Person(null, login, email, badge, "name " + login));
                    sharded.entities().flush();
                    id[0] = row.id();
                    return row.id() + Finders.find("findByLogin", sharded, login);
                })));
        String expected = outcome(() -> plain.inTransaction(() -> {
            plain.entities().persist(new Person(id[0], login, email, badge, "name " + login));
            plain.entities().flush();
            return id[0] + Finders.find("findByLogin", plain, login);
        }));
        check("add", made, expected);
    }

    private void addEssay(Person author) {
        String slug = value();
        long[] id = new long[1];
        String made = outcome(() -> sharded.inTransaction(() -> {
            Person row = sharded.entities().getReference(Person.class, author.id());
            id[0] = sharded.essays()
                    .saveAndFlush(new Essay(null, row, "site", slug))
                    .id();
            return id[0];
        }));
        String expected = outcome(() -> plain.inTransaction(() -> {
            Person row = plain.entities().getReference(Person.class, author.id());
            plain.entities().persist(new Essay(id[0], row, "site", slug));
            plain.entities().flush();
            return id[0];
        }));
        check("essay", made, expected);
    }

    private void remove(Person one) {
        boolean byFinder = random.nextBoolean();
        String login = one.login();
        same("remove", people -> {
            people.essays().findByAuthorLoginOrderById(login).forEach(people.entities()::remove);
            if (byFinder) {
                return people.persons().deleteByLogin(login);
            }
            people.persons().deleteById(one.id());
            return login;
        });
    }

    private void same(String what, java.util.function.Function<People, Object> work) {
        check(
                what,
                outcome(() -> sharded.inTransaction(() -> work.apply(sharded))),
                outcome(() -> plain.inTransaction(() -> work.apply(plain))));
    }

    private void check(String what, String made, String expected) {
        assertThat(made).as("%s, seed %s", what, seed).isEqualTo(expected);
        counts.merge(expected.equals("duplicate") ? "duplicate" : what, 1, Integer::sum);
    }

    private static String outcome(Supplier<Object> work) {
        try {
            return String.valueOf(work.get());
        } catch (DataIntegrityViolationException | ConstraintViolationException duplicate) {
            return "duplicate";
        }
    }

    private String value() {
        return VALUES.get(random.nextInt(VALUES.size()));
    }
}
