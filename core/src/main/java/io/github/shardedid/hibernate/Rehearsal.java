package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.rehearsal.RehearsedMappings;
import io.github.shardedid.routing.Target;
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
                        .getService(RehearsedMappings.class))
                .map(RehearsedMappings::rehearsal);
    }

    /**
     * Returns how attributes of entities determine the shards of queries. The shards themselves mean nothing: the rows have ids without shards.
     *
     * @return the same rules as those of a session factory whose data source routes; never null
     */
    EntityShards shards();

    /**
     * Returns what the mappings need.
     *
     * @return a sentence for each mapping that would be refused, each entity of which something is assumed because no entity has
     *     {@link ShardedId} yet, and each unique key that would hold within each shard only
     */
    List<String> mappings();

    /**
     * Returns why a statement would be refused.
     *
     * @param sql a statement
     * @param byHibernate whether Hibernate has written it, so that it would name the schemas of its tables
     * @param scope where it would be executed; null if nothing determines its shard
     * @param connection a connection to the application's database, whose catalogs are queried for a query over several shards; null to
     *     assume that all functions, operators and tables are ordinary ones
     * @return a message with the way out; empty if it would be executed
     * @throws SQLException if the catalogs cannot be read
     */
    Optional<String> refusal(String sql, boolean byHibernate, @Nullable Target scope, @Nullable Connection connection)
            throws SQLException;

    /** Is notified of the mappings and of rows that are written. The value of {@link ShardingSettings#REHEARSAL}. Called by the threads of the sessions. */
    interface Listener {
        /**
         * The mappings of a session factory have been read. Called once, before the session factory is used.
         *
         * @param rehearsal what its mappings mean for shards
         */
        void read(Rehearsal rehearsal);

        /**
         * A session has written a row of a sharded entity whose shard is known.
         *
         * @param entity the entity's name
         * @param id its id
         * @param shard what stands for its shard: rows of one shard have equal values
         */
        void written(String entity, Object id, Object shard);

        /**
         * A session has written a value that would be refused.
         *
         * @param attribute the entity's name and the attribute
         * @param why why it would be refused, and the way out
         */
        void refused(String attribute, String why);
    }
}
