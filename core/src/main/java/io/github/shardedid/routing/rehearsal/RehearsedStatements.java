package io.github.shardedid.routing.rehearsal;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.Catalogues;
import io.github.shardedid.routing.internal.sql.query.ScatterParser;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements of an application without shards as if it had some: which tables are in which database, and what would not be
 * merged. Safe for use by several threads.
 */
public final class RehearsedStatements {
    private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", "UPDATE", "INTO", "ONLY", "USING");
    private static final Set<String> CLAUSES = Set.of(
            "SELECT", "FROM", "WHERE", "ORDER", "GROUP", "HAVING", "SET", "VALUES", "LIMIT", "OFFSET", "RETURNING");
    private static final long ANALYSES = 4 << 20;
    /** There is one only. */
    private static final String DATABASE = "";

    /** Whether a table, by its name in lower case, is global. */
    private final Map<String, Boolean> globalByName = new HashMap<>();

    private final Set<String> joinedEagerly = new HashSet<>();
    private final SqlAnalyses analyses = new SqlAnalyses(ANALYSES);
    private final Catalogues catalogues = new Catalogues(System::nanoTime);

    /**
     * Creates the reader.
     *
     * @param sharded the names of the tables that are in the schema of every shard
     * @param global the names of the tables in the global database
     * @param eager the names of the tables of both that Hibernate joins by itself, and would not join with shards
     * @param colocated the columns with ids of the row's own shard, by table
     */
    public RehearsedStatements(
            Collection<String> sharded,
            Collection<String> global,
            Collection<String> eager,
            Map<String, Set<String>> colocated) {
        sharded.forEach(table -> globalByName.put(table.toLowerCase(Locale.ROOT), false));
        global.forEach(table -> globalByName.put(table.toLowerCase(Locale.ROOT), true));
        eager.forEach(table -> joinedEagerly.add(table.toLowerCase(Locale.ROOT)));
        analyses.declareColocated(colocated);
    }

    /**
     * Tables in a statement.
     *
     * @param sharded those in the schema of every shard
     * @param global those of the global database
     * @param joined those of both that are only named by joins, outside of subqueries, and that Hibernate joins by itself
     */
    public record Tables(Set<String> sharded, Set<String> global, Set<String> joined) {
        /**
         * The tables of a statement that Hibernate has written to read rows by their ids.
         *
         * @return the tables without those that it would not join with shards
         */
        public Tables withoutEagerJoins() {
            return new Tables(without(sharded), without(global), Set.of());
        }

        private Set<String> without(Set<String> tables) {
            Set<String> rest = new HashSet<>(tables);
            rest.removeAll(joined);
            return rest;
        }
    }

    /**
     * The tables that a statement names.
     *
     * @param sql any statement
     * @return their names in lower case
     */
    public Tables tablesOf(String sql) {
        Set<String> sharded = new HashSet<>();
        Set<String> global = new HashSet<>();
        Set<String> joined = new HashSet<>();
        Set<String> named = new HashSet<>();
        SqlText text = new SqlText(sql);
        String clause = "";
        Deque<Boolean> subqueries = new ArrayDeque<>();
        for (int i = 0; i < text.size(); i++) {
            nest(text, i, subqueries);
            clause = CLAUSES.contains(text.at(i)) ? text.at(i) : clause;
            Boolean isGlobal = tableAt(text, i, clause);
            if (isGlobal != null) {
                (isGlobal ? global : sharded).add(name(text, i));
                boolean byJoin = text.is(i - 1, "JOIN") && !subqueries.contains(true);
                (byJoin && joinedEagerly.contains(name(text, i)) ? joined : named).add(name(text, i));
            }
        }
        joined.removeAll(named);
        return new Tables(sharded, global, joined);
    }

    /** Notes for each parenthesis that is open whether it encloses a subquery. */
    private static void nest(SqlText text, int i, Deque<Boolean> subqueries) {
        if (text.is(i, "(")) {
            subqueries.push(text.is(i + 1, "SELECT"));
        } else if (text.is(i, ")")) {
            subqueries.poll();
        }
    }

    /** Whether the table that a token names is global; null if it names none. */
    private @Nullable Boolean tableAt(SqlText text, int i, String clause) {
        boolean listed = text.is(i - 1, ",") && clause.equals("FROM");
        boolean named = listed || BEFORE_TABLES.contains(text.at(i - 1));
        if (!named || !text.isName(i) || text.is(i + 1, ".")) {
            return null;
        }
        return globalByName.get(name(text, i));
    }

    private static String name(SqlText text, int i) {
        return text.raw(i).replace("\"", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a query as it is read before it is sent to several shards.
     *
     * @param sql a statement whose tables have no schema
     * @param connection to the database that has the functions of the query; null to take all of them for harmless ones, and all tables
     *     for tables
     * @throws io.github.shardedid.routing.UnmergeableQueryException if its results would not be merged
     * @throws SQLException if the catalogs cannot be read
     */
    public void requireMergeable(String sql, @Nullable Connection connection) throws SQLException {
        String qualified = qualified(sql);
        ScatterParser parser = ScatterParser.read(qualified, false, analyses.of(qualified));
        if (connection == null) {
            parser.query(Catalogues.ofPlain(parser.names()), analyses.colocated());
            return;
        }
        if (!catalogues.knows(DATABASE, parser.names())) {
            catalogues.lookUp(connection, DATABASE, parser.names());
        }
        if (!catalogues.knowsTables(parser.names())) {
            catalogues.lookUpTables(connection, String.valueOf(connection.getSchema()), parser.names());
        }
        parser.query(catalogues.of(Set.of(DATABASE), parser.names()), analyses.colocated());
    }

    /** As Hibernate would write it with shards. */
    private String qualified(String sql) {
        SqlText text = new SqlText(sql);
        StringBuilder qualified = new StringBuilder();
        String clause = "";
        int from = 0;
        for (int i = 0; i < text.size(); i++) {
            clause = CLAUSES.contains(text.at(i)) ? text.at(i) : clause;
            Boolean isGlobal = tableAt(text, i, clause);
            if (isGlobal != null) {
                qualified
                        .append(sql, from, text.start(i))
                        .append(isGlobal ? RoutingDataSource.GLOBAL_PLACEHOLDER : RoutingDataSource.SCHEMA_PLACEHOLDER)
                        .append('.');
                from = text.start(i);
            }
        }
        return qualified.append(sql.substring(from)).toString();
    }
}
