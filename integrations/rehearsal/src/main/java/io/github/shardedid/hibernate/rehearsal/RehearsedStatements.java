package io.github.shardedid.hibernate.rehearsal;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.UnsentStatements;
import io.github.shardedid.routing.internal.UnsentStatements.Qualified;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges statements of an application without shards as if it had some. Safe for use by several threads. */
final class RehearsedStatements {
    private static final String WAYS =
            "Compare the id or the shard key, run it in ShardContext.run(shard, …), or ask all shards"
                    + " with @AllShards or ShardContext.run(ShardSet.all(), …).";
    private static final String GLOBAL_WAYS = "Use the data source of the global database (globalDataSource,"
            + " globalJdbcClient) or ShardContext.run(Target.global(), …), or run it in ShardContext.run(shard, …).";

    /** The placeholder of a table's schema, by its name in lower case. */
    private final Map<String, String> schemas = new HashMap<>();

    private final UnsentStatements statements;

    /**
     * Creates the judge.
     *
     * @param sharded the names of the tables that are in the schema of every shard
     * @param global the names of the tables in the global database
     * @param colocated the columns with ids of the row's own shard, by table
     */
    RehearsedStatements(Collection<String> sharded, Collection<String> global, Map<String, Set<String>> colocated) {
        sharded.forEach(table -> schemas.put(table.toLowerCase(Locale.ROOT), RoutingDataSource.SCHEMA_PLACEHOLDER));
        global.forEach(table -> schemas.put(table.toLowerCase(Locale.ROOT), RoutingDataSource.GLOBAL_PLACEHOLDER));
        statements = new UnsentStatements(schemas, colocated);
    }

    /** Returns why a statement, whose tables have no schema, would be refused: see {@link Rehearsal#refusal}. */
    Optional<String> refusal(String sql, boolean byHibernate, @Nullable Target scope, @Nullable Connection connection)
            throws SQLException {
        Qualified statement = statements.qualified(sql);
        List<String> sharded = tables(statement, RoutingDataSource.SCHEMA_PLACEHOLDER);
        List<String> global = tables(statement, RoutingDataSource.GLOBAL_PLACEHOLDER);
        if (!sharded.isEmpty() && !global.isEmpty()) {
            return Optional.of("It crosses from the sharded tables " + sharded + " to the global tables " + global
                    + ", which are in different databases. Read the global rows by a query of their own.");
        } else if (scope == Target.global() || (!global.isEmpty() && byHibernate)) {
            return sharded.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "It reads the sharded tables " + sharded + " in the scope of the global database. " + WAYS);
        } else if (!global.isEmpty()) {
            return Optional.of(
                    "It reads the global tables " + global + " outside of the global database. " + GLOBAL_WAYS);
        } else if (scope == null) {
            return Optional.of("It determines no shard. " + (sharded.isEmpty() ? GLOBAL_WAYS : WAYS));
        }
        return scope instanceof ShardSet ? statements.obstacle(statement.sql(), connection) : Optional.empty();
    }

    private List<String> tables(Qualified statement, String schema) {
        return statement.tables().stream()
                .filter(table -> schema.equals(schemas.get(table)))
                .toList();
    }
}
