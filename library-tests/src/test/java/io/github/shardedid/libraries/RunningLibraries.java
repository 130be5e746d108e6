package io.github.shardedid.libraries;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The application that all tests share, with shards 0 to 3 on pg1, beside the global database, and 4 to 7 on pg2. */
final class RunningLibraries {
    static final TestDatabase PG1 = PostgresServers.shared(1).newDatabase();
    static final TestDatabase PG2 = PostgresServers.shared(2).newDatabase();
    private static final ConfigurableApplicationContext CONTEXT = start();

    private RunningLibraries() {}

    private static Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "spring.quartz.job-store-type", "jdbc",
                "spring.quartz.jdbc.initialize-schema", "always",
                "spring.batch.jdbc.initialize-schema", "always",
                "spring.session.jdbc.initialize-schema", "always",
                "spring.liquibase.change-log", "classpath:db/changelog/master.sql",
                "spring.sql.init.mode", "always",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg1"));
        properties.put("spring.jpa.hibernate.ddl-auto", "validate");
        properties.put("sharded-id.global.migrations", "");
        properties.put(
                "spring.quartz.properties.org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
        properties.put("sharded-id.epoch", "2024-01-01T00:00:00Z");
        List<TestDatabase> databases = List.of(PG1, PG2);
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.put(prefix + "url", database.url());
            properties.put(prefix + "username", database.server().username());
            properties.put(prefix + "password", database.server().password());
            properties.put(prefix + "shards", i == 0 ? "0-3" : "4-7");
        }
        return properties;
    }

    static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(LibrariesApp.class)
                .properties(properties())
                .run(arguments);
    }

    static <T> T bean(Class<T> type) {
        return CONTEXT.getBean(type);
    }

    /** The database of a shard. */
    static TestDatabase databaseOf(int shard) {
        return shard < 4 ? PG1 : PG2;
    }
}
