package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.DriverInfo;

/**
 * The metadata of a routed connection. It takes a connection for each question, and keeps it only as long as a
 * result is open.
 *
 * <p>An application asks for metadata outside of transactions and scopes, at the start above all. Questions
 * about tables and the like are questions about the current shard's; what is the same in all databases is asked
 * of any of them.
 *
 * @param owner the routed connection, to which the metadata leads back
 * @param current takes the connections
 */
public record MetaDataFacade(Connection owner, CurrentConnection current) implements InvocationHandler {
    /** The questions with a result whose answer says nothing of a database's content. */
    private static final Set<String> OF_THE_SERVER =
            Set.of("getCatalogs", "getClientInfoProperties", "getTableTypes", "getTypeInfo");

    /**
     * The questions in which the schema is a name, not a pattern. In a pattern, an underscore must be escaped,
     * and each shard's schema has one.
     */
    private static final Set<String> BY_NAME = SqlKeywords.words(
            """
            getBestRowIdentifier getColumnPrivileges getCrossReference getExportedKeys getImportedKeys getIndexInfo
            getPrimaryKeys getVersionColumns
            """);

    public static DatabaseMetaData of(Connection owner, CurrentConnection current) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                MetaDataFacade.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                new MetaDataFacade(owner, current));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "getConnection" -> owner;
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> "metadata of " + owner;
            case "isWrapperFor" -> arguments != null && Unwrapping.isPossible(proxy, arguments[0]);
            case "unwrap" -> Unwrapping.of(proxy, arguments == null ? null : arguments[0]);
            case "getDriverMajorVersion" -> DriverInfo.MAJOR_VERSION;
            case "getDriverMinorVersion" -> DriverInfo.MINOR_VERSION;
            default -> ask(method, arguments);
        };
    }

    /**
     * Asks the driver. The connection goes back at once, unless the answer is a result: then it does so with
     * that.
     */
    private @Nullable Object ask(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (owner.isClosed()) {
            throw new SQLException("The connection is closed.", "08003");
        }
        boolean ofShard = method.getReturnType() == ResultSet.class && !OF_THE_SERVER.contains(method.getName());
        PhysicalConnection physical =
                ofShard ? current.described("DatabaseMetaData." + method.getName()) : current.any();
        physical.statementOpened();
        boolean kept = false;
        try {
            @Nullable Object @Nullable [] asked = ofShard ? inCurrentSchema(method, arguments) : arguments;
            Object answer = DriverCall.forward(physical.connection().getMetaData(), method, asked);
            kept = answer instanceof ResultSet;
            return answer instanceof ResultSet rows ? releasing(rows, physical) : answer;
        } catch (SQLException e) {
            throw ConnectionLoss.explain(e, physical.database(), null);
        } finally {
            if (!kept) {
                current.router().closed(physical);
            }
        }
    }

    /**
     * Adds the schema of the current target to a question that names none: the other schemas of its database
     * belong to other shards, and have the same tables.
     */
    private @Nullable Object @Nullable [] inCurrentSchema(Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        String schema = owner.getSchema();
        if (schema == null || arguments == null || arguments.length < 3) {
            return arguments;
        }
        @Nullable Object[] named = arguments.clone();
        String said = BY_NAME.contains(method.getName()) ? schema : schema.replace("_", "\\_");
        named[1] = named[1] == null ? said : named[1];
        if (method.getName().equals("getCrossReference") && named[4] == null) {
            named[4] = said;
        }
        return named;
    }

    /**
     * Returns a read-only result without large objects, which releases its connection when it is closed. Its
     * statement is the driver's own, so that there is none to lead back to.
     */
    private ResultSet releasing(ResultSet rows, PhysicalConnection physical) {
        return ResultFacade.of(rows, null, new ResultFacade.Giver() {
            private boolean closed;

            @Override
            public void resultClosed() {
                if (!closed) {
                    closed = true;
                    current.router().closed(physical);
                }
            }

            @Override
            public SQLException explain(SQLException failure) {
                return ConnectionLoss.explain(failure, physical.database(), null);
            }
        });
    }
}
