package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages for statements that have no target, or another one than their scope. Each says what to
 * do, as it is the first message that a newcomer sees.
 */
public final class TargetErrors {
    private static final String HOW_TO_NAME_A_SHARD =
            " Name one with ShardContext.run(shard, ...), call a repository method with an id or a shard key, or mark a"
                    + " query with @AllShards. A table that exists once, such as one of a library, lives in the global database:"
                    + " use ShardContext.runGlobal(...), or the bean globalDataSource of the starter.";

    private static final String OF_ROOT =
            " The tenant of the session names none: it is the root tenant (isRoot), or no value of the shard key.";
    private static final String OUTSIDE =
            " Outside of a transaction, JDBC has a connection of its own: where the tenant of a session names the shard, call it in a"
                    + " transaction.";

    private TargetErrors() {}

    /**
     * Returns what to throw where no target is known.
     *
     * @param what a statement in brief, or what else needs one
     * @param ofSession whether a session with a tenant has the connection
     * @param autoCommit whether the connection is in no transaction
     */
    public static NoShardException unknown(String what, boolean ofSession, boolean autoCommit) {
        return new NoShardException("No shard is known for: " + what + "."
                + (ofSession ? OF_ROOT : autoCommit ? OUTSIDE : "") + HOW_TO_NAME_A_SHARD);
    }

    /**
     * Returns what to throw where the application has opened the scope of another shard than that of the
     * session's tenant.
     */
    public static NoShardException ofTenant(Target tenant, Target scope) {
        return new NoShardException(
                "The session's tenant has its rows in " + tenant + ", but the open scope is that of "
                        + scope
                        + ", where this session finds none of them. Nothing was sent. Call this without a scope, or in a session of a"
                        + " tenant of " + scope + ", or of the root tenant.");
    }

    /**
     * Returns what to throw where a statement would go elsewhere than the scope says in which it is executed.
     *
     * @param prepared where it would go
     * @param now the target of the scope if it is a single one, else null
     */
    public static SQLException differs(String sql, String prepared, Target.@Nullable Single now) {
        Target scope = now == null ? ShardContext.target() : now;
        return new SQLException(
                "This statement was prepared, or its batch begun, in the scope of " + prepared
                        + ", and would now be executed in that of " + (scope == null ? "no shard" : scope)
                        + "; refused, and not sent, was " + SqlText.brief(sql)
                        + ". Prepare it again in the scope in which it is executed.",
                "55000");
    }
}
