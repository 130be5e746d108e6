package io.github.shardedid.hibernate.naturalids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.naturalids.Library.Book;
import io.github.shardedid.hibernate.naturalids.Library.Card;
import io.github.shardedid.hibernate.naturalids.Library.Copy;
import io.github.shardedid.hibernate.naturalids.Library.Loan;
import io.github.shardedid.hibernate.naturalids.Library.Login;
import io.github.shardedid.hibernate.naturalids.Library.Owner;
import io.github.shardedid.hibernate.naturalids.Library.Place;
import io.github.shardedid.hibernate.naturalids.Library.Seat;
import io.github.shardedid.hibernate.naturalids.Library.SeatKey;
import io.github.shardedid.hibernate.naturalids.Library.Stand;
import io.github.shardedid.hibernate.naturalids.Library.Tag;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.KeyType;
import org.hibernate.LockMode;
import org.hibernate.OrderingMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lookups by natural ids go to the shards that these name, without a scope and in the scope of another shard. */
@SuppressWarnings("deprecation") // byNaturalId and the like: applications still use them
@org.junit.jupiter.api.Tag("quick") // Tag is an entity here
class NaturalIdsIntegrationTests {
    private static LibraryCluster cluster;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        cluster = new LibraryCluster(true);
        sessions = cluster.sessions;
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    private static <T> T saved(T row) {
        sessions.inTransaction(session -> session.persist(row));
        return row;
    }

    /** The same without a scope, in the scope of another shard and in that of the global database. */
    private static List<@Nullable Object> everywhere(Function<Session, @Nullable Object> lookup) {
        List<@Nullable Object> found = new ArrayList<>();
        found.add(sessions.fromTransaction(lookup));
        found.add(ShardContext.call(7, () -> sessions.fromTransaction(lookup)));
        found.add(ShardContext.callGlobal(() -> sessions.fromTransaction(lookup)));
        return found;
    }

    private static List<@Nullable Object> times3(@Nullable Object value) {
        return Stream.generate(() -> value).limit(3).toList();
    }

    @Test
    void aRowIsFoundInTheShardThatItsNaturalIdNames() {
        Owner three = cluster.owner(3);
        Owner six = cluster.owner(6);
        saved(new Book(three, "Dune", "of three"));
        saved(new Book(six, "Dune", "of six"));

        for (Owner owner : List.of(three, six)) {
            String words =
                    owner.name.replace("owner ", "").replace("of 3", "of three").replace("of 6", "of six");
            assertThat(everywhere(session -> session.byNaturalId(Book.class)
                            .using("owner", session.getReference(Owner.class, owner.id))
                            .using("title", "Dune")
                            .load()
                            .words))
                    .isEqualTo(times3(words));
            assertThat(everywhere(session -> session.byNaturalId(Book.class)
                            .using(Map.of("owner", owner, "title", "Dune"))
                            .getReference()
                            .getWords()))
                    .isEqualTo(times3(words));
            assertThat(everywhere(session ->
                            session.find(Book.class, Map.of("owner", owner, "title", "Dune"), KeyType.NATURAL).words))
                    .isEqualTo(times3(words));
            assertThat(everywhere(session -> session.byNaturalId(Book.class)
                            .using(Map.of("owner", owner, "title", "Dune"))
                            .with(LockMode.PESSIMISTIC_WRITE)
                            .load()
                            .words))
                    .isEqualTo(times3(words));
        }
    }

    @Test
    void oneSessionHasRowsOfSeveralShardsWithEqualNames() {
        Owner three = cluster.owner(3);
        Owner six = cluster.owner(6);
        saved(new Card(three, "red", "of three"));
        saved(new Card(six, "red", "of six"));

        sessions.inTransaction(session -> {
            Owner first = session.getReference(Owner.class, three.id);
            Owner second = session.getReference(Owner.class, six.id);
            for (int round = 0; round < 2; round++) {
                assertThat(card(session, first, "red").words).isEqualTo("of three");
                assertThat(card(session, second, "red").words).isEqualTo("of six");
            }
            card(session, first, "red").name = "blue";
            assertThat(session.byNaturalId(Card.class)
                            .using("owner", first)
                            .using("name", "red")
                            .load())
                    .isNull();
            assertThat(card(session, second, "red").words).isEqualTo("of six");
            session.flush();
            assertThat(card(session, first, "blue").words).isEqualTo("of three");
        });
        assertThat(cluster.rows(3, "SELECT name FROM $.card WHERE owner_id = " + three.id))
                .containsExactly("blue");
    }

