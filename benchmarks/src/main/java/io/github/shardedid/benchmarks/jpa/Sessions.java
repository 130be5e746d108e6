package io.github.shardedid.benchmarks.jpa;

import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Hibernate as the figures use it, with JDBC batches of 50. */
public final class Sessions {
    private Sessions() {}

    /** For these entities. */
    public static SessionFactory of(DataSource source, Class<?>... entities) {
        return of(Map.of("hibernate.connection.datasource", source), entities);
    }

    /** With other connections than those of a data source. */
    public static SessionFactory of(Map<String, Object> connections, Class<?>... entities) {
        Configuration configuration = new Configuration();
        configuration.getProperties().putAll(connections);
        configuration.setProperty("hibernate.jdbc.batch_size", "50");
        configuration.setProperty("hibernate.order_inserts", "true");
        configuration.addAnnotatedClasses(entities);
        return configuration.buildSessionFactory();
    }
}
