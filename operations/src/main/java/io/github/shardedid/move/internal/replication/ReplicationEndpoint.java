package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ds.common.BaseDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds how the target's server reaches the source, and creates subscriptions that connect so.
 *
 * <p>The password must not be shown to the server's log, to which a failed statement is written with its text and, within functions, its
 * context. So a statement with the connection string is executed within a block that catches the failure and raises it again without both.
 */
public final class ReplicationEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicationEndpoint.class);
    private static final int PORT = 5432;
    private static final String MODE = "sslmode";

    /** Those that require encryption, of the driver and of libpq. */
    private static final List<String> MODES = List.of("require", "verify-ca", "verify-full");

    private static final String ENCRYPTED = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

    /** A copy has no timeout of its own: a connection whose other end is gone is given up after a minute. */
    private static final String KEEPALIVES =
            " keepalives_idle=30 keepalives_interval=10 keepalives_count=3 tcp_user_timeout=60000";

    private static final String CONCEAL = "SELECT pg_catalog.set_config('sharded_id.connection', ?, true) IS NULL";
    private static final String EXECUTE = Sql.load(ReplicationEndpoint.class, "execute_concealed.sql");

    private ReplicationEndpoint() {}

    /** Lets the subscription of a move connect with the credentials of now, and returns these. */
    public static ReplicationSource reconnect(MoveContext moving) throws SQLException {
        ReplicationSource reach = of(moving);
        reconnect(moving.target(), moving.object(), reach);
        LOG.info("{}: the target connects to the source as {}", moving.move(), reach);
        return reach;
    }

    /** In a transaction of its own. Nothing connects; if it differs, the workers are restarted. */
    static void reconnect(Connection target, String subscription, ReplicationSource reach) throws SQLException {
        Sql.transaction(target, () -> executeConcealed(target, "ALTER SUBSCRIPTION " + subscription, reach, ""));
    }

    /** Asked for at each call: credentials may have been rotated. */
    static ReplicationSource of(MoveContext moving) throws SQLException {
        return of(moving.move().source(), moving.sourceData(), moving.source(), moving.options());
    }

    /** The configured source, or the one that this process uses itself. */
    public static ReplicationSource of(String name, DataSource data, Connection connection, MoveOptions options)
            throws SQLException {
        ReplicationSource configured = options.replicationSources().apply(name);
        ReplicationSource source = configured == null ? derived(name, data, connection) : configured;
        String mode = source.parameters().containsKey(MODE) ? null : mode(data, connection);
        return mode == null ? source : source.withDefault(MODE, mode);
    }

    /** The strictest that the mover's own connection requires, or that it is encrypted all the same; null if it is not. */
    private static @Nullable String mode(DataSource data, Connection connection) throws SQLException {
        PGSimpleDataSource url = new PGSimpleDataSource();
        try {
            url.setUrl(String.valueOf(connection.getMetaData().getURL()));
        } catch (IllegalArgumentException e) {
            LOG.debug("The URL of {} is in words of another driver", data);
        }
        BaseDataSource known = plain(data);
        int mode = Math.max(required(url), known == null ? -1 : required(known));
        if (mode < 0 && Sql.is(connection, ENCRYPTED)) {
            mode = 0;
        }
        return mode < 0 ? null : MODES.get(mode);
    }

    private static int required(BaseDataSource source) {
        String mode = source.getSslMode();
        return mode == null ? (source.getSsl() ? MODES.size() - 1 : -1) : MODES.indexOf(mode.toLowerCase(Locale.ROOT));
    }

    private static ReplicationSource derived(String name, DataSource data, Connection connection) throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        PGSimpleDataSource url = new PGSimpleDataSource();
        url.setUrl(String.valueOf(meta.getURL()));
        String[] hosts = url.getServerNames();
        String database = url.getDatabaseName();
        if (hosts.length != 1 || database == null) {
            throw new MoveRefusedException("How another server reaches database " + name + " cannot be derived from its"
                    + " URL. Name its replication source in the options; nothing was changed.");
        }
        int port = url.getPortNumbers()[0] == 0 ? PORT : url.getPortNumbers()[0];
        BaseDataSource plain = plain(data);
        return new ReplicationSource(
                hosts[0], port, database, meta.getUserName(), plain == null ? null : plain.getPassword());
    }

    /** A connection string of libpq; contains the password and must not be logged. Of equal parameters the last one counts. */
    private static String connectionString(ReplicationSource source) {
        StringBuilder further = new StringBuilder();
        new TreeMap<>(source.parameters())
                .forEach((name, value) ->
                        further.append(' ').append(name).append('=').append(value(value)));
        return "host=" + value(source.host()) + " port=" + source.port() + " dbname=" + value(source.database())
                + " user=" + value(source.user())
                + (source.password() == null ? "" : " password=" + value(source.password()))
                + " connect_timeout=10" + KEEPALIVES + further;
    }

    private static String value(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private static @Nullable BaseDataSource plain(DataSource data) throws SQLException {
        if (data instanceof BaseDataSource plain) {
            return plain;
        }
        return data.isWrapperFor(BaseDataSource.class) ? data.unwrap(BaseDataSource.class) : null;
    }

    /** In the caller's transaction. A warning would be logged with its context: the publication must exist, if it connects. */
    static void subscribe(Connection target, String name, ReplicationSource reach, String publication, String options)
            throws SQLException {
        String rest = "PUBLICATION " + publication + " WITH (" + options + ")";
        executeConcealed(target, "CREATE SUBSCRIPTION " + name, reach, rest);
    }

    private static void executeConcealed(Connection target, String statement, ReplicationSource reach, String rest)
            throws SQLException {
        Sql.rows(target, CONCEAL, connectionString(reach));
        try {
            Sql.execute(target, EXECUTE.formatted(Sql.literal(statement), Sql.literal(rest)));
        } catch (SQLException e) {
            // The context is the line of the block that raises the failure again.
            SQLException plain = new SQLException(
                    String.valueOf(e.getMessage()).replaceFirst("(?s)\\s+Where: .*", ""), e.getSQLState());
            plain.addSuppressed(e); // Not as its cause: the innermost message would be reported.
            throw plain;
        }
        Sql.execute(target, "SET LOCAL sharded_id.connection = ''");
    }
}
