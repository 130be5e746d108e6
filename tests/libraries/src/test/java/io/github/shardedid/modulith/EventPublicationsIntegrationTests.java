package io.github.shardedid.modulith;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.modulith.purchases.Purchase;
import io.github.shardedid.modulith.purchases.Purchases;
import io.github.shardedid.modulith.shipping.Shipping;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.CompletedEventPublications;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The event publication registry of Spring Modulith. Shards 0 to 3 are on pg1, 4 to 7 on pg2. */
class EventPublicationsIntegrationTests {
    private static final TwoDatabases DATABASES = TwoDatabases.create();
    private static final TestDatabase PG1 = DATABASES.pg1();
    private static final TestDatabase PG2 = DATABASES.pg2();
    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void startShared() {
        context = start();
    }

    private static ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--spring.autoconfigure.exclude="));
        arguments.addAll(Arrays.asList(more));
        return DATABASES.start(ModulithApp.class, "classpath:db/modulith", arguments.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
        DATABASES.drop();
    }

    private static <T> T bean(Class<T> type) {
        return requireNonNull(context).getBean(type);
    }

    private static Purchases purchases() {
        return bean(Purchases.class);
    }

    private static Purchase buy(int shard, String article) {
        return ShardContext.call(shard, () -> purchases().buy(article));
    }

    /** Of the publications of an article: its shard and status, as the databases say. */
    private static List<String> stored(String article) {
        List<String> stored = new ArrayList<>();
        for (TestDatabase database : List.of(PG1, PG2)) {
            for (String schema : database.query("SELECT schemaname FROM pg_tables WHERE tablename = 'event_publication'"
                    + " AND schemaname ~ '^shard_[0-9]+$' ORDER BY 1")) {
                database.query("SELECT status FROM " + schema + ".event_publication WHERE serialized_event LIKE '%\""
                                + article + "\"%'")
                        .forEach(status -> stored.add(schema.replaceFirst("shard_0*(?=\\d)", "") + " " + status));
            }
        }
        return stored;
    }

    private static void awaitStored(String article, String... expected) {
        await().untilAsserted(() -> assertThat(stored(article)).containsExactly(expected));
    }

    private static void resubmit() {
        bean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
    }

    @Test
    void publicationsAreStoredAndCompletedInTheShardOfTheirTransaction() {
        buy(1, "anvil");
        buy(6, "bellows");

        awaitStored("anvil", "1 COMPLETED");
        awaitStored("bellows", "6 COMPLETED");
        assertThat(bean(Shipping.class).shipped()).contains("anvil", "bellows");
    }

    @Test
    void theShardIsThatOfTheChangedEntityWithoutAScopeAndInAnother() {
        Purchase purchase = buy(6, "chisel");
        awaitStored("chisel", "6 COMPLETED");

        purchases().correct(purchase.id(), "dowel");
        ShardContext.run(2, () -> purchases().correct(purchase.id(), "easel"));
        purchases().buy("funnel"); // in the shard that the placement chooses

        awaitStored("dowel", "6 COMPLETED");
        awaitStored("easel", "6 COMPLETED");
        await().untilAsserted(
                        () -> assertThat(stored("funnel")).singleElement(STRING).endsWith("COMPLETED"));
    }

    @Test
    void aRollbackLeavesNoPublication() {
        assertThatThrownBy(() -> ShardContext.run(6, () -> purchases().buyAndFail("gimlet")))
                .hasMessageContaining("fails after its event");

        assertThat(stored("gimlet")).isEmpty();
    }

    @Test
    void aTransactionWithoutAShardIsRefused() {
        assertThatThrownBy(() -> purchases().announce("hammer"))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("PurchasePlaced", "ShardContext.run(shard, …)");

        assertThat(stored("hammer")).isEmpty();
    }

    @Test
    void publicationsOfListenersThatFailedAreResubmittedOverAllShards() {
        Shipping.refuse("icebox");
        buy(0, "icebox");
        buy(7, "icebox");
        awaitStored("icebox", "0 FAILED", "7 FAILED");
        resubmit();
        awaitStored("icebox", "0 FAILED", "7 FAILED");

        Shipping.accept("icebox");
        resubmit();

        awaitStored("icebox", "0 COMPLETED", "7 COMPLETED");
    }

