package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds the settings and privileges of two servers that prevent logical replication from one to the other. What
 * was tried is undone. Both connections must be in autocommit mode.
 */
public final class ReplicationSettings {
    /** Counts the tables of all shards; a condition may be added. */
    private static final String SHARDS_TABLES =
            "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE n.nspname ~ '^shard_[0-9]{4,}$' AND c.relkind IN ('r', 'p')";

    private static final String RESTART = ", and restart that server.";

    private final Connection source;
    private final Connection target;
    private final String from;
    private final String to;
    private final int concurrent;
    private final ReplicationObstacles obstacles = new ReplicationObstacles();

    private ReplicationSettings(
            String sourceName, Connection source, String targetName, Connection target, int concurrent) {
        this.from = "Source " + sourceName;
        this.to = "Target " + targetName;
        this.source = source;
        this.target = target;
        this.concurrent = concurrent;
    }

    /**
     * Checks both servers.
     *
     * @param sourceName the name of the database that a shard is to leave
     * @param source to the database that a shard is to leave, with the role that the move will have
     * @param targetName the name of the target database
     * @param target to the target database
     * @param reach how the target's server reaches the source; a connection is tried
     * @param concurrent how many moves at once the servers must have room for
     * @return a line for each thing that has to be changed, with where and how; empty if nothing has
     * @throws DeferredMoveException if nothing has to be changed, but something has to pass
     */
    public static List<String> obstacles(
            String sourceName,
            Connection source,
            String targetName,
            Connection target,
            ReplicationSource reach,
            int concurrent)
            throws SQLException {
        ReplicationSettings settings = new ReplicationSettings(sourceName, source, targetName, target, concurrent);
        settings.checkSource(reach);
        settings.checkTarget();
        if (settings.obstacles.isEmpty()) {
            // It needs the settings that were checked so far.
            settings.obstacles.add(ReplicationReach.failure(settings.to, source, target, reach));
        }
        return settings.obstacles.lines();
    }

    private void checkSource(ReplicationSource reach) throws SQLException {
        if (Sql.is(source, "SELECT pg_is_in_recovery()")) {
            obstacles.add(from + ": the server is a standby. Connect to the primary one.");
            return;
        }
        String level = value(source, "SHOW wal_level");
        if (!level.equals("logical")) {
            obstacles.add(from + ": wal_level is " + level + ". "
                    + ManagedService.of(source).logicalDecoding() + RESTART);
        }
        new ReplicationRoom(source, from, concurrent, obstacles).ofSource();
        new ReplicationTrial(from, source).slot(obstacles);
        rights(reach);
        String encoding = value(source, "SHOW server_encoding");
        String other = value(target, "SHOW server_encoding");
        if (!encoding.equals(other)) {
            obstacles.add(from + ": its encoding is " + encoding + ", the target's is " + other
                    + ", so that contents cannot be compared. Re-create the target's database with ENCODING '"
                    + encoding + "'.");
        }
    }

    private void rights(ReplicationSource reach) throws SQLException {
        String role = value(source, "SELECT quote_ident(current_user)");
        long others = Sql.number(source, SHARDS_TABLES + " AND NOT pg_has_role(c.relowner, 'USAGE')");
        if (others > 0) {
            obstacles.add(
                    from + ": " + role + " does not own " + others + " of the shards' tables, and may not publish them."
                            + " Run GRANT "
                            + owners() + " TO " + role + "; no restart.");
        }
        String reader = Sql.literal(reach.user());
        if (!Sql.is(source, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = " + reader + ")")) {
            obstacles.add(
                    from + ": there is no role " + reach.user() + ", as which the target is to connect. Run CREATE ROLE"
                            + " … LOGIN REPLICATION, and grant it SELECT on the shards' tables; no restart.");
        } else {
            readerRights(reach.user(), reader);
        }
    }

    private String owners() throws SQLException {
        return value(
                source,
                "SELECT string_agg(DISTINCT quote_ident(pg_get_userbyid(c.relowner)), ', ')"
                        + SHARDS_TABLES.substring("SELECT count(*)".length())
                        + " AND NOT pg_has_role(c.relowner, 'USAGE')");
    }

    private void readerRights(String user, String literal) throws SQLException {
        long hidden = Sql.number(
                source,
                SHARDS_TABLES + " AND NOT (has_schema_privilege(" + literal
                        + "::name, n.oid, 'USAGE') AND has_table_privilege(" + literal + "::name, c.oid, 'SELECT'))");
        if (hidden > 0) {
            obstacles.add(
                    from + ": " + user + ", as which the target connects, may not read " + hidden + " of the shards'"
                            + " tables. Grant it USAGE on the schemas and SELECT on the tables, or pg_read_all_data; no restart.");
        }
    }

    private void checkTarget() throws SQLException {
        if (Sql.is(target, "SELECT pg_is_in_recovery()")) {
            obstacles.add(to + ": the server is a standby. Connect to the primary one.");
            return;
        }
        int major = target.getMetaData().getDatabaseMajorVersion();
        new ReplicationRoom(target, to, concurrent, obstacles).ofTarget(major);
        if (Sql.number(target, "SHOW max_sync_workers_per_subscription") < 1) {
            obstacles.add(to + ": max_sync_workers_per_subscription is 0, so that no table is copied. "
                    + ManagedService.of(target).set("max_sync_workers_per_subscription", "2")
                    + ", and let that server reload its settings (SELECT pg_reload_conf()); no restart.");
        }
        obstacles.add(new ReplicationTrial(to, target).subscription());
        workersRole();
    }

    /** The server starts workers as the role that owns the subscription, also if it cannot log in, and writes that to its log only. */
    private void workersRole() throws SQLException {
        String role = value(target, "SELECT quote_ident(current_user)");
        String why = " The workers of a subscription run as the role that creates it. Run ";
        if (!Sql.is(target, "SELECT rolcanlogin FROM pg_roles WHERE rolname = current_user")) {
            obstacles.add(to + ": " + role + " may not log in." + why + "ALTER ROLE " + role
                    + " LOGIN (without a password, nobody else logs in as this role); no restart.");
        }
        if (!Sql.is(target, "SELECT has_database_privilege(current_database(), 'CONNECT')")) {
            obstacles.add(to + ": " + role + " may not connect to the database." + why + "GRANT CONNECT ON DATABASE "
                    + value(target, "SELECT quote_ident(current_database())") + " TO " + role + "; no restart.");
        }
    }

    private static String value(Connection connection, String sql) throws SQLException {
        return String.valueOf(Sql.text(connection, sql));
    }
}
