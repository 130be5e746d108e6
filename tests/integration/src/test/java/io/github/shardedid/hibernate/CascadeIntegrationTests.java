package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row without a shard key that is saved by cascade lives with the owner from which it is reached. */
@Tag("quick")
class CascadeIntegrationTests {
    private static final int LAST_SHARD = HibernateCluster.SHARDS - 1;

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

    private static Album albumIn(int shard, Leaf... leaves) {
        Album album = new Album(shard);
        album.leaves.addAll(List.of(leaves));
        cluster.inTransaction(session -> session.persist(album));
        return album;
    }

    private static Leaf leafWithSticker(String text) {
        Leaf leaf = new Leaf(text);
        leaf.stickers.add(new Sticker("on " + text));
        return leaf;
    }

    private static void allLiveIn(int shard, Album album, int leaves) {
        cluster.inTransaction(session -> {
            Album found = session.find(Album.class, album.id);
            assertThat(cluster.shardOf(found.id)).isEqualTo(shard);
            assertThat(found.leaves).hasSize(leaves).allSatisfy(leaf -> {
                assertThat(cluster.shardOf(leaf.id)).isEqualTo(shard);
                assertThat(leaf.stickers).allSatisfy(sticker -> assertThat(cluster.shardOf(sticker.id))
                        .isEqualTo(shard));
            });
        });
    }

    @Test
    void whatIsPersistedWithItsOwner() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            allLiveIn(shard, albumIn(shard, leafWithSticker("a"), leafWithSticker("b")), 2);
        }
    }

    @Test
    void whatIsAddedToAManagedOwner() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = albumIn(shard, new Leaf("first"));
            cluster.inTransaction(session -> {
                Album managed = session.find(Album.class, album.id);
                managed.leaves.add(leafWithSticker("added"));
                managed.leaves.get(0).stickers.add(new Sticker("later"));
            });
            allLiveIn(shard, album, 2);
        }
    }

    @Test
    void whatIsMergedWithADetachedOwner() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = albumIn(shard, leafWithSticker("first"));
            album.leaves.add(leafWithSticker("added"));
            album.leaves.get(0).stickers.add(new Sticker("later"));
            cluster.inTransaction(session -> session.merge(album));
            allLiveIn(shard, album, 2);
        }
    }

    @Test
    void whatIsMergedWithAManagedOwner() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = albumIn(shard, new Leaf("first"));
            cluster.inTransaction(session -> {
                Album managed = session.find(Album.class, album.id);
                managed.leaves.add(leafWithSticker("added"));
                session.merge(managed);
            });
            allLiveIn(shard, album, 2);
        }
    }

    @Test
    void whatIsMergedWithAnOwnerThatTheSessionKnowsAsAProxy() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = albumIn(shard, new Leaf("first"));
            album.leaves.add(leafWithSticker("added"));
            cluster.inTransaction(session -> {
                session.getReference(Album.class, album.id);
                session.merge(album);
            });
            allLiveIn(shard, album, 2);
        }
    }

    @Test
    void whatIsMergedWithANewOwner() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = new Album(shard);
            album.leaves.add(leafWithSticker("new"));
            allLiveIn(shard, cluster.fromTransaction(session -> session.merge(album)), 1);
        }
    }

    private static void coverLivesIn(int shard, @Nullable Long id) {
        cluster.inTransaction(session -> {
            Leaf cover = session.find(Album.class, id).cover;
            assertThat(cover).isNotNull();
            assertThat(cluster.shardOf(cover.id)).isEqualTo(shard);
            assertThat(cover.stickers).hasSize(1).allSatisfy(sticker -> assertThat(cluster.shardOf(sticker.id))
                    .isEqualTo(shard));
        });
    }

    @Test
    void whatAToOneAssociationOfANewOwnerRefersTo() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = new Album(shard);
            album.cover = leafWithSticker("cover");
            ShardContext.run(LAST_SHARD - shard, () -> cluster.inTransaction(session -> session.persist(album)));
            coverLivesIn(shard, album.id);

            Album merged = new Album(shard);
            merged.cover = leafWithSticker("merged");
            coverLivesIn(shard, cluster.fromTransaction(session -> session.merge(merged)).id);
        }
    }

    @Test
    void whatAToOneAssociationOfAManagedOrDetachedOwnerRefersTo() {
        for (int shard = 0; shard <= LAST_SHARD; shard++) {
            Album album = albumIn(shard);
            cluster.inTransaction(
                    session -> session.find(Album.class, album.id).cover = leafWithSticker("at the flush"));
            coverLivesIn(shard, album.id);

            Album detached = albumIn(shard);
            detached.cover = leafWithSticker("of a detached album");
            cluster.inTransaction(session -> session.merge(detached));
            coverLivesIn(shard, detached.id);
        }
    }

    @Test
    void aFlushBesideARowWhoseIdSavesByCascade() {
        Album album = albumIn(5, new Leaf("pinned"));
        cluster.inTransaction(session -> {
            Album managed = session.find(Album.class, album.id);
            session.persist(new Pin(managed.leaves.get(0), 1));
            session.flush();
            managed.cover = leafWithSticker("at the flush");
        });
        coverLivesIn(5, album.id);
    }

    @Test
    void aSecondWriteSaysHowARowWithoutAShardKeyIsStoredWithAnother() {
        cluster.inTransaction(session -> {
            session.persist(new Album(3));
            assertThatThrownBy(() -> ShardContext.run(4, () -> session.persist(new Leaf("apart"))))
                    .isInstanceOf(SecondWriteShardException.class)
                    .hasMessageContaining("a new io.github.shardedid.hibernate.Leaf (it has no @ShardKey: to store it");
            assertThatThrownBy(() -> session.persist(new Album(4)))
                    .hasMessageContaining("a new io.github.shardedid.hibernate.Album. A transaction");
            session.getTransaction().setRollbackOnly();
        });
    }

    @Test
    void theOwnerCountsMoreThanTheScopeAroundIt() {
        Album album = new Album(3);
        album.leaves.add(leafWithSticker("elsewhere"));
        ShardContext.run(6, () -> cluster.inTransaction(session -> session.persist(album)));
        allLiveIn(3, album, 1);
    }
}
