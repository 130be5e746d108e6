package io.github.shardedid.routing.rehearsal;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.Catalogues;
import io.github.shardedid.routing.internal.sql.query.ScatterParser;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Judges statements of an application without shards as if it had some. Safe for use by several threads. */
public final class RehearsedStatements {
    private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", "UPDATE", "INTO", "ONLY", "USING");
    private static final Set<String> CLAUSES = Set.of(
            "SELECT", "FROM", "WHERE", "ORDER", "GROUP", "HAVING", "SET", "VALUES", "LIMIT", "OFFSET", "RETURNING");
    private static final String WAYS =
            "Compare the id or the shard key, run it in ShardContext.run(shard, …), or ask all shards"
                    + " with @AllShards or ShardContext.run(ShardSet.all(), …).";
    private static final String GLOBAL_WAYS = "Use the data source of the global database (globalDataSource,"
            + " globalJdbcClient) or ShardContext.run(Target.global(), …), or run it in ShardContext.run(shard, …).";
    private static final long ANALYSES = 4 << 20;
    /** There is one only. */
    private static final String DATABASE = "";

    /** Whether a table, by its name in lower case, is global. */
    private final Map<String, Boolean> globalByName = new HashMap<>();

    private final SqlAnalyses analyses = new SqlAnalyses(ANALYSES);
    private final Catalogues catalogues = new Catalogues(System::nanoTime);

    /**
     * Creates the judge.
     *
     * @param sharded the names of the tables that are in the schema of every shard
     * @param global the names of the tables in the global database
     * @param colocated the columns with ids of the row's own shard, by table
     */
    public RehearsedStatements(
            Collection<String> sharded, Collection<String> global, Map<String, Set<String>> colocated) {
        sharded.forEach(table -> globalByName.put(table.toLowerCase(Locale.ROOT), false));
        global.forEach(table -> globalByName.put(table.toLowerCase(Locale.ROOT), true));
        analyses.declareColocated(colocated);
    }

    /** A statement as Hibernate would write it with shards, and its tables. */
    private record Qualified(String sql, Set<String> sharded, Set<String> global) {}

    /**
     * Returns why a statement would be refused.
     *
     * @param sql a statement whose tables have no schema
     * @param byHibernate whether Hibernate has written it, so that it would name the schemas of its tables
     * @param scope where it would be executed; null if nothing determines its shard
     * @param connection to the database that has the functions of the query; null to take all of them for harmless ones, and all tables
     *     for tables
     * @return a message with the way out; empty if it would be executed
     * @throws SQLException if the catalogs cannot be read
     */
    public Optional<String> refusal(
            String sql, boolean byHibernate, @Nullable Target scope, @Nullable Connection connection)
            throws SQLException {
        Qualified statement = qualified(sql);
        boolean sharded = !statement.sharded().isEmpty();
        boolean global = !statement.global().isEmpty();
        if (sharded && global) {
            return Optional.of("It crosses from the sharded tables " + statement.sharded() + " to the global tables "
                    + statement.global()
                    + ", which are in different databases. Read the global rows by a query of their own.");
        } else if (scope == Target.global() || (global && byHibernate)) {
            return sharded
                    ? Optional.of("It reads the sharded tables " + statement.sharded()
                            + " in the scope of the global database. " + WAYS)
                    : Optional.empty();
        } else if (global) {
            return Optional.of("It reads the global tables " + statement.global() + " outside of the global database. "
                    + GLOBAL_WAYS);
        } else if (scope == null) {
            return Optional.of("It determines no shard. " + (sharded ? WAYS : GLOBAL_WAYS));
        }
        return scope instanceof ShardSet ? obstacle(statement.sql(), connection) : Optional.empty();
    }

    /** Reads a query as it is read before it is sent to several shards. */
    private Optional<String> obstacle(String sql, @Nullable Connection connection) throws SQLException {
        try {
            ScatterParser parser = ScatterParser.read(sql, false, analyses.of(sql));
            if (connection == null) {
                parser.query(Catalogues.ofPlain(parser.names()), analyses.colocated());
                return Optional.empty();
            }
            if (!catalogues.knows(DATABASE, parser.names())) {
                catalogues.lookUp(connection, DATABASE, parser.names());
            }
            if (!catalogues.knowsTables(parser.names())) {
                catalogues.lookUpTables(connection, String.valueOf(connection.getSchema()), parser.names());
            }
            parser.query(catalogues.of(Set.of(DATABASE), parser.names()), analyses.colocated());
            return Optional.empty();
        } catch (UnmergeableQueryException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    private Qualified qualified(String sql) {
        Qualified tables = new Qualified("", new TreeSet<>(), new TreeSet<>());
        SqlText text = new SqlText(sql);
        StringBuilder qualified = new StringBuilder();
        String clause = "";
        int from = 0;
        for (int i = 0; i < text.size(); i++) {
            clause = CLAUSES.contains(text.at(i)) ? text.at(i) : clause;
            boolean listed = text.is(i - 1, ",") && clause.equals("FROM");
            boolean named =
                    (listed || BEFORE_TABLES.contains(text.at(i - 1))) && text.isName(i) && !text.is(i + 1, ".");
            String name = named ? text.raw(i).replace("\"", "").toLowerCase(Locale.ROOT) : "";
            Boolean global = globalByName.get(name);
            if (global != null) {
                (global ? tables.global() : tables.sharded()).add(name);
                qualified
                        .append(sql, from, text.start(i))
                        .append(global ? RoutingDataSource.GLOBAL_PLACEHOLDER : RoutingDataSource.SCHEMA_PLACEHOLDER)
                        .append('.');
                from = text.start(i);
            }
        }
        return new Qualified(qualified.append(sql.substring(from)).toString(), tables.sharded(), tables.global());
    }
}
