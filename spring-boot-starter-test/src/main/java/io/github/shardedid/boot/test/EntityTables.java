package io.github.shardedid.boot.test;

import io.github.shardedid.hibernate.EntityShards;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.TableDetails;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.springframework.beans.factory.BeanFactory;

/** Finds the tables of the entities of an application. */
final class EntityTables {
    private final List<SessionFactory> factories;

    private EntityTables(List<SessionFactory> factories) {
        this.factories = factories;
    }

    static EntityTables of(BeanFactory beans) {
        return new EntityTables(beans.getBeanProvider(EntityManagerFactory.class).stream()
                .map(factory -> factory.unwrap(SessionFactory.class))
                .toList());
    }

    /**
     * The table that contains an entity's id.
     *
     * @param entity the entity's name in messages
     * @param name the name as stored by PostgreSQL
     * @param idColumn the name of the id column as stored by PostgreSQL
     * @param sharded whether each shard has such a table
     */
    record Table(String entity, String name, String idColumn, boolean sharded) {}

    /** Returns the class of an entity; for an uninitialized proxy, the class of the reference. */
    Class<?> typeOf(Object entity) {
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(entity);
        return proxy == null ? entity.getClass() : proxy.getPersistentClass();
    }

    Object idOf(Object entity) {
        Class<?> type = typeOf(entity);
        Object id = factoryOf(type).getPersistenceUnitUtil().getIdentifier(entity);
        if (id == null) {
            throw new IllegalArgumentException("The " + type.getSimpleName() + " has no id yet. Save it first.");
        }
        return id;
    }

    Table tableOf(Class<?> type) {
        SessionFactory factory = factoryOf(type);
        TableDetails table = factory.unwrap(SessionFactoryImplementor.class)
                .getMappingMetamodel()
                .getEntityDescriptor(type)
                .getIdentifierTableDetails();
        if (table.getKeyDetails().getColumnCount() != 1) {
            throw new IllegalArgumentException("The id of " + type.getSimpleName()
                    + " has several columns, which is not supported here. Query the row with ShardedCluster.shard(…) or"
                    + " global().");
        }
        String qualified = table.getTableName();
        String name = qualified.substring(qualified.lastIndexOf('.') + 1);
        String column = table.getKeyDetails().getKeyColumn(0).getColumnName();
        boolean sharded = shards(factory).isSharded(type);
        return new Table(type.getSimpleName(), stored(name), stored(column), sharded);
    }

    /** PostgreSQL converts unquoted names to lower case. */
    private static String stored(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
    }

    private SessionFactory factoryOf(Class<?> type) {
        return factories.stream()
                .filter(factory -> EntityShards.of(factory)
                        .filter(shards -> shards.isSharded(type) || shards.isGlobal(type))
                        .isPresent())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(type.getName() + " is no entity of the application under test."));
    }

    private static EntityShards shards(SessionFactory factory) {
        return Objects.requireNonNull(EntityShards.of(factory).orElse(null), "a factory that routes");
    }
}
