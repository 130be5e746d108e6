package io.github.shardedid.extensions;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The rows of docs/libraries.md that name this class. Shards 0 to 3 are on pg1, 4 to 7 on pg2. */
class ExtensionsIntegrationTests {
    private static final TestDatabase PG1 = PostgresServers.shared(1).newDatabase();
    private static final TestDatabase PG2 = PostgresServers.shared(2).newDatabase();
    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "spring.liquibase.enabled=false",
                "spring.batch.job.enabled=false",
                "sharded-id.epoch=2024-01-01T00:00:00Z",
                "sharded-id.shards=8",
                "sharded-id.migrations=classpath:db/extensions",
                "spring.batch.jdbc.initialize-schema=always",
                "sharded-id.global.database=pg1",
                "sharded-id.global.migrations="));
        List<TestDatabase> databases = List.of(PG1, PG2);
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.add(
                    prefix + "url=" + (i == 0 ? database.url() : database.url().replace("jdbc:", "jdbc:p6spy:")));
            properties.add(prefix + "username=" + database.server().username());
            properties.add(prefix + "password=" + database.server().password());
            properties.add(prefix + "shards=" + (i == 0 ? "0-3" : "4-7"));
        }
        context = new SpringApplicationBuilder(ExtensionsApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
        PG1.drop();
        PG2.drop();
    }

    private static <T> T bean(Class<T> type) {
        return requireNonNull(context).getBean(type);
    }

    private static BookRepository books() {
        return bean(BookRepository.class);
    }

    private static Book book(int shard, String title, String language) {
        return ShardContext.call(shard, () -> books().save(new Book(title, language)));
    }

    /** The result of work in a transaction that sees Italian rows only. */
    private static <T> T inItalian(Supplier<T> work) {
        return requireNonNull(new TransactionTemplate(bean(PlatformTransactionManager.class)).execute(status -> {
            bean(EntityManager.class)
                    .unwrap(Session.class)
                    .enableFilter("language")
                    .setParameter("language", "it");
            return work.get();
        }));
    }

    @Test
    void filtersApplyInOneShardAndInAll() {
        Book english = book(1, "filtered", "en");
        Book italian = book(2, "filtered", "it");
        Book far = book(6, "filtered", "it");
        List<Long> ids = List.of(english.id(), italian.id(), far.id());

        assertThat(inItalian(() -> books().findByTitleOrderByLanguage("filtered")))
                .extracting(Book::id)
                .containsExactlyInAnyOrder(italian.id(), far.id());
        assertThat(inItalian(() -> books().findByIdInAndTitle(ids, "filtered")))
                .extracting(Book::id)
                .containsExactlyInAnyOrder(italian.id(), far.id());
        assertThat(inItalian(() -> bean(EntityManager.class)
                        .createQuery("from Book where title = :title and id = :id", Book.class)
                        .setParameter("title", "filtered")
                        .setParameter("id", far.id())
                        .getResultList()))
                .hasSize(1);
        assertThat(inItalian(() -> ShardContext.call(1, () -> books().findAll())))
                .isEmpty();
    }

    @Test
    void filtersApplyToCollections() {
        Book book = book(6, "reviewed", "it");
        ReviewRepository reviews = bean(ReviewRepository.class);
        reviews.saveAll(List.of(new Review(book, "it"), new Review(book, "en")));

        assertThat(inItalian(
                        () -> books().findById(book.id()).orElseThrow().reviews.size()))
                .isOne();
    }

    @Test
    void aRetriedTransactionStoresItsChange() {
        Book book = book(6, "old title", "en");
        BookShop shop = bean(BookShop.class);

        shop.rename(
                book.id(),
                "new title",
                () -> PG2.execute("UPDATE shard_0006.book SET version = version + 1 WHERE id = " + book.id()));

        assertThat(shop.attempts()).isEqualTo(2);
        assertThat(PG2.query("SELECT title FROM shard_0006.book WHERE id = " + book.id()))
                .containsExactly("new title");
    }

    @Test
    void jsonOfHypersistenceUtils() {
        Book book = new Book("JSON", "en");
        book.details.put("pages", "300");
        ShardContext.run(6, () -> books().save(book));

        assertThat(books().findById(book.id()).orElseThrow().details).containsEntry("pages", "300");
        assertThat(PG2.query("SELECT details ->> 'pages' FROM shard_0006.book WHERE id = " + book.id()))
                .containsExactly("300");
        assertThat(books().findByTitleOrderByLanguage("JSON"))
                .singleElement()
                .satisfies(found -> assertThat(found.details).containsEntry("pages", "300"));
    }

    @Test
    void datasourceProxyReceivesTheStatementsOfItsDatabase() {
        Book book = book(1, "proxied", "en");
        ExtensionsApp.PROXIED.clear();

        assertThat(books().findById(book.id())).isPresent();

        assertThat(ExtensionsApp.PROXIED).anyMatch(sql -> sql.contains(".book b1_0 where"));
        assertThatThrownBy(() -> ShardContext.run(1, () -> books().save(withoutTitle())))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void p6spyReceivesTheStatementsOfItsDatabase() {
        Book book = book(6, "spied", "en");
        Logger logger = (Logger) LoggerFactory.getLogger("p6spy");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);

        assertThat(books().findById(book.id())).isPresent();

        logger.detachAppender(log);
        assertThat(List.copyOf(log.list))
                .anyMatch(event -> event.getFormattedMessage().contains(".book b1_0 where"));
        assertThatThrownBy(() -> ShardContext.run(6, () -> books().save(withoutTitle())))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    @SuppressWarnings("NullAway")
    private static Book withoutTitle() {
        return new Book(null, "en");
    }
}
