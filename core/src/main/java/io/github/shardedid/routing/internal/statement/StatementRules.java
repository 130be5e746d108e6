package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.MixedStatementException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.TargetErrors;
import io.github.shardedid.routing.internal.connection.WriteBinding;
import io.github.shardedid.routing.internal.sql.NamedSchemas;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what statements of one routed connection must not do. No database is touched, so that nothing is sent
 * of what is refused.
 *
 * <p>The rules are here, and not in the integration with Hibernate, because every client of a data source
 * prepares statements: native SQL, {@code JdbcTemplate} and jOOQ obey them, too.
 *
 * @param databases names databases in messages, and the schemas
 * @param settings the settings of the connection
 * @param binding the shard that the transaction writes to
 */
public record StatementRules(Databases databases, ConnectionSettings settings, WriteBinding binding) {
    /**
     * Decides about a statement, once: what its execution compares is in the decision.
     *
     * <p>Refuses what belongs to the methods of the connection, what would change a session for its next user,
     * what has no target, and a write to a second shard.
     *
     * @param scope the innermost scope; null for none
     * @return a route without a connection
     */
    Route decide(String sql, SqlAnalysis analysis, @Nullable Target scope) throws SQLException {
        if (analysis.traits().endsTransaction()) {
            throw new SQLFeatureNotSupportedException(
                    "Transactions span databases here: use the methods of the connection instead of sending "
                            + SqlText.brief(sql));
        }
        analysis.traits().session().require(sql);
        Target.Single target = targetOf(sql, analysis.schemas(), scope);
        Route route = new Route(sql, analysis, target, databases.schemaOf(target), null, null, false, null);
        check(route);
        return route;
    }

    /**
     * Refuses to execute a statement, or to add to its batch, in another scope than the one that has decided
     * where it goes. Where no scope is open, nothing names another target, and it goes where it was prepared
     * for.
     */
    void requireScope(Route route) throws SQLException {
        NamedSchemas schemas = route.analysis().schemas();
        if (schemas == NamedSchemas.GLOBAL
                || (schemas == NamedSchemas.REPLICATED && route.target() instanceof Target.Global)) {
            return;
        }
        Target scope = ShardContext.target();
        Target.Single now = settings.targetIn(scope);
        if (now == null ? scope instanceof ShardSet : !now.equals(route.target())) {
            throw TargetErrors.differs(route.sql(), route.target().toString(), now);
        }
    }

    /**
     * Returns what to throw where a statement that was made for several shards is executed in the scope of one,
     * or in none.
     */
    public SQLException outsideSet(String sql) {
        return TargetErrors.differs(sql, "several shards", settings.currentTarget());
    }

    /**
     * Refuses a statement that writes to a second shard. In autocommit, each statement is a transaction of its
     * own.
     */
    void check(Route route) {
        if (route.analysis().traits().writes() && !settings.autoCommit) {
            binding.check(route.target(), () -> SqlText.brief(route.sql()), databases);
        }
    }

    /**
     * Binds the transaction to the target of a write that is no statement's text, and refuses a second target.
     * Does nothing in autocommit.
     *
     * @param what what is to be written; asked only for messages
     * @param database where it writes, or null if that is not known yet
     */
    public void write(Target.Single target, Supplier<String> what, @Nullable String database) {
        if (!settings.autoCommit) {
            binding.check(target, what, databases);
            binding.bind(target, database);
        }
    }

    /**
     * Returns where a statement goes: to the global entities if it names them, else to the target of the scope.
     * There is no default. One that only reads replicated tables goes to the database of the scope's shard, else to the global one.
     *
     * @throws MixedStatementException if it names both
     * @throws NoShardException if it names a shard's schema, or none, and no scope tells which
     */
    private Target.Single targetOf(String sql, NamedSchemas schemas, @Nullable Target scope) {
        if (schemas == NamedSchemas.GLOBAL) {
            return Target.global();
        } else if (schemas == NamedSchemas.MIXED) {
            throw new MixedStatementException("Sharded and global tables are in one statement, which no database"
                    + " can answer, since they may be on different servers: " + SqlText.brief(sql)
                    + ". A replicated table is written or locked in a statement of its own. Associations between other tables are not joined: leave out join fetch, or the entity graph's"
                    + " node, and let the other row be loaded by its id; or ask with two queries.");
        }
        Target.Single target = settings.targetIn(scope);
        if (schemas == NamedSchemas.REPLICATED) {
            return target instanceof Target.Shard ? target : Target.global();
        }
        if (target == null) {
            throw settings.unknown(SqlText.brief(sql));
        }
        if (schemas == NamedSchemas.SHARD && target instanceof Target.Global) {
            throw new NoShardException("A statement for the tables of a shard was about to be sent in the scope"
                    + " of the global database: " + SqlText.brief(sql)
                    + ". Name its shard with ShardContext.run(shard, ...); native SQL names global tables"
                    + " without a schema, or as " + SchemaPlaceholder.OF_GLOBAL
                    + ".<table>, never with {h-schema}.");
        }
        return target;
    }
}
