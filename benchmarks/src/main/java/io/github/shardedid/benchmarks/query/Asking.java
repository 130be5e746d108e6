package io.github.shardedid.benchmarks.query;

import io.github.shardedid.benchmarks.peers.SamePhotos;
import io.github.shardedid.routing.ShardSet;
import java.util.List;
import java.util.function.BiConsumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Queries over several shards, or over a single table instead, which check their results.
 *
 * @param entity what a photo is here
 * @param lead does something in the scope of several shards
 */
record Asking(SessionFactory sessions, Class<?> entity, SamePhotos photos, BiConsumer<ShardSet, Runnable> lead) {
    static final int NEWEST = 20;

    /** Loads the newest rows of all. */
    void newest() {
        lead.accept(ShardSet.all(), () -> {
            try (Session session = sessions.openSession()) {
                require(
                        Math.min(NEWEST, photos.rows()),
                        session.createSelectionQuery("from " + entity.getSimpleName() + " p order by p.id desc", entity)
                                .setMaxResults(NEWEST)
                                .list()
                                .size());
            }
        });
    }

    /** Counts the rows of all. */
    void count() {
        lead.accept(ShardSet.all(), () -> {
            try (Session session = sessions.openSession()) {
                require(
                        photos.rows(),
                        session.createSelectionQuery(
                                        "select count(*) from " + entity.getSimpleName() + " p", Long.class)
                                .getSingleResult());
            }
        });
    }

    /** Loads the rows of ids, in whatever shards they are, as the repositories' {@code findAllById} does. */
    void byIds(List<Long> ids) {
        lead.accept(ManyShards.shardsOf(ids), () -> {
            try (Session session = sessions.openSession()) {
                require(
                        ids.size(),
                        session.createSelectionQuery(
                                        "from " + entity.getSimpleName() + " p where p.id in (:ids)", entity)
                                .setParameterList("ids", ids)
                                .list()
                                .size());
            }
        });
    }

    private static void require(long expected, long found) {
        if (found != expected) {
            throw new IllegalStateException(found + " rows were found, not " + expected);
        }
    }
}
