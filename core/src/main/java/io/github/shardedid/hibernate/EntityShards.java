package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.Cluster;
import java.util.List;
import java.util.Optional;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * The shards of a session factory's entities, by their mappings: which attributes of an entity determine the shard of a query, and
 * how. For code that routes queries itself, as the starter does for repositories. Safe for use by several threads.
 */
public interface EntityShards {
    /**
     * The shards of a session factory's entities.
     *
     * @param factory a session factory or entity manager factory of Hibernate; never null
     * @return empty if its data source does not route
     */
    static Optional<EntityShards> of(SessionFactory factory) {
        SessionFactoryImplementor implementor = factory.unwrap(SessionFactoryImplementor.class);
        Sharding sharding = Sharding.of(implementor.getServiceRegistry());
        return sharding == null ? Optional.empty() : Optional.of(new EntityShardRules(sharding, implementor));
    }

    /**
     * The cluster of the session factory.
     *
     * @return the cluster, with its layout and current shard map; never null
     */
    Cluster cluster();

    /**
     * Returns whether a class is an entity whose rows are in the shards, as with {@link ShardedId}.
     *
     * @param type any class
     * @return true for a sharded entity and its subclasses
     */
    boolean isSharded(Class<?> type);

    /**
     * Returns whether a class is an entity whose rows are in the global database.
     *
     * @param type any class
     * @return true for a global entity and its subclasses
     */
    boolean isGlobal(Class<?> type);

    /**
     * The name of a sharded entity's id attribute.
     *
     * @param entity a sharded entity's class
     * @return the attribute's name, {@code id} for instance; empty for an {@code @IdClass}
     * @throws IllegalArgumentException if the class is not sharded
     */
    String idOf(Class<?> entity);

    /**
     * Returns whether the id of an entity names the shard of its row. If not, as for a UUID, a text or a number of the application, only its shard
     * key does, and its rows are found by their ids within a scope.
     *
     * @param entity a class
     * @return false also for a class that is not sharded
     */
    boolean idNamesShard(Class<?> entity);

    /**
     * Returns whether statements on rows of an entity may go to the shard of the session's tenant, or of the current request, outside of any
     * scope. The connection refuses them when they go nowhere.
     *
     * @param entity the entity's class
     * @return false if they are always refused
     */
    boolean knowsShardOfSession(Class<?> entity);

    /**
     * Returns how a condition "attribute = value" determines the shard of the rows that fulfil it.
     *
     * @param entity a sharded entity's class
     * @param path the attribute, or a path over shard keys: {@code id}, {@code author}, {@code author.id},
     *     {@code photo.author.id}
     * @return empty if rows with that value may be in several shards
     */
    Optional<ShardRule> byPath(Class<?> entity, String path);

    /**
     * Returns how a value of the shard key, or an entity, determines the shard.
     *
     * @param entity a sharded entity's class
     * @return empty if the entity has no shard key
     */
    Optional<ShardRule> byKey(Class<?> entity);

    /**
     * Returns how an id of the layout, or an entity with an id, determines the shard.
     *
     * @return the rule; never null
     */
    ShardRule byId();

    /**
     * Returns how an id of one entity, composite ids included, or an entity with an id, determines the shard.
     *
     * @param entity a sharded entity's class
     * @return the rule; never null
     */
    ShardRule byId(Class<?> entity);

    /**
     * The attributes that the parameters of a query are compared with.
     *
     * @param hql a query in HQL or JPQL, also an update or delete
     * @return the comparisons that the text shows, without those in functions; never null
     * @throws IllegalArgumentException if Hibernate cannot read the query
     */
    List<ParameterUse> parametersOf(String hql);

    /**
     * Returns why a query in HQL or JPQL does not determine the shards of its rows.
     *
     * @param hql a query in HQL or JPQL, also an update or delete
     * @return empty if the ids and shard keys that it requires do, so that it is executed there, whatever scope is open
     */
    Optional<String> undetermined(String hql);

    /**
     * The parameter of native SQL that is an id of which each row of the statement has one, as {@link
     * io.github.shardedid.routing.RoutingDataSource#comparedIds} finds.
     *
     * @param sql a statement with parameters such as {@code :id}, {@code ?1} or {@code ?}
     * @return empty if there is none, or several
     */
    List<ParameterUse> parametersOfNative(String sql);

    /**
     * The shard of an entity or, if it is new, the shard in which it would be stored now: by its id, else its shard key, else the open
     * scope, else the placement. The placement may return another shard when the entity is saved: save it in the scope of this one.
     *
     * @param entity a sharded entity
     * @return a shard of the cluster
     * @throws NoShardException if its shard key is null, or is a parent that has no id yet and no shard key itself
     */
    int shardOf(Object entity);
}
