package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.rehearsal.RehearsedMappings;
import io.github.shardedid.routing.rehearsal.RehearsedStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * What the mappings of an unsharded session factory mean for shards, where {@link ShardingSettings#REHEARSAL} is set. Nothing of the
 * session factory is changed. Safe for use by several threads.
 */
public interface Rehearsal {
    /**
     * The rehearsal of a session factory.
     *
     * @param factory a session factory or entity manager factory of Hibernate; never null
     * @return empty if the setting is missing, or its data source routes
     */
    static Optional<Rehearsal> of(SessionFactory factory) {
        return Optional.ofNullable(factory.unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .getService(RehearsedMappings.class));
    }

    /**
     * Returns how attributes of entities determine the shards of queries. The shards themselves mean nothing: the rows have ids without shards.
     *
     * @return the same rules as those of a session factory whose data source routes; never null
     */
    EntityShards shards();

    /**
     * The mappings that would be refused.
     *
     * @return messages, each with the way out
     */
    List<String> problems();

    /**
     * The annotations that are assumed because no entity has {@link ShardedId} yet.
     *
     * @return one sentence for each entity; empty if an entity has the annotation
     */
    List<String> assumptions();

    /**
     * The unique keys of the mappings that would hold within each shard only, as nothing in them determines the shard.
     *
     * @return one {@code table (column, column)} for each
     */
    List<String> uniqueInShards();

    /**
     * The mapped tables that a statement names.
     *
     * @param sql any statement
     * @return their names in lower case
     */
    RehearsedStatements.Tables tablesOf(String sql);

    /**
     * Returns why a query would be refused over all shards.
     *
     * @param sql a statement
     * @param connection a connection to the application's database, whose catalogs are queried; null to look nothing up, and to assume
     *     that all functions, operators and tables are ordinary ones
     * @return the message of the exception; empty if its results would be merged
     * @throws SQLException if the catalogs cannot be read
     */
    Optional<String> obstacleToAllShards(String sql, @Nullable Connection connection) throws SQLException;

    /** Is notified of the mappings and of rows that are written. The value of {@link ShardingSettings#REHEARSAL}. Called by the threads of the sessions. */
    @FunctionalInterface
    interface Listener {
        /**
         * The mappings of a session factory have been read. Called once, before the session factory is used.
         *
         * @param rehearsal what its mappings mean for shards
         */
        default void read(Rehearsal rehearsal) {}

        /**
         * A session has written a row of a sharded entity.
         *
         * @param entity the entity's name
         * @param id its id
         * @param shard what stands for its shard: rows of one shard have equal values. Null if it is not known without a query
         */
        void written(String entity, Object id, @Nullable Object shard);

        /**
         * A session has inserted a row whose shard key is null, which would be refused.
         *
         * @param attribute the entity's name and the attribute
         */
        default void withoutKey(String attribute) {}

        /**
         * A session has written a reference to a row that is known to be in another shard, which would be refused.
         *
         * @param attribute the entity's name and the attribute
         */
        default void refersAcross(String attribute) {}
    }
}
