package io.github.shardedid.benchmarks.query;

import io.github.shardedid.benchmarks.peers.SamePhotos;
import io.github.shardedid.routing.ShardSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
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
        expect(Math.min(NEWEST, photos.rows()), ShardSet.all(), session -> session.createSelectionQuery(
                        "from " + entity.getSimpleName() + " p order by p.id desc", entity)
                .setMaxResults(NEWEST)
                .list()
                .size());
    }

    /** Counts the rows of all. */
    void count() {
        expect(photos.rows(), ShardSet.all(), session -> session.createSelectionQuery(
                        "select count(*) from " + entity.getSimpleName() + " p", Long.class)
                .getSingleResult());
    }

    /** Loads the rows of ids, in whatever shards they are, as the repositories' {@code findAllById} does. */
    void byIds(List<Long> ids) {
        expect(ids.size(), ManyShards.shardsOf(ids), session -> session.createSelectionQuery(
                        "from " + entity.getSimpleName() + " p where p.id in (:ids)", entity)
                .setParameterList("ids", ids)
                .list()
                .size());
    }

    private void expect(long rows, ShardSet shards, ToLongFunction<Session> query) {
        lead.accept(shards, () -> {
            try (Session session = sessions.openSession()) {
                long found = query.applyAsLong(session);
                if (found != rows) {
                    throw new IllegalStateException(found + " rows were found, not " + rows);
                }
            }
        });
    }
}
