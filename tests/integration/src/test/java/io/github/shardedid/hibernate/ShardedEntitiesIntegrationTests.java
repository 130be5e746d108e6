package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.ShardSchema;
import java.util.List;
import java.util.stream.LongStream;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every operation that has an id finds its row; a new row lives where its shard key says. */
@Tag("containers")
@Tag("quick")
class ShardedEntitiesIntegrationTests {
    static HibernateCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    @Test
    void aChildLivesInTheShardOfItsParent() {
        for (int shard : new int[] {0, 3, 5, 7}) {
            Author author = cluster.authorIn(shard);
            Picture picture = new Picture(author, "with its author");
            cluster.inTransaction(session -> session.persist(picture));

            assertThat(cluster.shardOf(picture.id)).isEqualTo(shard);
            assertThat(cluster.databases.idsIn(shard, "picture")).contains(picture.id);
        }
    }

    @Test
    void aNumberIsTakenModuloTheShardsAndATextByItsHash() {
        Account account = new Account(31341);
        cluster.inTransaction(session -> session.persist(account));
        Handle handle = new Handle("kevin");
        cluster.inTransaction(session -> session.persist(handle));

        assertThat(cluster.shardOf(account.id)).isEqualTo(31341 % HibernateCluster.SHARDS);
        assertThat(cluster.shardOf(handle.id)).isEqualTo(ShardKeys.shardOf("kevin", HibernateCluster.SHARDS));
    }

    @Test
    void theColumnsDefaultMakesTheIdInTheShardOfTheReferencedId() {
        Author author = cluster.authorIn(6);
        Picture picture = new Picture(author, "commented");
        cluster.inTransaction(session -> session.persist(picture));
        Remark remark = new Remark(picture.id, "nice");
        cluster.inTransaction(session -> session.persist(remark));

        assertThat(cluster.shardOf(remark.id)).isEqualTo(6);
        assertThat(cluster.databases.idsIn(6, "remark")).contains(remark.id);
    }

    @Test
    void presetIdsAreKeptByAllStrategies() {
        IdLayout layout = cluster.databases.cluster().layout();
        long pictureId = layout.encode(4_000_000_000L, 2, 17);
        long remarkId = layout.encode(4_000_000_001L, 2, 18);
        Author author = cluster.authorIn(2);
        cluster.inTransaction(session -> {
            Picture picture = new Picture(author, "imported");
            picture.id = pictureId;
            session.persist(picture);
            Remark merged = new Remark(pictureId, "merged");
            merged.id = remarkId;
            session.merge(merged);
        });
        try (StatelessSession session = cluster.sessions.openStatelessSession()) {
            Remark inserted = new Remark(pictureId, "stateless");
            inserted.id = remarkId + 1;
            session.insert(inserted);
        }

        assertThat(cluster.databases.idsIn(2, "picture")).contains(pictureId);
        assertThat(cluster.databases.idsIn(2, "remark")).contains(remarkId, remarkId + 1);
    }

    @Test
    void readsById() {
        Author author = cluster.authorIn(1);
        Picture picture = new Picture(author, "read");
        picture.tags.add("sea");
        cluster.inTransaction(session -> session.persist(picture));

        cluster.inTransaction(session -> {
            Picture found = session.find(Picture.class, picture.id);
            assertThat(found.caption).isEqualTo("read");
            assertThat(Hibernate.isInitialized(found.author)).isFalse();
            assertThat(found.author.name()).isEqualTo("author of shard 1");
            assertThat(found.tags).containsExactly("sea");
            assertThat(found.author.pictures()).containsExactly(found);
            session.refresh(found);
            session.lock(found, LockMode.PESSIMISTIC_WRITE);
        });
        cluster.inTransaction(session ->
                assertThat(session.getReference(Author.class, author.id).name()).isEqualTo("author of shard 1"));
        try (StatelessSession session = cluster.sessions.openStatelessSession()) {
            assertThat(session.get(Picture.class, picture.id).caption).isEqualTo("read");
        }
    }

    @Test
    void readsOfSeveralShardsInOneTransactionAndOneCall() {
        List<Author> authors = LongStream.range(0, HibernateCluster.SHARDS)
                .mapToObj(shard -> cluster.authorIn((int) shard))
                .toList();
        authors.forEach(author -> cluster.inTransaction(session -> session.persist(new Picture(author, "of all"))));

        cluster.inTransaction(session -> {
            List<Author> found = session.findMultiple(
                    Author.class, authors.stream().map(author -> author.id).toList());
            assertThat(found)
                    .extracting(author -> author.id)
                    .containsExactlyElementsOf(
                            authors.stream().map(author -> author.id).toList());
            // Batch fetching is on: each shard's collections must come from that shard.
            found.forEach(author -> assertThat(author.pictures).hasSize(1));
        });
    }

