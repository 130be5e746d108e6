package io.github.shardedid.benchmarks.jpa;

import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Hibernate as the figures use it, with JDBC batches of 50. */
public final class Sessions {
    private Sessions() {}

    /** For these entities. */
    public static SessionFactory of(DataSource source, Class<?>... entities) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", source);
        configuration.setProperty("hibernate.jdbc.batch_size", "50");
        configuration.setProperty("hibernate.order_inserts", "true");
        configuration.addAnnotatedClasses(entities);
        return configuration.buildSessionFactory();
    }
}
