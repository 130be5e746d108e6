package io.github.shardedid.boot.shelter;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Queries of the catalogs fail, as in databases that are not PostgreSQL: in PostgreSQL, a transaction cannot go on after a failure. */
class UnreadableCatalogs implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource source ? new Failing(source) : bean;
    }

    private static final class Failing extends DelegatingDataSource {
        Failing(DataSource source) {
            super(source);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Failing.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        boolean catalog = arguments != null
                                && arguments.length > 0
                                && arguments[0] instanceof String sql
                                && sql.contains("pg_catalog.pg_proc");
                        try {
                            return catalog
                                    ? connection.prepareStatement("select 1 / 0")
                                    : method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    });
        }
    }
}
