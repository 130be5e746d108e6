package io.github.shardedid.boot.differential;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The application twice: on six shards, three on each of two servers, and on one plain schema. */
final class Galleries implements AutoCloseable {
    /** Owns all, and is no superuser: policies hold for it. */
    static final String ROLE = "gallery";

    private static final String MAKE_ROLE =
            """
            DO $$
            BEGIN
              IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%1$s') THEN
                CREATE ROLE %1$s LOGIN PASSWORD '%1$s';
              END IF;
            END $$;
            ALTER DATABASE %2$s OWNER TO %1$s""";

    /** A transaction within a transaction that wants the same row must not wait for ever. */
    private static final String OPTIONS = "?options=-c%20lock_timeout%3D250ms";

    final List<TestDatabase> databases = List.of(
            owned(PostgresServers.shared(1).newDatabase()),
            owned(PostgresServers.shared(2).newDatabase()));
    final TestDatabase plainDatabase = owned(PostgresServers.shared(1).newDatabase());
    final Side sharded;
    final Side plain;

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    Galleries() {
        Numbers numbers = new Numbers();
        sharded = new Side(startSharded(), true, numbers);
        Tables.create(plainDatabase);
        AtomicReference<Side> side = new AtomicReference<>();
        plain = new Side(
                startPlain(new PlainHibernate(
                        numbers, () -> Objects.requireNonNull(side.get()).written())),
                false,
                numbers);
        side.set(plain);
    }

    private static TestDatabase owned(TestDatabase database) {
        database.execute(MAKE_ROLE.formatted(ROLE, database.name()));
        return database;
    }

    private ConfigurableApplicationContext startSharded() {
        List<String> properties = new ArrayList<>(common());
        properties.add("sharded-id.epoch=2024-01-01T00:00:00Z");
        properties.add("sharded-id.shards=" + Numbers.SHARDS);
        properties.add("sharded-id.migrations=classpath:db/differential");
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.add(prefix + "url=" + database.url() + OPTIONS);
            properties.add(prefix + "username=" + ROLE);
            properties.add(prefix + "password=" + ROLE);
            properties.add(prefix + "shards=" + (i == 0 ? "0-2" : "3-5"));
        }
        return started(new SpringApplicationBuilder(Gallery.class), properties);
    }

    private ConfigurableApplicationContext startPlain(PlainHibernate plainHibernate) {
        List<String> properties = new ArrayList<>(common());
        properties.add("spring.datasource.url=" + plainDatabase.url() + OPTIONS);
        properties.add("spring.datasource.username=" + ROLE);
        properties.add("spring.datasource.password=" + ROLE);
        properties.add("spring.flyway.enabled=false");
        return started(
                new SpringApplicationBuilder(Gallery.class)
                        .initializers(context -> ((GenericApplicationContext) context)
                                .registerBean(HibernatePropertiesCustomizer.class, () -> hibernate -> {
                                    hibernate.put("hibernate.integrator_provider", plainHibernate);
                                    hibernate.put("hibernate.default_schema", "public");
                                    hibernate.put(PlainIds.PLAIN, plainHibernate);
                                })),
                properties);
    }

    private static List<String> common() {
        return List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "logging.level.org.hibernate.orm.jdbc.error=off",
                "spring.jpa.properties.hibernate.jdbc.batch_size=20",
                "spring.jpa.properties.hibernate.order_inserts=true",
                "spring.jpa.properties.hibernate.order_updates=true");
    }

    private ConfigurableApplicationContext started(SpringApplicationBuilder application, List<String> properties) {
        ConfigurableApplicationContext context =
                application.properties(properties.toArray(String[]::new)).run();
        contexts.add(context);
        return context;
    }

    @Override
    public void close() {
        sharded.close();
        plain.close();
        contexts.forEach(ConfigurableApplicationContext::close);
        databases.forEach(TestDatabase::drop);
        plainDatabase.drop();
    }
}
