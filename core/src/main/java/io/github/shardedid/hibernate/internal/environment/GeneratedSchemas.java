package io.github.shardedid.hibernate.internal.environment;

import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.RoutingDataSource;
import org.hibernate.boot.model.relational.QualifiedName;
import org.hibernate.boot.model.relational.QualifiedSequenceName;
import org.hibernate.boot.model.relational.QualifiedTableName;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.env.spi.QualifiedObjectNameFormatter;

/**
 * Spells the placeholder of a schema otherwise in the texts that Hibernate generates than in those of the application, in which {@code
 * {h-schema}} becomes the usual one: so the connection knows the former, in which all tables have their schema.
 */
record GeneratedSchemas(QualifiedObjectNameFormatter standard) implements QualifiedObjectNameFormatter {
    private static String spelled(String name) {
        int point = name.indexOf('.');
        String schema = point < 0 ? "" : name.substring(0, point);
        return schema.equals(RoutingDataSource.SCHEMA_PLACEHOLDER)
                        || schema.equals(RoutingDataSource.GLOBAL_PLACEHOLDER)
                ? RoutedConnection.generated(schema) + name.substring(point)
                : name;
    }

    @Override
    public String format(QualifiedTableName name, Dialect dialect) {
        return spelled(standard.format(name, dialect));
    }

    @Override
    public String format(QualifiedSequenceName name, Dialect dialect) {
        return spelled(standard.format(name, dialect));
    }

    @Override
    public String format(QualifiedName name, Dialect dialect) {
        return spelled(standard.format(name, dialect));
    }
}