    private static Card card(Session session, Owner owner, String name) {
        return session.byNaturalId(Card.class)
                .using("owner", owner)
                .using("name", name)
                .load();
    }

    @Test
    void aNaturalIdOfOneAttributeNamesTheShardByItsHash() {
        saved(new Login("ann", "of ann"));

        assertThat(everywhere(session -> session.bySimpleNaturalId(Login.class).load("ann").words))
                .isEqualTo(times3("of ann"));
        assertThat(everywhere(session -> session.find(Login.class, "ann", KeyType.NATURAL).words))
                .isEqualTo(times3("of ann"));
        assertThat(everywhere(session -> session.bySimpleNaturalId(Login.class).load("nobody")))
                .isEqualTo(times3(null));
        assertThat(everywhere(session -> session.bySimpleNaturalId(Login.class).getReference("nobody")))
                .isEqualTo(times3(null));
        saved(new Login("bob", "of bob"));
        assertThat(everywhere(
                        session -> session.byMultipleNaturalId(Login.class).multiLoad("bob", "nobody", "ann").stream()
                                .map(login -> login == null ? "none" : login.words)
                                .toList()))
                .isEqualTo(times3(List.of("of bob", "none", "of ann")));
    }

    @Test
    void severalRowsAreFoundInSeveralShardsInTheOrderOfTheirKeys() {
        List<SeatKey> keys = new ArrayList<>();
        for (long tenant = 10; tenant < 18; tenant++) {
            keys.add(new SeatKey(tenant, "A1"));
            if (tenant != 12) {
                saved(new Seat(tenant, "A1", "of " + tenant));
            }
        }
        assertThat(everywhere(session -> session.findMultiple(Seat.class, keys, KeyType.NATURAL).stream()
                        .map(seat -> seat == null ? "none" : seat.words)
                        .toList()))
                .isEqualTo(times3(List.of("of 10", "of 11", "none", "of 13", "of 14", "of 15", "of 16", "of 17")));
        assertThat(everywhere(session ->
                        session.findMultiple(Seat.class, keys, KeyType.NATURAL, OrderingMode.UNORDERED).stream()
                                .map(seat -> seat.words)
                                .sorted()
                                .toList()))
                .isEqualTo(times3(List.of("of 10", "of 11", "of 13", "of 14", "of 15", "of 16", "of 17")));
    }

    @Test
    void theKeyMayBeInAnEmbeddable() {
        saved(new Stand(new Place("acme", 1)));

        assertThat(everywhere(session -> Objects.requireNonNull(
                                session.bySimpleNaturalId(Stand.class).load(new Place("acme", 1)).place)
                        .hall()))
                .isEqualTo(times3(1));
    }

    @Test
    void anAssociationToARowOfTheSameShardNamesIt() {
        Book book = saved(new Book(cluster.owner(4), "Emma", "a book"));
        ShardContext.run(4, () -> saved(new Copy(book, 1)));

        assertThat(everywhere(session -> session.byNaturalId(Copy.class)
                        .using(Map.of("book", book, "number", 1))
                        .load()
                        .number))
                .isEqualTo(times3(1));
        assertThat(everywhere(session -> session.byNaturalId(Copy.class)
                        .using(Map.of("book", book, "number", 2))
                        .load()))
                .isEqualTo(times3(null));
    }

    @Test
    void theOtherAttributeMayReferToAnyShard() {
        Owner owner = cluster.owner(2);
        Owner reader = cluster.owner(5);
        Owner other = cluster.owner(2);
        Loan loan = saved(new Loan(owner, reader));
        saved(new Loan(owner, other));

        assertThat(everywhere(session -> Objects.requireNonNull(session.byNaturalId(Loan.class)
                                .using(Map.of("owner", owner, "reader", reader))
                                .load()
                                .reader)
                        .getName()))
                .isEqualTo(times3("owner of 5"));
        assertThat(everywhere(session ->
                        session.find(Loan.class, Map.of("owner", owner, "reader", reader), KeyType.NATURAL).id))
                .isEqualTo(times3(loan.id));
        assertThat(everywhere(session -> session.byNaturalId(Loan.class)
                        .using(Map.of("owner", other, "reader", reader))
                        .load()))
                .isEqualTo(times3(null));
    }

