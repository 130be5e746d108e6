package io.github.shardedid.boot.jdbc;

import io.github.shardedid.boot.condition.OnPrimaryDataSource;
import io.github.shardedid.routing.RoutingDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the routing data source among the data source beans. Libraries may have wrapped it, for example to log statements. */
public final class ShardedDataSource {
    private static final String NAME = "shardedDataSource";

    private ShardedDataSource() {}

    /**
     * The routing data source of the application.
     *
     * @param beans the beans of the application
     * @return the bean {@code shardedDataSource}; if there is none, the application's own data source
     * @throws UnshardedDataSourceException if that does not unwrap to a routing data source
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
     * @throws UnshardedDataSourceException if there is none
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

    private static UnshardedDataSourceException refused(
            ConfigurableListableBeanFactory beans, @Nullable SQLException cause) {
        String bean = OnPrimaryDataSource.primary(beans)
                .map(name -> "The bean \"" + name + "\"" + definedIn(name, beans) + " is the primary data source. It")
                .orElse("The data source of the application");
        return new UnshardedDataSourceException(
                bean
                        + " does not lead to the sharded databases, so that Hibernate would store sharded entities in it. Remove"
                        + " @Primary from that bean, or declare it with @Bean(defaultCandidate = false), and inject it with"
                        + " @Qualifier: the bean \"" + NAME
                        + "\" is then the primary one. A data source that wraps the sharded one"
                        + " must unwrap to RoutingDataSource.",
                cause);
    }

    private static String definedIn(String name, ConfigurableListableBeanFactory beans) {
        String where = beans.getBeanDefinition(name).getResourceDescription();
        return where == null ? "" : " (" + where + ")";
    }
}
