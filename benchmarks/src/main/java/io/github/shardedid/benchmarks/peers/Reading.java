package io.github.shardedid.benchmarks.peers;

import java.util.List;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Reads photos by Hibernate, a different one or another user's each time, and checks that they were found.
 *
 * @param entity what a photo is here
 * @param ids those to be found, shard after shard
 * @param shards how many shards the ids are of, as many of each
 * @param forFind leads a find to its shard
 * @param forQuery leads a query of a user to its shard
 */
record Reading(
        SessionFactory sessions, Class<?> entity, List<Long> ids, int shards, int users, Lead forFind, Lead forQuery) {
    /** Does something in a shard, in the way the application would say so. */
    @FunctionalInterface
    interface Lead {
        /** Leads nowhere: whoever executes the statement finds the shard. */
        Lead NOT_NEEDED = (shard, work) -> work.run();

        void within(int shard, Runnable work);
    }

    /** Reads in a transaction or without one. */
    enum Kind {
        IN_TRANSACTION,
        IN_AUTOCOMMIT
    }

    /** Finds one by its id. */
    void find(Kind kind, int call) {
        int index = call % ids.size();
        int shard = index * shards / ids.size();
        forFind.within(
                shard,
                () -> in(kind, session -> {
                    if (session.find(entity, ids.get(index)) == null) {
                        throw new IllegalStateException("There is no row " + ids.get(index));
                    }
                }));
    }

    /** Loads the photos of a user. */
    void ofUser(Kind kind, int call) {
        long user = call % users;
        forQuery.within(
                (int) (user % shards),
                () -> in(kind, session -> {
                    int found = session.createSelectionQuery(
                                    "from " + entity.getSimpleName() + " p where p.userId = :user", entity)
                            .setParameter("user", user)
                            .list()
                            .size();
                    if (found != SamePhotos.PHOTOS_OF_A_USER) {
                        throw new IllegalStateException(found + " photos were found of user " + user);
                    }
                }));
    }

    private void in(Kind kind, Consumer<Session> work) {
        if (kind == Kind.IN_TRANSACTION) {
            sessions.inTransaction(work);
        } else {
            try (Session session = sessions.openSession()) {
                work.accept(session);
            }
        }
    }
}
