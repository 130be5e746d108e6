package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.queries.StatementReader.ComparedPath;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.Cluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;

/**
 * The shards of a session factory's entities, by the mappings that the integrator has read.
 *
 * <p>The rules are asked for by HQL and criteria queries, by repositories of the starter, and by native queries, so
 * that all of them find the same shard for the same value. They hold no state of their own: an instance is created
 * for each translated statement.
 *
 * @param sharding the mappings, and the cluster whose layout decodes ids
 * @param factory the session factory, whose runtime model has the embeddables and columns that
 *     {@link ShardedMapping} does not
 */
public record EntityShardRules(Sharding sharding, SessionFactoryImplementor factory)
        implements EntityShards, AttributeRules {
    /** Returns whether the data source routes. If not, what determines shards is noted, and nothing is refused. */
    public boolean isRouted() {
        return Sharding.of(factory.getServiceRegistry()) != null;
    }

    @Override
    public Cluster cluster() {
        return sharding.cluster();
    }

    @Override
    public boolean knowsShardOfSession(Class<?> entity) {
        return sharding.knowsShardOfSession(entity);
    }

    @Override
    public boolean isSharded(Class<?> type) {
        return sharding.mappings().of(type).isPresent();
    }

    /**
     * Looks at superclasses, too, since a class may be one that Hibernate or the application has derived from
     * the entity.
     */
    @Override
    public boolean isGlobal(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (sharding.mappings().isGlobal(at.getName())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String idOf(Class<?> entity) {
        return sharding.mappings()
                .of(entity)
                .map(ShardedMapping::idName)
                .orElseThrow(() -> new IllegalArgumentException(entity.getName() + " has no @ShardedId."));
    }

    @Override
    public boolean isInShards(EntityDomainType<?> entity) {
        return isSharded(entity.getJavaType())
                || sharding.mappings().auditTables().isTable(entity.getHibernateEntityName());
    }

    @Override
    public Optional<ShardRule> byPath(EntityDomainType<?> entity, String path) {
        boolean audited = sharding.mappings().auditTables().nameShard(entity.getHibernateEntityName(), path);
        return audited ? Optional.of(byId()) : byPath(entity.getJavaType(), path);
    }

    @Override
    public Optional<ShardRule> byPath(Class<?> entity, String path) {
        return sharding.mappings().of(entity).flatMap(mapping -> byPath(mapping, path));
    }

    /**
     * Returns the rule of a path, in this order:
     *
     * <ol>
     *   <li>the id, if it names a shard,
     *   <li>the part of a composite id that names it,
     *   <li>a parent, or an attribute of the parent which in turn determines the parent's shard,
     *   <li>the shard key.
     * </ol>
     *
     * <p>A path over a reference to another shard is refused, since a rule of the other row's shard would be one
     * for the wrong row. So is an embeddable that contains one of these.
     */
    private Optional<ShardRule> byPath(ShardedMapping mapping, String path) {
        // In HQL, id(e) and e.id reach an id of any name by Hibernate's own role.
        if (path.equals(mapping.idName()) || path.equals(EntityIdentifierMapping.ID_ROLE_NAME)) {
            return mapping.idNamesShard() ? Optional.of(byId(mapping.entityName())) : Optional.empty();
        }
        if (mapping.idPart() != null && path.equals(mapping.idPart().key().name())) {
            return Optional.of(byKey(mapping.idPart().key()));
        }
        for (Map.Entry<String, String> parent : mapping.parents().entrySet()) {
            if (path.equals(parent.getKey())) {
                // The guards keep both ends of an association in one shard.
                return Optional.of(byId(parent.getValue()));
            }
            ShardedMapping target = sharding.mappings().find(parent.getValue());
            if (target != null && path.startsWith(parent.getKey() + ".")) {
                return byPath(target, path.substring(parent.getKey().length() + 1));
            }
        }
        for (Map.Entry<String, String> foreign : mapping.foreign().entrySet()) {
            if (path.startsWith(foreign.getKey() + ".")) {
                ForeignPaths.refuseBeyondId(mapping.entityName(), foreign, path, factory);
            }
        }
        ShardKeyAttribute key = mapping.key();
        if (key != null && key.name().equals(path)) {
            return Optional.of(byKey(key));
        }
        return Stream.concat(
                        mapping.parents().keySet().stream(),
                        Stream.ofNullable(key).map(ShardKeyAttribute::name))
                .filter(part -> part.startsWith(path + "."))
                .findFirst()
                .map(part -> ofPart(mapping.entityName() + "." + path, mapping.entityName() + "." + part));
    }

    /** The rule of an embeddable with what determines the shard: as a whole, it is refused when it has a value. */
    private static ShardRule ofPart(String embeddable, String part) {
        return value -> {
            throw NoShardException.ofValue(embeddable + " is compared as a whole, but its shard is that of " + part
                    + ". Compare the attributes of the embeddable, one by one. Nothing was sent.");
        };
    }

    @Override
    public Optional<ShardRule> byKey(Class<?> entity) {
        return sharding.mappings().of(entity).map(ShardedMapping::key).map(this::byKey);
    }

    private ShardRule byKey(ShardKeyAttribute key) {
        return key.target() == null ? new EntityRules.ByKey(this, key) : byId(key.target());
    }

    /**
     * Returns the rule of the id of an entity. The id of one whose id names no shard is no rule by itself: the
     * row has to be known.
     */
    private ShardRule byId(String entityName) {
        UnroutableIds.Rows own = sharding.unroutable(entityName);
        if (own != null) {
            return own.rule(factory);
        }
        ShardedMapping mapping = sharding.mappings().find(entityName);
        return mapping == null || mapping.idPart() == null
                ? byId()
                : new EntityRules.ByCompositeId(this, entityName, mapping.idPart());
    }

    @Override
    public ShardRule byId(Class<?> entity) {
        return sharding.mappings()
                .of(entity)
                .map(mapping -> byId(mapping.entityName()))
                .orElseGet(this::byId);
    }

    @Override
    public ShardRule byId() {
        return new EntityRules.ById(this);
    }

    @Override
    public List<ParameterUse> parametersOf(String hql) {
        try {
            return QueryParameters.of(read(hql), this);
        } catch (HibernateException e) {
            throw new IllegalArgumentException("The query cannot be read: " + hql, e);
        }
    }

    /**
     * Returns why the condition of a query does not determine a shard; empty if it does. The starter asks at
     * start-up, for each query method, so that a method which could never find its shard fails then and not at
     * its first call.
     */
    @Override
    public Optional<String> undetermined(String hql) {
        RequiredRows conditions = StatementReader.read(read(hql), this).orElse(null);
        if (conditions != null && conditions.computed() != null) {
            return Optional.of("its query compares " + conditions.computed()
                    + " with a value that the database computes: compute it in Java, and pass it as a parameter");
        } else if (conditions == null || conditions.groups().isEmpty()) {
            return Optional.of(
                    "its query neither fixes the id nor the shard key by equality, as far as it can be seen");
        }
        return Optional.ofNullable(conditions.loose())
                .map(loose -> "its query fixes " + conditions.attributes() + ", but also has rows of " + loose
                        + ", which no id or shard key ties to these");
    }

    /**
     * Returns Hibernate's model of a query, which Hibernate keeps, so that the query is parsed once for this and
     * its executions.
     */
    private SqmStatement<?> read(String hql) {
        SqmStatement<?> statement =
                factory.getQueryEngine().interpretHql(hql, null).getSqmStatement();
        ForeignPaths.check(statement, factory);
        return statement;
    }

    @Override
    public List<ParameterUse> parametersOfNative(String sql) {
        return QueryParameters.ofNative(sql, sharding.dataSource(), byId());
    }

    @Override
    public int shardOf(Object entity) {
        return ShardChoice.shardOf(sharding, entity, factory);
    }

    @Override
    public List<UniqueKey> uniqueKeys(EntityDomainType<?> entity) {
        return sharding.uniqueKeys().isEmpty()
                ? List.of()
                : sharding.uniqueKeys()
                        .of(factory.getMappingMetamodel().getEntityDescriptor(entity.getHibernateEntityName()));
    }

    @Override
    public boolean areAlike(ShardRule one, ShardRule other) {
        return EntityRules.areAlike(one, other);
    }

    /** Returns whether a path is a reference of which nothing that is sent says where its row is. */
    public boolean needsEntity(SqmPath<?> path) {
        return ComparedPath.of(path, this).rule() instanceof UnroutableIds.SessionRule;
    }

    @Override
    public boolean idNamesShard(Class<?> entity) {
        return sharding.mappings().of(entity).map(ShardedMapping::idNamesShard).orElse(false);
    }

    /**
     * Returns the shard of an entity by its id.
     *
     * @throws NoShardException if it has no id yet, or is of a type that is not sharded
     */
    int ofSaved(Object entity) {
        Object id = factory.getPersistenceUnitUtil().getIdentifier(entity);
        Class<?> type = ShardChoice.typeOf(entity);
        Integer shard = sharding.mappings()
                .of(type)
                .map(mapping -> mapping.idNamesShard()
                        ? RowTargets.shardOf(sharding, mapping.entityName(), id)
                        : (Integer) shardOf(entity))
                .orElse(null);
        if (shard == null) {
            throw NoShardException.ofValue("No shard is known for a " + type.getName() + " with the id " + id
                    + ". Pass an id, or an entity that has been saved.");
        }
        return shard;
    }
}
