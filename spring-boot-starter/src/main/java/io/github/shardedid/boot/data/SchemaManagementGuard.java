package io.github.shardedid.boot.data;

import io.github.shardedid.ClusterConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.hibernate.autoconfigure.HibernateProperties;

/**
 * Disables Hibernate's schema management, except for validation: each shard has its own tables, which migrations create. By default, Boot would query the
 * data source outside of a shard to find out whether it is embedded. No aspect of the application applies to it.
 */
final class SchemaManagementGuard implements BeanPostProcessor, AopInfrastructureBean {
    private static final String NONE = "none";
    private static final String VALIDATE = "validate";

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof HibernateProperties properties) {
            check("spring.jpa.hibernate.ddl-auto", properties.getDdlAuto());
            properties.setDdlAuto(valueFor(properties.getDdlAuto()));
        }
        return bean;
    }

    /** Never nothing, for which Boot would look at the data source, and Spring may set another value. */
    static String valueFor(@Nullable Object checked) {
        return VALIDATE.equals(checked) ? VALIDATE : NONE;
    }

    static void check(String property, @Nullable Object value) {
        if (value != null && !NONE.equals(value) && !VALIDATE.equals(value)) {
            throw new ClusterConfigurationException(
                    property + " is " + value + ", but Hibernate cannot create the tables of"
                            + " every shard. Remove it, and write migrations, which run in the schema of every shard"
                            + " (sharded-id.migrations). The value validate compares the shards with the mappings.");
        }
    }
}
