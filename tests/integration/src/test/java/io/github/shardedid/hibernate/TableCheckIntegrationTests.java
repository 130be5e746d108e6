package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import java.util.List;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Shards 0 to 3 are on pg1, beside the global database, and 4 to 7 on pg2. */
class TableCheckIntegrationTests {
    private final TestCluster cluster = newCluster();
    private Class<?>[] entities = Membership.ENTITIES;

    private static TestCluster newCluster() {
        return new TestCluster(
                IdLayout.DEFAULT,
                8,
                2,
                GlobalDatabase.on("pg1"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Configuration configuration(String... settings) {
        Configuration configuration =
                GlobalEntitiesIntegrationTests.configuration(cluster).addAnnotatedClasses(entities);
        for (int i = 0; i < settings.length; i += 2) {
            configuration.setProperty(settings[i], settings[i + 1]);
        }
        return configuration;
    }

    private void starts(String... settings) {
        configuration(settings).buildSessionFactory().close();
    }

    private void refused(List<String> settings, String... words) {
        assertThatThrownBy(() -> starts(settings.toArray(String[]::new)))
                .isInstanceOf(ShardedIdMappingException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void validationNamesWhatIsMissingInTheFirstShardOfADatabaseAndInTheGlobalDatabase() {
        List<String> validate = List.of("hibernate.hbm2ddl.auto", "validate");
        starts(validate.toArray(String[]::new));
        cluster.home(4).execute("ALTER TABLE shard_0004.member DROP COLUMN name");
        cluster.home(0).execute("DROP TABLE sharded_global.tax");
        cluster.home(0).execute("ALTER TABLE sharded_global.country RENAME COLUMN name TO named");

        refused(
                validate,
                "column name of shard_0004.member on database pg2 for io.github.shardedid.hibernate.Membership$Member",
                "table sharded_global.tax on database pg1 for io.github.shardedid.hibernate.Membership$Tax",
                "column name of sharded_global.country on database pg1",
                "Create it in a migration");
    }

    @Test
    void missingTablesAreLoggedUnlessThisIsSwitchedOff() {
        cluster.home(0).execute("DROP TABLE sharded_global.tax");
        assertThat(loggedAtStart("CatalogCheck", ShardingSettings.CHECK_TABLES, "false"))
                .isEmpty();
        assertThat(loggedAtStart("CatalogCheck")).singleElement().satisfies(message -> assertThat(message)
                .contains("table sharded_global.tax on database pg1 for", "Membership$Tax")
                .doesNotContain("member"));
    }

    private List<String> loggedAtStart(String check, String... settings) {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.github.shardedid.hibernate.internal." + check);
        logged.start();
        logger.addAppender(logged);
        try {
            starts(settings);
            return logged.list.stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .sorted()
                    .toList();
        } finally {
            logger.detachAppender(logged);
        }
    }

    @Entity
    @Table(uniqueConstraints = @UniqueConstraint(columnNames = {"member", "code"}))
    static class Voucher {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        long member;

        String code = "";

        @Column(unique = true)
        String number = "";
    }

    @Test
    void uniqueKeysThatDetermineNoShardAreLogged() {
        assertThat(loggedAtStart("ShardingIntegrator")).isEmpty();
        entities = new Class<?>[] {Voucher.class};
        assertThat(loggedAtStart("ShardingIntegrator"))
                .singleElement()
                .asString()
                .contains("voucher (number)")
                .doesNotContain("code");
    }

    @Test
    void tablesAreNeverCreated() {
        refused(List.of("hibernate.hbm2ddl.auto", "update"), "hibernate.hbm2ddl.auto is update", "migrations");
        refused(
                List.of("jakarta.persistence.schema-generation.database.action", "drop-and-create"),
                "drop-and-create",
                "validate compares the shards");
    }
}
