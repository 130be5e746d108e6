package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.Catalogue;
import io.github.shardedid.routing.internal.sql.query.Catalogues;
import io.github.shardedid.routing.internal.sql.query.ScatterParser;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements as the router reads them, but sends none. For tools of the integration with Hibernate that examine an application.
 * Safe for use by several threads.
 */
public final class UnsentStatements {
    private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", "UPDATE", "INTO", "ONLY", "USING");
    private static final Set<String> CLAUSES = Set.of(
            "SELECT", "FROM", "WHERE", "ORDER", "GROUP", "HAVING", "SET", "VALUES", "LIMIT", "OFFSET", "RETURNING");
    private static final long ANALYSES = 4 << 20;
    /** There is one only. */
    private static final String DATABASE = "";

    /** The placeholder of a table's schema, by its name in lower case. */
    private final Map<String, String> schemas;

    private final SqlAnalyses analyses = new SqlAnalyses(ANALYSES, null);
    private final Catalogues catalogues = new Catalogues(System::nanoTime);

    /**
     * Creates a reader.
     *
     * @param schemas the placeholders of schemas, by the name of a table in lower case
     * @param colocated the columns with ids of the row's own shard, by table
     */
    public UnsentStatements(Map<String, String> schemas, Map<String, Set<String>> colocated) {
        this.schemas = Map.copyOf(schemas);
        analyses.declareColocated(colocated);
    }

    /** A statement as Hibernate would write it with shards, and the known tables in it, in lower case. */
    public record Qualified(String sql, Set<String> tables) {}

    /** Adds the placeholders of their schemas to the tables of a statement that has no schemas. */
    public Qualified qualified(String sql) {
        Set<String> tables = new TreeSet<>();
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
            String schema = schemas.get(name);
            if (schema != null) {
                tables.add(name);
                qualified.append(sql, from, text.start(i)).append(schema).append('.');
                from = text.start(i);
            }
        }
        return new Qualified(qualified.append(sql.substring(from)).toString(), tables);
    }

    /**
     * Returns why a query would be refused for several shards, as it is read before it is sent to them.
     *
     * @param sql a query whose tables have placeholders of schemas
     * @param connection to the database that has the functions and the tables of the query, in its current schema; null to take all functions
     *     for harmless ones, and all tables for tables
     * @return a message with the way out; empty if its results would merge
     * @throws SQLException if the catalogs cannot be read
     */
    public Optional<String> obstacle(String sql, @Nullable Connection connection) throws SQLException {
        try {
            ScatterParser parser = ScatterParser.read(sql, false, analyses.of(sql));
            Catalogue.Names names = parser.names();
            if (connection != null && !catalogues.knows(DATABASE, names)) {
                catalogues.lookUp(connection, DATABASE, names);
            }
            if (connection != null && !catalogues.knowsTables(names)) {
                catalogues.lookUpTables(connection, String.valueOf(connection.getSchema()), names);
            }
            parser.query(
                    connection == null ? Catalogues.ofPlain(names) : catalogues.of(Set.of(DATABASE), names),
                    analyses.colocated());
            return Optional.empty();
        } catch (UnsupportedStatementException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }
}
