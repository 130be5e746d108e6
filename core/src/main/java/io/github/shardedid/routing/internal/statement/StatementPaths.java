package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.session.NameCatalogs;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which statements need the search path of their shard, and what the names in them run: all texts but
 * those that Hibernate generates, and of these the ones with names of which a database's catalog has more than
 * PostgreSQL's own.
 *
 * <p>While a statement runs, the path of its session names its shard or no shard, never another one. A text
 * that names all schemas needs no path, which spares the driver's prepared statements. What is not known to
 * need none gets it.
 *
 * @param names what the catalogs say
 */
record StatementPaths(NameCatalogs names) {
    /** The SQLStates of a table, function or other object that does not exist. */
    private static final Set<String> UNDEFINED = Set.of("42P01", "42883", "42704");

    /**
     * Returns whether a query needs no transaction. Before anything is known of a database, what looks so does;
     * it is asked for again at the execution, when the catalog has been read with the first session.
     */
    boolean isPlain(SqlAnalysis analysis, String database) {
        return analysis.traits().plain()
                && (names.isUnread(database) || analysis.in(names.known()).plain());
    }

    /** Returns whether a statement is known to need no path. */
    boolean isFree(SqlAnalysis analysis, String database) {
        return !names.isOutdated(database) && !analysis.in(names.known()).needsPath();
    }

    /** Returns what is to be executed before a statement, in the same round trip; null if its path is right. */
    @Nullable
    String before(Route route) throws SQLException {
        return route.physical().pathAlignment().before(route.schema(), dependsOnPath(route));
    }

    /**
     * Returns whether the path must name the schema. It must after something was defined in the transaction,
     * which the catalogs that were read do not have.
     */
    boolean dependsOnPath(Route route) throws SQLException {
        PhysicalConnection physical = route.physical();
        physical.pathAlignment().readNames();
        return physical.isHandedOut()
                || physical.use().defined
                || route.analysis().in(names.known()).needsPath();
    }

    /** Notes a failure. If an object is missing, the catalog is read again, as others may have changed it. */
    void failed(Route route, SQLException failure) {
        if (UNDEFINED.contains(String.valueOf(failure.getSQLState()))) {
            names.missed(route.physical().name());
        }
    }
}