    @Test
    void proxiesOfSeveralShardsAreFetchedInBatchesOfOneShardEach() {
        List<Author> authors = LongStream.range(0, 2L * HibernateCluster.SHARDS)
                .mapToObj(i -> cluster.authorIn((int) i % HibernateCluster.SHARDS))
                .toList();
        cluster.sessions.getStatistics().clear();
        cluster.inTransaction(session -> {
            List<Author> proxies = authors.stream()
                    .map(author -> session.getReference(Author.class, author.id))
                    .toList();
            proxies.forEach(proxy -> assertThat(proxy.name()).startsWith("author of shard"));
        });
        assertThat(cluster.sessions.getStatistics().getPrepareStatementCount()).isEqualTo(HibernateCluster.SHARDS);
    }

    @Test
    void updatesAndDeletesById() {
        Author author = cluster.authorIn(4);
        Picture picture = new Picture(author, "before");
        cluster.inTransaction(session -> session.persist(picture));

        cluster.inTransaction(session -> session.find(Picture.class, picture.id).caption = "after");
        picture.caption = "merged";
        cluster.inTransaction(session -> session.merge(picture));
        assertThat(cluster.databases.home(4).query("SELECT caption FROM shard_0004.picture WHERE id = " + picture.id))
                .containsExactly("merged");

        cluster.inTransaction(session -> session.remove(session.getReference(Picture.class, picture.id)));
        assertThat(cluster.databases.idsIn(4, "picture")).doesNotContain(picture.id);
    }

    @Test
    void anIdThatNoShardOfTheClusterCanHaveMadeIsNotFoundByReadsAndRefusedByWrites() {
        long foreign = cluster.databases.cluster().layout().encode(5, HibernateCluster.SHARDS, 0);
        cluster.inTransaction(session -> {
            assertThat(session.find(Picture.class, foreign)).isNull();
            assertThat(session.find(Picture.class, -1L)).isNull();
        });
        assertThatThrownBy(() -> cluster.inTransaction(session -> {
                    Picture picture = new Picture(null, "foreign");
                    picture.id = foreign;
                    session.persist(picture);
                }))
                .hasStackTraceContaining("names shard 8, but this cluster's 8 shards are numbered 0 to 7");
    }

    @Test
    void aThousandRowsKeepTheirBatchesAndGrowingIds() {
        int shard = 3;
        cluster.inTransaction(session -> {
            for (int i = 0; i < 1000; i++) {
                session.persist(new Account(shard + 8L * i));
            }
        });
        List<Long> ids = cluster.databases.idsIn(shard, "account");
        assertThat(ids).hasSizeGreaterThanOrEqualTo(1000).doesNotHaveDuplicates();
        assertThat(cluster.databases
                        .home(shard)
                        .queryLong(
                                "SELECT count(*) FROM (SELECT user_id < lag(user_id) OVER (ORDER BY id) AS wrong FROM "
                                        + ShardSchema.nameOf(shard) + ".account) x WHERE wrong"))
                .isZero();
    }

    @Test
    void rowsThatPsqlInsertsAreRead() {
        cluster.databases.home(5).execute("INSERT INTO shard_0005.author (name) VALUES ('by psql')");
        long id = cluster.databases.home(5).queryLong("SELECT id FROM shard_0005.author WHERE name = 'by psql'");

        assertThat(cluster.<String>fromTransaction(session -> session.find(Author.class, id).name))
                .isEqualTo("by psql");
    }

    @Test
    void aQueryRunsInTheScopeAndFlushesToTheRightShardFirst() {
        Author author = cluster.authorIn(2);
        cluster.inTransaction(session -> {
            Picture pending = new Picture(author, "pending");
            session.persist(pending);
            long elsewhere = ShardContext.call(7, () -> session.createSelectionQuery(
                            "select count(*) from Picture p where p.caption = 'pending'", Long.class)
                    .getSingleResult());
            assertThat(elsewhere).isZero();
            assertThat(cluster.shardOf(pending.id)).isEqualTo(2);
        });
        assertThat(cluster.databases.home(2).query("SELECT caption FROM shard_0002.picture WHERE caption = 'pending'"))
                .hasSize(1);
    }
}
