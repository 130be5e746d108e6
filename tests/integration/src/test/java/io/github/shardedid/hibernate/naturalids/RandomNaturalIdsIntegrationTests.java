package io.github.shardedid.hibernate.naturalids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.hibernate.naturalids.Library.Book;
import io.github.shardedid.hibernate.naturalids.Library.Card;
import io.github.shardedid.hibernate.naturalids.Library.Owner;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.KeyType;
import org.hibernate.LockMode;
import org.hibernate.OrderingMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random work on rows with natural ids, with shards and with plain Hibernate on one database: the outcomes are the same. */
@SuppressWarnings("deprecation") // byNaturalId: applications still use it
class RandomNaturalIdsIntegrationTests {
    private static final int STEPS = 200;

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    /** Two in each shard. */
    private final List<Long> owners = Stream.iterate(0, i -> i < 16, i -> i + 1)
            .map(i -> IdLayout.DEFAULT.encode(1 + i / 8, i % 8, 1))
            .toList();

    private int rows;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void outcomesAndRowsAreThoseOfPlainHibernate(boolean cached) {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (LibraryCluster sharded = new LibraryCluster(cached)) {
            database.execute(Library.TABLES + Library.TAGS);
            try (SessionFactory plain = PlainHibernate.on(
                    database, LibraryCluster.settings(cached), Library.ENTITIES, List.of(Library.ENTITIES))) {
                for (int i = 0; i < owners.size(); i++) {
                    insertOwner(sharded.sessions, owners.get(i));
                    insertOwner(plain, owners.get(i));
                }
                for (int step = 0; step < STEPS; step++) {
                    Function<Session, @Nullable Object> work = work(step);
                    int scope = random.nextInt(2 * LibraryCluster.SHARDS);
                    Object outcome = scope < LibraryCluster.SHARDS
                            ? ShardContext.call(
                                    scope, () -> PlainHibernate.outcome(() -> sharded.sessions.fromTransaction(work)))
                            : PlainHibernate.outcome(() -> sharded.sessions.fromTransaction(work));
                    assertThat(outcome)
                            .as("step " + step + " of -Dsharded-id.test.seed=" + seed)
                            .isEqualTo(PlainHibernate.outcome(() -> plain.fromTransaction(work)));
                }
            }
            compare(sharded, database);
        } finally {
            database.drop();
        }
    }

    private static void insertOwner(SessionFactory sessions, long id) {
        sessions.inTransaction(session -> {
            Owner owner = new Owner("owner " + id);
            owner.id = id;
            session.persist(owner);
        });
    }

    private static @Nullable Card card(Session session, long owner, String name) {
        return session.byNaturalId(Card.class)
                .using("owner", session.getReference(Owner.class, owner))
                .using("name", name)
                .load();
    }

    private static @Nullable Book book(Session session, long owner, String title) {
        return session.find(
                Book.class, Map.of("owner", session.getReference(Owner.class, owner), "title", title), KeyType.NATURAL);
    }

    private static int shardOf(long id) {
        return IdLayout.DEFAULT.decode(id).shard();
    }

    private static String text(@Nullable Card card) {
        return card == null ? "none" : card.id + card.name + card.words;
    }

    private static String text(@Nullable Book book) {
        return book == null ? "none" : book.id + book.title + book.words;
    }

