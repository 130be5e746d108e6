package io.github.shardedid.boot.ints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Four shards of 32-bit ids, two on each of two databases, through repositories. */
class IntIdsIntegrationTests {
    private static final List<TestDatabase> DATABASES = new ArrayList<>();

    static ConfigurableApplicationContext context;
    static ShopRepository shops;
    static ArticleRepository articles;
    static VisitRepository visits;

    @BeforeAll
    static void start() {
        Instant epoch = Instant.now().minus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS);
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.epoch=" + epoch,
                "sharded-id.shards=4",
                "sharded-id.jvm-nodes=4",
                "sharded-id.layout.unit=seconds",
                "sharded-id.layout.timestamp-bits=25",
                "sharded-id.layout.shard-bits=2",
                "sharded-id.layout.sequence-bits=5",
                "sharded-id.migrations=classpath:db/ints"));
        for (int i = 1; i <= 2; i++) {
            TestDatabase database = PostgresServers.shared(i).newDatabase();
            DATABASES.add(database);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
            properties.add("sharded-id.databases.pg" + i + ".shards=" + (i == 1 ? "0-1" : "2-3"));
        }
        context = new SpringApplicationBuilder(IntApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
        shops = context.getBean(ShopRepository.class);
        articles = context.getBean(ArticleRepository.class);
        visits = context.getBean(VisitRepository.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        DATABASES.forEach(TestDatabase::drop);
    }

    private static IdLayout layout() {
        return context.getBean(Cluster.class).layout();
    }

    private static Shop shopIn(int shard) {
        return ShardContext.call(shard, () -> shops.save(new Shop("shop of " + shard)));
    }

    private static void inTransaction(Runnable work) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.run());
    }

    @Test
    void rowsAreSavedInTheirParentsShardAndFoundByTheirIds() {
        for (int shard = 0; shard < 4; shard++) {
            Shop shop = shopIn(shard);
            Article article = articles.save(new Article(shop, "a"));
            Visit visit = visits.save(new Visit(shop.id()));

            assertThat(List.of(shop.id(), article.id(), visit.id()))
                    .extracting(id -> layout().shardOf(id))
                    .containsOnly(shard);
            assertThat(shops.findById(shop.id())).get().extracting(Shop::name).isEqualTo("shop of " + shard);
            assertThat(articles.findById(article.id()))
                    .get()
                    .extracting(Article::name)
                    .isEqualTo("a");
            assertThat(articles.findByShopIdOrderById(shop.id()))
                    .extracting(Article::id)
                    .containsExactly(article.id());
            assertThat(articles.countByShop(shop)).isEqualTo(1);
            assertThat(visits.findByShopId(shop.id())).extracting(Visit::id).containsExactly(visit.id());
            assertThat(visits.findById(visit.id()))
                    .get()
                    .extracting(Visit::shopId)
                    .isEqualTo(shop.id());
            assertThat(shops.nameOf(shop.id())).contains("shop of " + shard);
            inTransaction(() -> assertThat(
                            articles.getReferenceById(article.id()).shop().id())
                    .isEqualTo(shop.id()));
        }
    }

    @Test
    void rowsAreChangedAndDeletedByTheirIds() {
        Shop shop = shopIn(2);
        shop.rename("renamed");
        shops.save(shop);
        assertThat(shops.findById(shop.id())).get().extracting(Shop::name).isEqualTo("renamed");
        assertThat(shops.existsById(shop.id())).isTrue();

        shops.deleteById(shop.id());

        assertThat(shops.existsById(shop.id())).isFalse();
        assertThat(shops.findById(shop.id())).isEmpty();
    }

    @Test
    void aSecondShardIsRefusedAndIdsOfNoShardAreNotFound() {
        Shop one = shopIn(1);
        Shop two = shopIn(2);
        assertThatThrownBy(() -> inTransaction(() -> {
                    articles.save(new Article(one, "a"));
                    articles.save(new Article(two, "b"));
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThat(articles.countByShop(one)).isZero();
        assertThat(shops.findById(-1)).isEmpty();
        assertThat(shops.findById(Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void leasesOfNodesAreMeasured() {
        Shop shop = shopIn(3);
        await().until(() ->
                layout().decode(visits.save(new Visit(shop.id())).id()).node().isPresent());

        MeterRegistry meters = context.getBean(MeterRegistry.class);
        assertThat(meters.get("sharded.id.lease.fallbacks")
                        .tag("reason", "no_lease_yet")
                        .functionCounter()
                        .count())
                .isPositive();
        assertThat(meters.get("sharded.id.epoch.left").timeGauge().value()).isBetween(160.0 * 86_400, 165.0 * 86_400);
        assertThat(meters.get("hikaricp.connections").tag("pool", "pg2").gauge().value())
                .isPositive();
    }
}
