package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.routing.Target;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.jspecify.annotations.Nullable;

/** The entities whose ids name no shard, and the rows of them that sessions know. Safe for use by several threads. */
public interface UnroutableIds {
    /** Returns the rows of an entity; null if its ids name their shards. */
    @Nullable
    Rows of(@Nullable String entityName);

    /** Returns a consumer that checks a result before it reads it. */
    <T, R> ResultsConsumer<T, R> checked(ResultsConsumer<T, R> next);

    /**
     * The rows of an entity whose ids name no shard. A session knows those that it has read or saved.
     *
     * <p>Methods throw {@link io.github.shardedid.routing.WrongShardException} if two shards may have rows with the same id, and the
     * session has rows of another one.
     */
    interface Rows {
        /** Returns the shard of a row that a session knows; null if it does not. */
        @Nullable
        Integer find(SharedSessionContractImplementor session, Object id);

        /**
         * Returns where a row is read.
         *
         * @return null for a row with a UUID in the scope of several shards: it is looked for in all of them
         * @throws io.github.shardedid.routing.NoShardException if the session does not know the row, and no scope is open
         */
        Target.@Nullable Single ofRead(SharedSessionContractImplementor session, Object id);

        /** Returns the same for a row that the application asks for: the session may have it already, from another shard than the scope. */
        Target.@Nullable Single ofAsked(SharedSessionContractImplementor session, Object id);

        /**
         * Returns where a row is written that the session has read, or is about to save.
         *
         * @throws io.github.shardedid.routing.NoShardException if the session does not know the row
         */
        Target.Single ofWrite(SharedSessionContractImplementor session, Object id);

        /**
         * Returns the shard of an entity: the one that the session knows, else that of its shard key.
         *
         * @param session null outside of any
         * @return null for a reference that is not loaded, and was read where its shard was not known
         */
        @Nullable
        Integer ofEntity(
                Object entity, SessionFactoryImplementor factory, @Nullable SharedSessionContractImplementor session);

        /**
         * Notes a new reference to a row: what it refers to is in the shard that the session knows, or reads from.
         *
         * @param session null if the reference is created outside of any
         * @param reference null if the session does not create it
         */
        void noteReference(@Nullable SharedSessionContractImplementor session, Object id, @Nullable Object reference);

        /**
         * Notes the shard of a row that a session reads or writes.
         *
         * @param entity the entity or the reference, which keeps the shard if the session ends; null if there is none
         */
        void note(SharedSessionContractImplementor session, @Nullable Object entity, Object id, int shard);

        /** Returns the rule of a comparison with an entity, whose id says nothing. */
        SessionRule rule(SessionFactoryImplementor factory);
    }

    /** A rule that knows more in a session: the shard of a row may be known from nothing but its having been read. */
    interface SessionRule extends ShardRule {
        ShardRule in(SharedSessionContractImplementor session);
    }
}
