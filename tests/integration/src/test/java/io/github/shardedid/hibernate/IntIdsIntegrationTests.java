package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.hibernate.IntShop.Article;
import io.github.shardedid.hibernate.IntShop.Receipt;
import io.github.shardedid.hibernate.IntShop.Shop;
import io.github.shardedid.hibernate.IntShop.Visit;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The 32-bit variant: 25 · 2 · 5 bits in seconds, four shards on two databases. */
@Tag("quick")
class IntIdsIntegrationTests {
    static IdLayout layout;
    static TestCluster databases;
    static SessionFactory sessions;

    @BeforeAll
    static void start() {
        Instant epoch = Instant.now().minus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS);
        layout = new IdLayout(epoch, TimestampUnit.SECONDS, 25, 2, 5, 4);
        databases = new TestCluster(layout, 4, 2, "classpath:db/ints");
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("hibernate.default_batch_fetch_size", "8");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClasses(Shop.class, Article.class, Visit.class, Receipt.class);
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static <T> T saved(Function<Session, T> work) {
        return sessions.fromTransaction(work);
    }

    private static Shop shopIn(int shard) {
        return ShardContext.call(shard, () -> save(new Shop("shop of " + shard)));
    }

    private static <T> T save(T row) {
        return saved(session -> {
            session.persist(row);
            return row;
        });
    }

    private static Shop shop(int id) {
        Shop shop = new Shop("preset");
        shop.id = id;
        return shop;
    }

    @Test
    void everyStrategyMakesIdsOfTheParentsShard() {
        Instant before = Instant.now().minusSeconds(5);
        for (int shard = 1; shard < 4; shard++) {
            Shop shop = shopIn(shard);
            assertThat(layout.shardOf(shop.id)).isEqualTo(shard);
            Article article = save(new Article(shop, "by the column"));
            Visit visit = save(new Visit(shop.id));
            Receipt receipt = save(new Receipt(shop.id));

            assertThat(List.of(shop.id, article.id, visit.id, receipt.id.intValue()))
                    .allSatisfy(id -> assertThat(layout.shardOf(id)).isEqualTo(layout.shardOf(shop.id)))
                    .allSatisfy(id -> assertThat(layout.decode(id).instant()).isAfter(before));
            assertThat(databases.idsIn(shard, "shop")).contains((long) shop.id);
            assertThat(databases.idsIn(shard, "article")).contains(article.id.longValue());
            assertThat(databases.idsIn(shard, "visit")).contains(visit.id.longValue());
            assertThat(databases.idsIn(shard, "receipt")).contains(receipt.id);
        }
    }

    @Test
    void theJvmMakesIdsUnderALeaseAndTheDatabaseHelpsInABurst() {
        Shop shop = shopIn(3);
        await().until(() -> layout.decode(save(new Visit(shop.id)).id).node().isPresent());

        List<Integer> ids = saved(session -> {
            List<Visit> visits = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Visit visit = new Visit(shop.id);
                session.persist(visit);
                visits.add(visit);
            }
            return visits.stream().map(visit -> visit.id).toList();
        });