    /** One transaction, with the same random choices on both sides. Writes to one shard, and reads any. */
    private Function<Session, @Nullable Object> work(int step) {
        long owner = owners.get(random.nextInt(owners.size()));
        long other = owners.get(random.nextInt(owners.size()));
        String name = "name " + random.nextInt(3);
        String another = "name " + random.nextInt(3);
        String words = "words of " + step;
        long id = IdLayout.DEFAULT.encode(100 + rows++, shardOf(owner), 1);
        boolean flushed = random.nextBoolean();
        return switch (random.nextInt(19)) {
            case 0, 1 ->
                session -> {
                    Card card = new Card(session.getReference(Owner.class, owner), name, words);
                    card.id = id;
                    session.persist(card);
                    return text(card(session, owner, name)) + text(card(session, other, name));
                };
            case 2, 3 ->
                session -> {
                    Book book = new Book(session.getReference(Owner.class, owner), name, words);
                    book.id = id;
                    session.persist(book);
                    return text(book(session, owner, name)) + text(book(session, other, name));
                };
            case 4 ->
                session -> text(card(session, owner, name))
                        + text(card(session, other, name))
                        + text(card(session, owner, another))
                        + text(card(session, owner, name));
            case 5 -> session -> text(book(session, owner, name)) + text(book(session, other, name));
            case 6 ->
                session -> {
                    Card card = session.byNaturalId(Card.class)
                            .using(Map.of("owner", session.find(Owner.class, owner), "name", name))
                            .getReference();
                    return card == null ? "none" : card.getWords();
                };
            case 7 ->
                session -> {
                    Card card = card(session, owner, name);
                    if (card != null) {
                        card.name = another;
                        card.words = words;
                    }
                    if (flushed) {
                        session.flush();
                    }
                    return text(card(session, owner, name))
                            + text(card(session, owner, another))
                            + text(card(session, other, name));
                };
            case 8 ->
                session -> {
                    Card card = card(session, owner, name);
                    if (card != null) {
                        session.remove(card);
                    }
                    if (flushed) {
                        session.flush();
                    }
                    return text(card(session, owner, name)) + text(card(session, other, name));
                };
            case 9 ->
                session -> {
                    Card card = card(session, owner, name);
                    if (card == null) {
                        return "none";
                    }
                    session.detach(card);
                    card.name = another;
                    Card merged = session.merge(card);
                    return text(merged) + text(card(session, owner, name)) + text(card(session, owner, another));
                };
            case 10 ->
                session -> session
                        .findMultiple(
                                Card.class,
                                Stream.of(owner, other)
                                        .map(each ->
                                                Map.of("owner", session.getReference(Owner.class, each), "name", name))
                                        .toList(),
                                KeyType.NATURAL)
                        .stream()
                        .map(each -> text(each))
                        .toList();
            case 11 ->
                session -> session
                        .findMultiple(
                                Book.class,
                                owners.stream()
                                        .map(each ->
                                                Map.of("owner", session.getReference(Owner.class, each), "title", name))
                                        .toList(),
                                KeyType.NATURAL,
                                OrderingMode.UNORDERED)
                        .stream()
                        .map(each -> text(each))
                        .sorted()
                        .toList();
            case 12 ->
                session -> {
                    int found = session.createQuery("from Card c where c.owner.id = :owner", Card.class)
                            .setParameter("owner", owner)
                            .getResultList()
                            .size();
                    return found + text(card(session, owner, name)) + text(card(session, other, name));
                };
            case 13 ->
                session -> {
                    Card card = session.byNaturalId(Card.class)
                            .using("owner", session.getReference(Owner.class, owner))
                            .using("name", name)
                            .with(LockMode.PESSIMISTIC_WRITE)
                            .load();
                    return text(card) + (card == null ? "" : session.getCurrentLockMode(card));
                };
            case 14 ->
                session -> {
                    Card card = card(session, owner, name);
                    if (card != null && flushed) {
                        session.evict(card);
                    } else {
                        session.clear();
                    }
                    return text(card(session, owner, name));
                };
            case 15 ->
                session -> {
                    Card card = card(session, owner, name);
                    if (card != null) {
                        card.name = another;
                        session.flush();
                    }
                    throw new IllegalStateException("Rolled back");
                };
            case 16 ->
                session -> {
                    Book book = book(session, owner, name);
                    if (book != null && flushed) {
                        book.title = another;
                    } else if (book != null) {
                        session.remove(book);
                    }
                    session.flush();
                    return text(book(session, owner, name)) + text(book(session, owner, another));
                };
            case 17 ->
                session -> {
                    Card card = card(session, owner, name);
                    ShardContext.run(shardOf(owner), () -> session.createMutationQuery(
                                    "update Card c set c.words = :words where c.owner.id = :owner")
                            .setParameter("words", words)
                            .setParameter("owner", owner)
                            .executeUpdate());
                    if (card != null) {
                        session.refresh(card);
                    }
                    return text(card) + text(card(session, owner, another));
                };
            default ->
                session -> {
                    Book detached = new Book(session.getReference(Owner.class, owner), name, words);
                    Book found = book(session, owner, name);
                    if (found == null) {
                        return "none";
                    }
                    detached.id = found.id;
                    session.clear();
                    return text(session.merge(detached)) + text(book(session, owner, name));
                };
        };
    }

    /** Each row is in the shard of its owner, and there are no others. */
    private void compare(LibraryCluster sharded, TestDatabase plain) {
        for (String table : List.of("book", "card")) {
            String columns =
                    "id || ' ' || owner_id || ' ' || " + (table.equals("book") ? "title" : "name") + " || words";
            List<String> found = new ArrayList<>();
            for (int shard = 0; shard < LibraryCluster.SHARDS; shard++) {
                List<String> here = sharded.rows(shard, "SELECT " + columns + " FROM $." + table);
                int expected = shard;
                assertThat(here).allMatch(row -> shardOf(Long.parseLong(row.split(" ", -1)[1])) == expected);
                found.addAll(here);
            }
            assertThat(found)
                    .as(table + ", -Dsharded-id.test.seed=" + seed)
                    .containsExactlyInAnyOrderElementsOf(plain.query("SELECT " + columns + " FROM " + table));
        }
    }
}
