package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets a search path on the application's functions, including those of triggers: unqualified names in a body then mean
 * the schema of the function, whoever calls it. Temporary tables come first, as in any session; last where a function has the rights
 * of its owner, whose tables a caller must not hide. Not changed are functions with a path set by the application, and
 * those that need none: {@code BEGIN ATOMIC} is bound when it is created. A procedure that ends transactions may have no settings.
 */
public final class FunctionBinding {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionBinding.class);
    private static final int PER_TRANSACTION = 100;
    private static final String SHARDS = "n.nspname ~ '^shard_[0-9]{4,}$'";

    private static final String UNBOUND = Sql.load(FunctionBinding.class, "unbound_functions.sql");

    private static final String EXTENSIONS = Sql.load(FunctionBinding.class, "extensions.sql") + SHARDS;

    private FunctionBinding() {}

    private record Unbound(String function, String path, boolean owned) {}

    /**
     * Binds those of one schema; of a shard's only extensions are looked for in it, too.
     *
     * @throws ProvisioningException if one has the path of another shard, or an extension is in a shard's schema
     */
    public static void bind(Connection connection, String schema, CommonSchemas common) throws SQLException {
        requireNoExtensions(connection);
        alter(connection, read(connection, common, "n.nspname = " + Sql.literal(schema)));
    }

    /** Binds those of all shards of a database, unless another instance has the lock, which then does it. */
    public static void bindAll(String database, Connection connection, CommonSchemas common) throws SQLException {
        List<Unbound> found = Transaction.read(connection, () -> {
            requireNoExtensions(connection);
            return read(connection, common, SHARDS);
        });
        if (found.stream().noneMatch(Unbound::owned)) {
            return;
        }
        try (SessionLock lock = SessionLock.tryTake(connection, SessionLock.DATABASE)) {
            if (lock == null) {
                return;
            }
            List<Unbound> unbound = Transaction.read(connection, () -> read(connection, common, SHARDS));
            for (List<Unbound> some : Batches.of(unbound, PER_TRANSACTION)) {
                Transaction.run(connection, () -> alter(connection, some));
            }
            LOG.info(
                    "Database {}: {} functions of shards have a search path of their own now",
                    database,
                    unbound.size());
        }
    }

    private static void requireNoExtensions(Connection connection) throws SQLException {
        for (List<@Nullable String> row : Sql.rows(connection, EXTENSIONS)) {
            throw new ProvisioningException(
                    Reason.FAILED_MIGRATION,
                    "Extension " + row.get(0) + " is in " + row.get(1) + ", the schema of a shard, where other"
                            + " shards do not see it. Move it: ALTER EXTENSION " + row.get(0)
                            + " SET SCHEMA public. Create extensions before the first start, or with SCHEMA public.",
                    new IllegalStateException(row.get(0)));
        }
    }

    private static List<Unbound> read(Connection connection, CommonSchemas common, String schemas) throws SQLException {
        return Sql.query(connection, UNBOUND.replace("${common}", common.sql()).replace("${schemas}", schemas), row -> {
            Unbound one = new Unbound(row.getString("function"), row.getString("path"), row.getBoolean("owned"));
            requireOwnShard(one, row.getString("own_path"));
            return one;
        });
    }

    private static void requireOwnShard(Unbound one, @Nullable String path) {
        String schema = one.path.substring(0, one.path.indexOf(','));
        if (path != null && !(path + ",").startsWith(schema + ",")) {
            throw new ProvisioningException(
                    Reason.FAILED_MIGRATION,
                    "Function " + one.function + " has the search path " + path + ", which names another shard. Take it"
                            + " away: ALTER FUNCTION " + one.function
                            + " RESET search_path. It gets that of its own shard.",
                    new IllegalStateException(path));
        }
    }

    private static void alter(Connection connection, List<Unbound> unbound) throws SQLException {
        unbound.stream()
                .filter(one -> !one.owned)
                .forEach(one -> LOG.warn(
                        "Function {} is not this user's: without a search path of its own, names without a schema in it"
                                + " fail for callers whose path names no shard. As its owner: ALTER ROUTINE {} SET search_path TO {}",
                        one.function,
                        one.function,
                        one.path));
        Sql.execute(
                connection,
                unbound.stream()
                        .filter(Unbound::owned)
                        .map(one -> "ALTER ROUTINE " + one.function + " SET search_path TO " + one.path)
                        .toList());
    }
}