        assertThat(ids).isSorted().doesNotHaveDuplicates().allMatch(id -> id > 0 && layout.shardOf(id) == 3);
        assertThat(ids).anyMatch(id -> layout.decode(id).node().isPresent());
        assertThat(ids).anyMatch(id -> layout.decode(id).node().isEmpty());
        assertThat(databases.idsIn(3, "visit"))
                .containsAll(ids.stream().map(Integer::longValue).toList());
    }

    @Test
    void rowsAreReadUpdatedAndDeletedById() {
        Shop shop = shopIn(1);
        Article article = new Article(shop, "before");
        article.tags.add("new");
        save(article);

        sessions.inTransaction(session -> {
            Article found = session.find(Article.class, article.id);
            assertThat(Hibernate.isInitialized(found.shop)).isFalse();
            assertThat(found.shop.name()).isEqualTo("shop of 1");
            assertThat(found.tags).containsExactly("new");
            assertThat(found.shop.articles()).containsExactly(found);
            found.name = "after";
        });
        article.name = "merged";
        sessions.inTransaction(session -> session.merge(article));
        try (StatelessSession session = sessions.openStatelessSession()) {
            assertThat(session.get(Article.class, article.id).name).isEqualTo("merged");
        }
        sessions.inTransaction(session -> session.remove(session.find(Article.class, article.id)));
        assertThat(databases.idsIn(1, "article")).doesNotContain(article.id.longValue());
        Article gone = saved(session -> session.find(Article.class, article.id));
        assertThat(gone).isNull();
    }

    @Test
    void rowsOfSeveralShardsAreReadInOneCallEachWithItsOwnCollections() {
        List<Shop> shops =
                IntStream.range(1, 4).mapToObj(IntIdsIntegrationTests::shopIn).toList();
        shops.forEach(shop -> save(new Article(shop, "of all")));
        sessions.inTransaction(session -> {
            List<Shop> found = session.findMultiple(
                    Shop.class, shops.stream().map(shop -> shop.id).toList());
            assertThat(found)
                    .extracting(shop -> shop.id)
                    .containsExactlyElementsOf(
                            shops.stream().map(shop -> shop.id).toList());
            found.forEach(shop -> assertThat(shop.articles).hasSize(1));
        });
    }

    @Test
    void queriesByTheIdAndByTheParentFindTheRows() {
        Shop shop = shopIn(2);
        Article article = save(new Article(shop, "queried"));

        List<Article> found = ShardContext.call(
                2,
                () -> saved(session -> session.createSelectionQuery(
                                "from Article a where a.id = :id and a.shop.id = :shop", Article.class)
                        .setParameter("id", article.id)
                        .setParameter("shop", shop.id)
                        .getResultList()));

        assertThat(found).extracting(row -> row.id).containsExactly(article.id);
    }

    @Test
    void presetIdsAreKeptByAllStrategiesAndThoseOfNoShardRefused() {
        Shop shop = shopIn(2);
        int preset = Math.toIntExact(layout.encode(1_000, 2, 7));
        sessions.inTransaction(session -> {
            session.persist(shop(preset));
            Article article = new Article(shop, "imported");
            article.id = preset;
            session.persist(article);
            Visit visit = new Visit(shop.id);
            visit.id = preset;
            session.merge(visit);
        });
        for (String table : List.of("shop", "article", "visit")) {
            assertThat(databases.idsIn(2, table)).contains((long) preset);
        }
        assertThatThrownBy(() -> save(shop(-5))).hasStackTraceContaining(MalformedIdException.class.getName());
        Shop negative = saved(session -> session.find(Shop.class, -5));
        assertThat(negative).isNull();
        Receipt wide = new Receipt(shop.id);
        wide.id = 1L << 31;
        assertThatThrownBy(() -> save(wide))
                .hasStackTraceContaining(MalformedIdException.class.getName())
                .hasStackTraceContaining("ids are 0 to 2147483647");
    }

    @Test
    void theLastIdIsTheLargestIntAndNoneComesAfterIt() {
        int shard = 0; // which no other test uses: there is no way back
        long last = layout.encode(layout.maxTimestamp(), shard, layout.databaseSequences() - 1);
        Shop shop = shopIn(shard);
        for (String table : List.of("article", "visit", "receipt")) {
            databases.home(shard).query("SELECT setval('shard_0000." + table + "_id_seq', " + (last - 1) + ")");
        }
        assertThat(save(new Article(shop, "last")).id.longValue()).isEqualTo(last);
        assertThatThrownBy(() -> save(new Article(shop, "one too many")))
                .hasStackTraceContaining("No id can be made for shard 0");
        assertThat(save(new Receipt(shop.id)).id).isEqualTo(last);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> save(new Receipt(shop.id)))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
        }
        assertThat(databases.idsIn(shard, "article")).allMatch(id -> id >= 0 && id <= last);
    }

    @Test
    void aTypeThatCannotHoldAnIdIsRefusedAtStartUp() {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.addAnnotatedClass(GuardsIntegrationTests.ShortId.class);

        assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                .hasStackTraceContaining("need an Integer, int, Long or long");
    }

    /** An id takes a sixteenth of a second here, so that a large block would use up minutes for a few rows. */
    @Test
    void noBlockReservesMoreIdsThanASecondHas() {
        Shop shop = shopIn(1);
        int rows = 80;
        for (int i = 0; i < rows; i++) {
            save(new Receipt(shop.id));
        }
        long last = databases.home(1).queryLong("SELECT pg_sequence_last_value('shard_0001.receipt_id_seq')");
        Duration ahead = Duration.between(Instant.now(), layout.decode(last).instant());
        assertThat(ahead.toSeconds()).isLessThanOrEqualTo(rows / layout.databaseSequences() + 1);
    }
}
