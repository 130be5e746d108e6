package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.routing.RoutingDataSource;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/** Finds the routing data source among the data source beans. Libraries may have wrapped it, for example to log statements. */
public final class ShardedDataSource {
    private static final String NAME = "shardedDataSource";

    private ShardedDataSource() {}

    /**
     * The routing data source of the application.
     *
     * @param beans the beans of the application
     * @return the bean {@code shardedDataSource}; if there is none, the application's own data source
     * @throws ClusterConfigurationException if that does not unwrap to a routing data source
     */
    public static RoutingDataSource of(ConfigurableListableBeanFactory beans) {
        return unwrapped(
                beans.containsBean(NAME) ? beans.getBean(NAME, DataSource.class) : beans.getBean(DataSource.class),
                beans);
    }

    /**
     * The routing data source that another one leads to.
     *
     * @param used a data source that is used where statements must be routed
     * @param beans the beans of the application
     * @return the routing data source
     * @throws ClusterConfigurationException if there is none
     */
    public static RoutingDataSource unwrapped(DataSource used, ConfigurableListableBeanFactory beans) {
        try {
            if (used.isWrapperFor(RoutingDataSource.class)) {
                return used.unwrap(RoutingDataSource.class);
            }
        } catch (SQLException e) {
            throw refused(beans, e);
        }
        throw refused(beans, null);
    }

    private static ClusterConfigurationException refused(
            ConfigurableListableBeanFactory beans, @Nullable SQLException cause) {
        String bean = primary(beans)
                .map(name -> "The bean \"" + name + "\" ("
                        + beans.getBeanDefinition(name).getResourceDescription() + ") is the primary data source. It")
                .orElse("The data source of the application");
        return new ClusterConfigurationException(
                bean
                        + " does not lead to the sharded databases, so that Hibernate would store sharded entities in it. Remove"
                        + " @Primary from that bean, or declare it with @Bean(defaultCandidate = false), and inject it with"
                        + " @Qualifier: the bean \"" + NAME
                        + "\" is then the primary one. A data source that wraps the sharded one"
                        + " must unwrap to RoutingDataSource.",
                cause);
    }

    /** Returns the name of the data source bean that is {@code @Primary}. Creates no bean. */
    private static Optional<String> primary(ConfigurableListableBeanFactory beans) {
        return Stream.of(beans.getBeanNamesForType(DataSource.class, true, false))
                .filter(beans::containsBeanDefinition)
                .filter(name -> beans.getBeanDefinition(name).isPrimary())
                .findFirst();
    }

    /** The sharded data source is not primary if another one is, for example one that wraps it. Runs once both are registered. */
    static final class BesidePrimary implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            if (registry.containsBeanDefinition(NAME)) {
                BeanDefinition own = registry.getBeanDefinition(NAME);
                own.setPrimary(false);
                own.setPrimary(
                        primary((ConfigurableListableBeanFactory) registry).isEmpty());
            }
        }
    }
}
