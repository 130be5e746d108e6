package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an application is told of tables is told of the shard's. */
class RoutedMetaDataIntegrationTests {
    private static final Set<String> ANYWHERE =
            Set.of("getCatalogs", "getClientInfoProperties", "getTableTypes", "getTypeInfo");

    @Test
    void questionsAboutTablesAreAboutTheShards() throws Exception {
        try (TwoDatabases databases = new TwoDatabases();
                Connection connection = databases.routed.getConnection()) {
            databases.pg2.execute("CREATE TABLE shard_0003.only_here (id int); CREATE SCHEMA \"shardX0003\";"
                    + " CREATE TABLE \"shardX0003\".photo (id int)");
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(metaData.getDatabaseProductName()).isEqualTo("PostgreSQL");
            assertThat(metaData.getDatabaseMajorVersion()).isPositive();
            assertThat(metaData.getMaxColumnNameLength()).isPositive();
            for (Method method : DatabaseMetaData.class.getMethods()) {
                if (method.getReturnType() == ResultSet.class) {
                    asked(metaData, method);
                }
            }
            try (ShardContext.Scope scope = ShardContext.open(3)) {
                assertThat(schemas(metaData.getTables(null, null, "photo", null)))
                        .containsExactly("shard_0003");
                assertThat(schemas(metaData.getTables(null, null, "only_here", null)))
                        .containsExactly("shard_0003");
                assertThat(schemas(metaData.getTables(null, "", "only_here", null)))
                        .isEmpty();
                assertThat(schemas(metaData.getColumns(null, null, "photo", "id")))
                        .containsExactly("shard_0003");
                assertThat(schemas(metaData.getPrimaryKeys(null, null, "photo")))
                        .containsExactly("shard_0003");
                assertThat(schemas(metaData.getIndexInfo(null, null, "photo", false, true)))
                        .containsExactly("shard_0003");
                assertThat(schemas(metaData.getTables(null, "shard\\_0002", "photo", null)))
                        .containsExactly("shard_0002");
            }
        }
    }

    private static void asked(DatabaseMetaData metaData, Method method) throws Exception {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            arguments[i] = type == boolean.class ? (Object) false : type == int.class ? 0 : null;
        }
        if (ANYWHERE.contains(method.getName())) {
            ((ResultSet) method.invoke(metaData, arguments)).close();
        } else {
            assertThatThrownBy(() -> method.invoke(metaData, arguments))
                    .as(method.getName())
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining(method.getName());
        }
    }

    private static List<String> schemas(ResultSet rows) throws SQLException {
        List<String> schemas = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                schemas.add(rows.getString("TABLE_SCHEM"));
            }
        }
        return schemas;
    }
}
