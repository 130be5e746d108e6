package io.github.shardedid.hibernate.ownids;

import static io.github.shardedid.hibernate.ownids.ShopCluster.customerOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ownids.Documents.Cover;
import io.github.shardedid.hibernate.ownids.Documents.Document;
import io.github.shardedid.hibernate.ownids.Documents.Folder;
import io.github.shardedid.hibernate.ownids.Documents.Joined;
import io.github.shardedid.hibernate.ownids.Documents.JoinedLetter;
import io.github.shardedid.hibernate.ownids.Documents.Note;
import io.github.shardedid.hibernate.ownids.Documents.Page;
import io.github.shardedid.hibernate.ownids.Documents.Shelf;
import io.github.shardedid.hibernate.ownids.Documents.Sign;
import io.github.shardedid.hibernate.ownids.Documents.Single;
import io.github.shardedid.hibernate.ownids.Documents.SingleLetter;
import io.github.shardedid.hibernate.ownids.Documents.Union;
import io.github.shardedid.hibernate.ownids.Documents.UnionLetter;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.topology.ShardKeys;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Inheritance, tenants and fetching with subselects, for entities whose ids name no shard. */
class OwnIdMappingsIntegrationTests {
    private static ShopCluster shop;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        shop = new ShopCluster();
        for (int shard = 0; shard < ShopCluster.SHARDS; shard++) {
            shop.databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Documents.TABLES + "RESET search_path");
        }
        sessions = shop.configuration().addAnnotatedClasses(Documents.ENTITIES).buildSessionFactory();
        ShopCluster.insertCustomers(sessions);
    }

    @AfterAll
    static void stop() {
        sessions.close();
        shop.close();
    }

    private static Customer customer(int shard) {
        Customer customer = new Customer();
        customer.id = customerOf(shard);
        return customer;
    }

    @Test
    void aTableForEachClassOfAHierarchy() {
        Joined plain = new Joined(new UUID(2, 1), null, customer(2));
        check(plain, new JoinedLetter(new UUID(2, 2), plain, customer(2)), Joined.class, plain.id, new UUID(2, 2));
        assertThat(shop.rows(2, "SELECT receiver FROM $.joined_letter")).isEmpty();
    }

    @Test
    void oneTableForAHierarchy() {
        Single plain = new Single("one", null, customer(2));
        check(plain, new SingleLetter("other", plain, customer(2)), Single.class, "one", "other");
        assertThat(shop.rows(2, "SELECT id || words FROM $.single")).containsExactly("onechanged");
        sessions.inTransaction(session -> {
            find(session, Single.class, "one", 2);
            assertThatThrownBy(() -> ShardContext.run(3, () -> session.find(SingleLetter.class, "other")))
                    .as("one shard for the whole hierarchy")
                    .isInstanceOf(WrongShardException.class)
                    .hasMessageContaining("The session has rows of");
        });
    }

    @Test
    void aTableForEachConcreteClass() {
        Union plain = new Union(new UUID(2, 1), null, customer(2));
        check(plain, new UnionLetter(new UUID(2, 2), plain, customer(2)), Union.class, plain.id, new UUID(2, 2));
        assertThat(shop.rows(2, "SELECT receiver FROM $.union_letter")).isEmpty();
    }

    /** Writes and reads two documents of shard 2, while the scope of another shard is open, and removes the second. */
    private static <D extends Document> void check(
            D plain, D letter, Class<D> type, @Nullable Object first, Object second) {
        ShardContext.run(
                5,
                () -> sessions.inTransaction(session -> {
                    session.persist(plain);
                    session.persist(letter);
                }));
        sessions.inTransaction(session -> {
            D found = find(session, type, second, 2);
            assertThat(found.receiver()).isEqualTo("reader");
            Document answered = Objects.requireNonNull(found.answers());
            assertThat(Hibernate.isInitialized(answered)).isFalse();
            ShardContext.run(5, () -> assertThat(answered.getWords()).isEmpty());
            ((Document) Hibernate.unproxy(answered)).words = "changed";
        });
        sessions.inTransaction(session -> {
            assertThat(session.createSelectionQuery("from " + type.getSimpleName() + " where customer.id = :c", type)
                            .setParameter("c", customerOf(2))
                            .getResultList())
                    .extracting(Document::receiver)
                    .containsExactlyInAnyOrder("nobody", "reader");
            assertThat(session.find(type, first))
                    .as("known")
                    .extracting(Document::getWords)
                    .isEqualTo("changed");
            ShardContext.run(5, () -> session.remove(session.merge(letter)));
        });
        sessions.inTransaction(session -> {
            assertThatThrownBy(() -> session.find(type, first)).isInstanceOf(NoShardException.class);
            assertThat(ShardContext.call(2, () -> session.find(type, second))).isNull();
        });
    }

    private static <D> D find(Session session, Class<D> type, Object id, int shard) {
        return Objects.requireNonNull(ShardContext.call(shard, () -> session.find(type, id)));
    }

    @Test
    void theRowsOfATenant() {
        try (SessionFactory ofTenants = shop.configuration()
                .addAnnotatedClasses(Customer.class, Shop.Order.class, Shop.Line.class, Shop.Coupon.class, Note.class)
                .buildSessionFactory()) {
            check(ofTenants);
        }
    }

    private static void check(SessionFactory ofTenants) {
        for (String tenant : List.of("tenant 0", "tenant 1")) {
            try (Session session =
                    ofTenants.withOptions().tenantIdentifier((Object) tenant).openSession()) {
                session.beginTransaction();
                session.persist(new Note(1, "of " + tenant));
                session.getTransaction().commit();
            }
        }
        for (String tenant : List.of("tenant 0", "tenant 1")) {
            int shard = ShardKeys.shardOf(tenant, ShopCluster.SHARDS);
            assertThat(shop.rows(shard, "SELECT words FROM $.note WHERE tenant = '" + tenant + "'"))
                    .containsExactly("of " + tenant);
            try (Session session =
                    ofTenants.withOptions().tenantIdentifier((Object) tenant).openSession()) {
                assertThat(Objects.requireNonNull(session.find(Note.class, 1)).words)
                        .isEqualTo("of " + tenant);
            }
            try (Session session =
                    ofTenants.withOptions().tenantIdentifier((Object) tenant).openSession()) {
                session.beginTransaction();
                Note note = find(session, Note.class, 1, shard);
                assertThat(note.words).isEqualTo("of " + tenant);
                note.words = "changed";
                session.getTransaction().commit();
            }
            assertThat(shop.rows(shard, "SELECT words FROM $.note WHERE tenant = '" + tenant + "'"))
                    .containsExactly("changed");
        }
    }

    @Test
    void subselectsAndInverseSidesOfSeveralShards() {
        for (int shard = 0; shard < 3; shard++) {
            int at = shard;
            sessions.inTransaction(session -> {
                for (int number = 0; number < 2; number++) {
                    Folder folder = new Folder(new UUID(at, number), customer(at));
                    folder.pages.add(new Page(new UUID(at, number), folder, at + "/" + number));
                    folder.cover = number == 0 ? new Cover(new UUID(at, 7), folder, "cover of " + at) : null;
                    session.persist(folder);
                }
            });
        }
        sessions.inTransaction(session -> {
            List<Folder> folders = ShardContext.call(
                    ShardSet.all(), () -> session.createSelectionQuery("from Folder f order by f.id", Folder.class)
                            .getResultList());
            assertThat(folders).hasSize(6);
            ShardContext.run(7, () -> assertThat(folders)
                    .extracting(folder -> folder.pages.get(0).words)
                    .containsExactly("0/0", "0/1", "1/0", "1/1", "2/0", "2/1"));
            assertThat(folders)
                    .extracting(folder -> folder.cover == null ? "none" : folder.cover.words)
                    .containsExactly("cover of 0", "none", "cover of 1", "none", "cover of 2", "none");
        });
        sessions.inTransaction(session -> {
            List<Folder> one = inShard(session, 1);
            List<Folder> other = inShard(session, 2);
            assertThat(other).extracting(folder -> folder.pages.get(0).words).containsExactly("2/0", "2/1");
            assertThat(one).extracting(folder -> folder.pages.get(0).words).containsExactly("1/0", "1/1");
            assertThat(Objects.requireNonNull(one.get(0).cover).words).isEqualTo("cover of 1");
        });
    }

    @Test
    void aKeyThatIsStillBeingReadNamesNoShard() {
        int shard = ShardKeys.shardOf("tenant 1", ShopCluster.SHARDS);
        assertThat(shard).isNotEqualTo(ShardKeys.shardOf("", ShopCluster.SHARDS));
        sessions.inTransaction(session -> {
            Shelf shelf = new Shelf(new UUID(1, 1), "tenant 1");
            shelf.sign = new Sign(new UUID(1, 1), shelf);
            session.persist(shelf);
        });
        sessions.inTransaction(session -> {
            Shelf shelf =
                    ShardContext.call(ShardSet.all(), () -> session.createSelectionQuery("from Shelf", Shelf.class)
                            .getSingleResult());
            Objects.requireNonNull(shelf.sign).words = "changed";
        });
        assertThat(shop.rows(shard, "SELECT words FROM $.sign")).containsExactly("changed");
    }

    private static List<Folder> inShard(Session session, int shard) {
        return ShardContext.call(shard, () -> session.createSelectionQuery("from Folder f order by f.id", Folder.class)
                .getResultList());
    }
}
