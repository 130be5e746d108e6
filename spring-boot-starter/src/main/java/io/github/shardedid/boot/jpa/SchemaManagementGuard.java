package io.github.shardedid.boot.jpa;

import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.hibernate.autoconfigure.HibernateProperties;

/**
 * Disables Hibernate's schema management: each shard has its own tables, which migrations create. By default, Boot would query the
 * data source outside of a shard to find out whether it is embedded.
 */
final class SchemaManagementGuard implements BeanPostProcessor {
    static final String NONE = "none";

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof HibernateProperties properties) {
            check("spring.jpa.hibernate.ddl-auto", properties.getDdlAuto());
            properties.setDdlAuto(NONE);
        }
        return bean;
    }

    static void check(String property, @Nullable Object value) {
        if (value != null && !NONE.equals(value)) {
            throw new ShardedIdPropertiesException(
                    property + " is " + value + ", but Hibernate cannot create the tables of"
                            + " every shard. Remove it, and write migrations, which run in the schema of every shard"
                            + " (sharded-id.migrations).");
        }
    }
}