    @Test
    void failedPublicationsAreResubmittedInPortions() {
        Shipping.refuse("jigsaw");
        buy(3, "jigsaw");
        buy(4, "jigsaw");
        buy(5, "jigsaw");
        awaitStored("jigsaw", "3 FAILED", "4 FAILED", "5 FAILED");
        Shipping.accept("jigsaw");
        FailedEventPublications failed = bean(FailedEventPublications.class);

        failed.resubmit(ResubmissionOptions.defaults().withBatchSize(2).withMinAge(Duration.ZERO));
        await().until(() -> stored("jigsaw").stream()
                        .filter(line -> line.endsWith("COMPLETED"))
                        .count()
                == 2);
        failed.resubmit(ResubmissionOptions.defaults().withBatchSize(2).withMinAge(Duration.ZERO));

        awaitStored("jigsaw", "3 COMPLETED", "4 COMPLETED", "5 COMPLETED");
    }

    @Test
    void aRestartResubmits() {
        Shipping.refuse("kettle");
        try (ConfigurableApplicationContext stopped = start()) {
            ShardContext.run(2, () -> stopped.getBean(Purchases.class).buy("kettle"));
            awaitStored("kettle", "2 FAILED");
        }
        Shipping.accept("kettle");

        try (ConfigurableApplicationContext again =
                start("--spring.modulith.events.republish-outstanding-events-on-restart=true")) {
            awaitStored("kettle", "2 COMPLETED");
            assertThat(again.getBean(Shipping.class).shipped()).containsExactly("kettle");
        }
    }

    @Test
    void completedPublicationsAreArchivedInTheirShard() {
        try (ConfigurableApplicationContext archiving = start("--spring.modulith.events.completion-mode=archive")) {
            ShardContext.run(6, () -> archiving.getBean(Purchases.class).buy("oar"));

            await().untilAsserted(() -> assertThat(PG2.query("SELECT status FROM shard_0006.event_publication_archive"
                            + " WHERE serialized_event LIKE '%oar%'"))
                    .containsExactly("COMPLETED"));
            assertThat(stored("oar")).isEmpty();
            assertThat(archiving.getBean(CompletedEventPublications.class).findAll())
                    .hasSize(1);
        }
    }

    @Test
    void aTransactionOfTheGlobalDatabaseIsRefused() {
        TransactionTemplate transaction = new TransactionTemplate(bean(PlatformTransactionManager.class));

        assertThatThrownBy(() -> ShardContext.run(
                        6,
                        () -> transaction.executeWithoutResult(status -> {
                            ShardContext.runGlobal(
                                    () -> bean(JdbcTemplate.class)
                                            .update(
                                                    "DELETE FROM sharded_id_global.batch_job_instance WHERE job_instance_id < 0"));
                            purchases().announce("plane");
                        })))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("global database");
    }

    @Test
    void aPublicationMovesWithItsShard() {
        Shipping.refuse("ladder");
        buy(2, "ladder");
        awaitStored("ladder", "2 FAILED");

        DATABASES.move(requireNonNull(context), 2, "pg2");
        assertThat(PG2.query("SELECT status FROM shard_0002.event_publication WHERE serialized_event LIKE '%ladder%'"))
                .containsExactly("FAILED");
        Shipping.accept("ladder");
        resubmit();

        await().untilAsserted(() -> assertThat(PG2.query(
                        "SELECT status FROM shard_0002.event_publication WHERE serialized_event LIKE '%ladder%'"))
                .containsExactly("COMPLETED"));
    }

    @Test
    void completedPublicationsAreDeletedInAllShards() {
        buy(1, "mallet");
        buy(6, "mallet");
        awaitStored("mallet", "1 COMPLETED", "6 COMPLETED");
        CompletedEventPublications completed = bean(CompletedEventPublications.class);
        assertThat(completed.findAll())
                .filteredOn(publication -> publication.getEvent().toString().contains("mallet"))
                .hasSize(2);

        completed.deletePublications(
                publication -> publication.getEvent().toString().contains("mallet"));
        assertThat(stored("mallet")).isEmpty();

        buy(1, "nail");
        buy(6, "nail");
        awaitStored("nail", "1 COMPLETED", "6 COMPLETED");
        completed.deletePublicationsOlderThan(Duration.ZERO);
        assertThat(stored("nail")).isEmpty();
    }
}