    @Test
    void aGlobalRowIsFoundInTheGlobalDatabase() {
        saved(new Tag(1, "new", "just made"));

        assertThat(everywhere(session -> session.bySimpleNaturalId(Tag.class).load("new").meaning))
                .isEqualTo(times3("just made"));
    }

    @Test
    void aRowOfNoShardIsAbsent() {
        Owner unknown = new Owner("of no shard");
        unknown.id = IdLayout.DEFAULT.encode(1, LibraryCluster.SHARDS, 1);

        assertThat(everywhere(session -> session.byNaturalId(Book.class)
                        .using(Map.of("owner", unknown, "title", "Dune"))
                        .load()))
                .isEqualTo(times3(null));
        assertThat(everywhere(session -> session.findMultiple(
                        Book.class, List.of(Map.of("owner", unknown, "title", "Dune")), KeyType.NATURAL)))
                .isEqualTo(times3(Stream.of((Object) null).toList()));
    }

    @Test
    void aKeyWithoutAShardIsRefused() {
        for (Map<String, ?> key :
                List.<Map<String, ?>>of(Map.of("title", "Dune"), Map.of("owner", new Owner("new"), "title", "Dune"))) {
            assertThatThrownBy(() -> sessions.inTransaction(session ->
                            session.byNaturalId(Book.class).using(key).load()))
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("Book with the natural id [")
                    .hasMessageContaining("owner, which names the shard, is null");
        }
    }

    @Test
    void theSecondLevelCacheKnowsTheShard() {
        Owner three = cluster.owner(3);
        Owner six = cluster.owner(6);
        saved(new Card(three, "cached", "of three"));
        saved(new Card(six, "cached", "of six"));
        var statistics = sessions.getStatistics();
        statistics.clear();

        assertThat(everywhere(session -> card(session, session.getReference(Owner.class, three.id), "cached").words))
                .isEqualTo(times3("of three"));
        assertThat(everywhere(session -> card(session, session.getReference(Owner.class, six.id), "cached").words))
                .isEqualTo(times3("of six"));
        assertThat(statistics.getPrepareStatementCount()).isZero();
        assertThat(statistics.getNaturalIdCacheHitCount()).isEqualTo(6);

        sessions.inTransaction(
                session -> card(session, session.getReference(Owner.class, six.id), "cached").name = "moved");
        assertThat(everywhere(session -> session.byNaturalId(Card.class)
                        .using(Map.of("owner", session.getReference(Owner.class, six.id), "name", "cached"))
                        .load()))
                .isEqualTo(times3(null));
        assertThat(everywhere(session -> card(session, session.getReference(Owner.class, six.id), "moved").words))
                .isEqualTo(times3("of six"));
        assertThat(everywhere(session -> card(session, session.getReference(Owner.class, three.id), "cached").words))
                .isEqualTo(times3("of three"));
    }

    @Test
    void aDetachedRowIsMergedAndLocked() {
        Owner owner = cluster.owner(5);
        Card card = saved(new Card(owner, "detached", "of five"));
        card.name = "merged";
        sessions.inTransaction(session -> session.merge(card));
        assertThat(cluster.rows(5, "SELECT name FROM $.card WHERE id = " + card.id))
                .containsExactly("merged");
        sessions.inTransaction(session -> {
            Card found = card(session, session.getReference(Owner.class, owner.id), "merged");
            session.refresh(found, LockMode.PESSIMISTIC_WRITE);
            session.remove(found);
            assertThat(session.byNaturalId(Card.class)
                            .using("owner", session.getReference(Owner.class, owner.id))
                            .using("name", "merged")
                            .load())
                    .isNull();
        });
        assertThat(cluster.rows(5, "SELECT name FROM $.card WHERE id = " + card.id))
                .isEmpty();
    }
}
