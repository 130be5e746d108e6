package io.github.shardedid.extensions;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.blazebit.persistence.CriteriaBuilder;
import com.blazebit.persistence.CriteriaBuilderFactory;
import com.blazebit.persistence.PagedList;
import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.test.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.hibernate.search.mapper.orm.Search;
import org.hibernate.search.util.common.SearchException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Libraries of docs/libraries.md. Shards 0 to 3 are on pg1, 4 to 7 on pg2. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ExtensionsIntegrationTests {
    private static final TwoDatabases DATABASES = TwoDatabases.create();
    private static final TestDatabase PG2 = DATABASES.pg2();
    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = DATABASES.start(
                ExtensionsApp.class,
                "classpath:db/extensions",
                "--jdbc.datasource-proxy.enabled=true",
                "--spring.jpa.properties.hibernate.search.enabled=true",
                "--spring.jpa.properties.hibernate.search.backend.directory.type=local-heap",
                "--spring.jpa.properties.hibernate.search.indexing.plan.synchronization.strategy=sync",
                "--sharded-id.databases.pg2.url=" + PG2.url().replace("jdbc:", "jdbc:p6spy:"));
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
        AtomicInteger attempts = new AtomicInteger();

        bean(BookShop.class).rename(book.id(), "new title", () -> {
            if (attempts.incrementAndGet() == 1) {
                PG2.execute("UPDATE shard_0006.book SET version = version + 1 WHERE id = " + book.id());
            }
        });

        assertThat(attempts).hasValue(2);
        assertThat(DATABASES.query(6, "SELECT title FROM $.book WHERE id = " + book.id()))
                .containsExactly("new title");
    }

    @Test
    void hibernateSearchFindsTheRowsOfAllShards() throws Exception {
        Book near = book(1, "searched near", "en");
        Book far = book(6, "searched far", "en");
        BookSearch search = bean(BookSearch.class);
        assertThat(search.titled("searched")).extracting(Book::id).containsExactlyInAnyOrder(near.id(), far.id());

        bean(BookShop.class).rename(far.id(), "found far", () -> {});
        books().deleteById(near.id());

        assertThat(search.titled("searched")).isEmpty();
        assertThat(search.titled("found")).extracting(Book::id).containsExactly(far.id());
    }

    @Test
    void aMassIndexerNeedsTheShardInItsThreads() throws Exception {
        Book near = book(1, "massive", "en");
        Book far = book(6, "massive", "en");
        BookSearch search = bean(BookSearch.class);
        assertThatThrownBy(() -> Search.mapping(bean(EntityManagerFactory.class))
                        .scope(Book.class)
                        .massIndexer()
                        .startAndWait())
                .isInstanceOf(SearchException.class)
                .hasCauseInstanceOf(NoShardException.class);
        assertThat(search.titled("massive")).isEmpty();

        search.rebuild();

        assertThat(search.titled("massive")).extracting(Book::id).containsExactlyInAnyOrder(near.id(), far.id());
    }

    private static CriteriaBuilder<Book> blaze() {
        return bean(CriteriaBuilderFactory.class).create(bean(EntityManager.class), Book.class);
    }

    @Test
    void queriesOfBlazePersistenceAreRoutedAsThoseOfHql() {
        Book near = book(1, "blazing", "en");
        Book far = book(6, "blazing", "en");

        assertThat(blaze().where("id").eq(far.id()).getResultList())
                .extracting(Book::id)
                .containsExactly(far.id());
        assertThat(blaze().where("id").in(near.id(), far.id()).getResultList()).hasSize(2);
        CriteriaBuilder<Book> titled = blaze().where("title").eq("blazing").orderByAsc("id");
        assertThatThrownBy(titled::getResultList).isInstanceOf(NoShardException.class);
        PagedList<Book> page = ShardContext.call(
                ShardSet.all(),
                () -> titled.page(1, 1).withInlineCountQuery(false).getResultList());
        assertThat(page).extracting(Book::id).containsExactly(Math.max(near.id(), far.id()));
        assertThat(page.getTotalSize()).isEqualTo(2);
    }

    @Test
    void updatesOfBlazePersistenceAreOfTheScopesShard() {
        Book near = book(1, "blazed", "en");
        Book far = book(6, "blazed", "en");

        ShardContext.run(6, () -> new TransactionTemplate(bean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> bean(CriteriaBuilderFactory.class)
                        .update(bean(EntityManager.class), Book.class)
                        .set("title", "burnt")
                        .where("title")
                        .eq("blazed")
                        .executeUpdate()));

        assertThat(DATABASES.query(6, "SELECT title FROM $.book WHERE id = " + far.id()))
                .containsExactly("burnt");
        assertThat(DATABASES.query(1, "SELECT title FROM $.book WHERE id = " + near.id()))
                .containsExactly("blazed");
    }

    /** The last one, since nobody but the databases' errors tells the application of a move then. */
    @Test
    @Order(Integer.MAX_VALUE)
    void aTransactionIsRetriedWhereItsShardHasMoved() {
        Book beside = book(1, "beside", "en");
        Book book = book(0, "old place", "en");
        AtomicInteger attempts = new AtomicInteger();
        bean(ShardMapKeeper.class).close();

        bean(BookShop.class).renameBeside(beside.id(), book.id(), "new place", () -> {
            if (attempts.incrementAndGet() == 1) {
                DATABASES.move(requireNonNull(context), 0, "pg2");
            }
        });

        assertThat(attempts).hasValue(2);
        assertThat(PG2.query("SELECT title FROM shard_0000.book WHERE id = " + book.id()))
                .containsExactly("new place");
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
    void datasourceMicrometerObservesTheStatementsOfAllDatabases() {
        Book near = book(1, "observed", "en");
        Book far = book(6, "observed", "en");
        ExtensionsApp.OBSERVED.clear();

        assertThat(books().findById(near.id())).isPresent();
        assertThat(books().findById(far.id())).isPresent();
        assertThat(books().findByTitleOrderByLanguage("observed")).hasSize(2);

        assertThat(ExtensionsApp.OBSERVED.stream().filter(query -> query.contains("book b1_0 where")))
                .hasSize(3);
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
