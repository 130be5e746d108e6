package io.github.shardedid.libraries;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** The application that all tests share. */
final class RunningLibraries {
    private static final TwoDatabases DATABASES = TwoDatabases.create();
    static final TestDatabase PG1 = DATABASES.pg1();
    static final TestDatabase PG2 = DATABASES.pg2();

    private static final List<String> ARGUMENTS = List.of(
            "--spring.main.web-application-type=servlet",
            "--server.port=0",
            "--spring.batch.job.enabled=true",
            "--spring.quartz.job-store-type=jdbc",
            "--spring.quartz.jdbc.initialize-schema=always",
            "--spring.quartz.properties.org.quartz.jobStore.driverDelegateClass=org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
            "--spring.session.jdbc.initialize-schema=always",
            "--spring.liquibase.enabled=true",
            "--spring.liquibase.change-log=classpath:db/changelog/master.sql",
            "--spring.sql.init.mode=always",
            "--spring.jpa.hibernate.ddl-auto=validate");

    private static final ConfigurableApplicationContext CONTEXT = start();

    private RunningLibraries() {}

    static ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(ARGUMENTS);
        for (String argument : more) {
            arguments.removeIf(other -> other.startsWith(argument.substring(0, argument.indexOf('=') + 1)));
        }
        arguments.addAll(Arrays.asList(more));
        return DATABASES.start(LibrariesApp.class, "classpath:db/shard", arguments.toArray(String[]::new));
    }

    static <T> T bean(Class<T> type) {
        return CONTEXT.getBean(type);
    }

    /** The database of a shard. */
    static TestDatabase databaseOf(int shard) {
        return DATABASES.of(shard);
    }
}
