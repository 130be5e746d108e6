package io.github.shardedid.move.internal;

import io.github.shardedid.move.ReplicationSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells what of two servers' settings and privileges is in the way of logical replication from one to the other. Nothing is
 * changed. Who asks must be in autocommit mode on both connections.
 */
public final class ReplicationSettings {
    private static final String RESTART = ", and restart that server.";
    private static final int SUBSCRIBE_ROLE_SINCE = 16;
    private static final int ORIGINS_SETTING_SINCE = 18;
    /** Of a move: its subscription, the slot of the comparison, and one for a table that is being copied. */
    private static final int SLOTS = 3;
    /** Of a move: one that applies, one that copies a table. */
    private static final int WORKERS = 2;

    private final Connection source;
    private final Connection target;
    private final String from;
    private final String to;
    private final int concurrent;
    private final List<String> hindrances = new ArrayList<>();

    private ReplicationSettings(
            String sourceName, Connection source, String targetName, Connection target, int concurrent) {
        this.from = "Source " + sourceName;
        this.to = "Target " + targetName;
        this.source = source;
        this.target = target;
        this.concurrent = concurrent;
    }

    /**
     * Looks at both servers.
     *
     * @param sourceName what the database is called that a shard is to leave
     * @param source to the database that a shard is to leave, with the role that the move will have
     * @param targetName what the database is called that it is to go to
     * @param target to the database that it is to go to
     * @param reach how the target's server reaches the source; tried
     * @param concurrent how many moves at once the servers must have room for
     * @return a line for each thing that has to be changed, with where and how; empty if nothing has
     */
    public static List<String> hindrances(
            String sourceName,
            Connection source,
            String targetName,
            Connection target,
            ReplicationSource reach,
            int concurrent)
            throws SQLException {
        ReplicationSettings settings = new ReplicationSettings(sourceName, source, targetName, target, concurrent);
        settings.lookAtSource(reach);
        settings.lookAtTarget();
        if (settings.hindrances.isEmpty()) {
            // It needs what has been looked at so far.
            ReplicationReach.failure(settings.to, target, reach).ifPresent(settings.hindrances::add);
        }
        return List.copyOf(settings.hindrances);
    }

    private void lookAtSource(ReplicationSource reach) throws SQLException {
        if (ServerFacts.truth(source, "SELECT pg_is_in_recovery()")) {
            hindrances.add(from + ": the server is a standby. Connect to the primary one.");
            return;
        }
        String level = ServerFacts.text(source, "SHOW wal_level");
        if (!level.equals("logical")) {
            hindrances.add(from + ": wal_level is " + level + ". Run ALTER SYSTEM SET wal_level = 'logical'" + RESTART);
        }
        room(source, from, "max_replication_slots", "SELECT count(*) FROM pg_replication_slots", SLOTS);
        room(source, from, "max_wal_senders", "SELECT count(*) FROM pg_stat_replication", WORKERS);
        rights(reach);
        String encoding = ServerFacts.text(source, "SHOW server_encoding");
        String other = ServerFacts.text(target, "SHOW server_encoding");
        if (!encoding.equals(other)) {
            hindrances.add(from + ": its encoding is " + encoding + ", the target's is " + other
                    + ", so that contents cannot be compared. Create the target's database anew with ENCODING '"
                    + encoding + "'.");
        }
    }

    private void rights(ReplicationSource reach) throws SQLException {
        String role = ServerFacts.text(source, "SELECT quote_ident(current_user)");
        if (!mayReplicate("current_user")) {
            hindrances.add(from + ": " + role + " may not make replication slots. Run ALTER ROLE " + role
                    + " REPLICATION; no restart.");
        }
        long others =
                ServerFacts.number(source, ServerFacts.SHARDS_TABLES + " AND NOT pg_has_role(c.relowner, 'USAGE')");
        if (others > 0) {
            hindrances.add(
                    from + ": " + role + " does not own " + others + " of the shards' tables, and may not publish them."
                            + " Run GRANT "
                            + owners() + " TO " + role + "; no restart.");
        }
        String reader = "'" + reach.user().replace("'", "''") + "'";
        if (!ServerFacts.truth(source, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = " + reader + ")")) {
            hindrances.add(
                    from + ": there is no role " + reach.user() + ", as which the target is to connect. Run CREATE ROLE"
                            + " … LOGIN REPLICATION, and grant it SELECT on the shards' tables; no restart.");
        } else {
            readerRights(reach.user(), reader);
        }
    }

    private String owners() throws SQLException {
        return ServerFacts.text(
                source,
                "SELECT string_agg(DISTINCT quote_ident(pg_get_userbyid(c.relowner)), ', ')"
                        + ServerFacts.SHARDS_TABLES.substring("SELECT count(*)".length())
                        + " AND NOT pg_has_role(c.relowner, 'USAGE')");
    }

    private void readerRights(String user, String literal) throws SQLException {
        if (!mayReplicate(literal)) {
            hindrances.add(from + ": " + user + ", as which the target connects, may not replicate. Run ALTER ROLE "
                    + user + " REPLICATION; no restart.");
        }
        long hidden = ServerFacts.number(
                source,
                ServerFacts.SHARDS_TABLES + " AND NOT (has_schema_privilege(" + literal
                        + "::name, n.oid, 'USAGE') AND has_table_privilege(" + literal + "::name, c.oid, 'SELECT'))");
        if (hidden > 0) {
            hindrances.add(
                    from + ": " + user + ", as which the target connects, may not read " + hidden + " of the shards'"
                            + " tables. Grant it USAGE on the schemas and SELECT on the tables, or pg_read_all_data; no restart.");
        }
    }

    private boolean mayReplicate(String role) throws SQLException {
        return ServerFacts.truth(source, "SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = " + role);
    }

    private void lookAtTarget() throws SQLException {
        if (ServerFacts.truth(target, "SELECT pg_is_in_recovery()")) {
            hindrances.add(to + ": the server is a standby. Connect to the primary one.");
            return;
        }
        int major = target.getMetaData().getDatabaseMajorVersion();
        String working = "SELECT count(*) FROM pg_stat_subscription WHERE pid IS NOT NULL";
        room(target, to, "max_logical_replication_workers", working, WORKERS);
        String background =
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type NOT IN ('client backend', 'walsender',"
                        + " 'checkpointer', 'background writer', 'walwriter', 'autovacuum launcher', 'autovacuum worker', 'archiver',"
                        + " 'startup', 'walreceiver', 'io worker', 'slotsync worker', 'walsummarizer', 'standalone backend')";
        room(target, to, "max_worker_processes", background, WORKERS);
        room(
                target,
                to,
                major >= ORIGINS_SETTING_SINCE ? "max_active_replication_origins" : "max_replication_slots",
                // Those of running subscriptions: of whom may not read the origins, too.
                "SELECT count(*) FROM pg_stat_subscription",
                WORKERS);
        if (ServerFacts.number(target, "SHOW max_sync_workers_per_subscription") < 1) {
            hindrances.add(
                    to + ": max_sync_workers_per_subscription is 0, so that no table is copied. Run ALTER SYSTEM SET"
                            + " max_sync_workers_per_subscription = 2, and SELECT pg_reload_conf(); no restart.");
        }
        subscribe(major);
    }

    private void subscribe(int major) throws SQLException {
        if (ServerFacts.truth(target, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            return;
        }
        String role = ServerFacts.text(target, "SELECT quote_ident(current_user)");
        if (major < SUBSCRIBE_ROLE_SINCE) {
            hindrances.add(to + ": only a superuser makes subscriptions in PostgreSQL " + major + ", which " + role
                    + " is not. Move with a superuser, or offline.");
            return;
        }
        if (!ServerFacts.truth(target, "SELECT pg_has_role('pg_create_subscription', 'USAGE')")) {
            hindrances.add(to + ": " + role + " may not make subscriptions. Run GRANT pg_create_subscription TO " + role
                    + "; no restart.");
        }
    }

    /** Whether so many are free of what a setting bounds, for each move at once. */
    private void room(Connection server, String where, String setting, String used, int perMove) throws SQLException {
        long bound = ServerFacts.number(server, "SHOW " + setting);
        long taken = ServerFacts.number(server, used);
        long needed = (long) perMove * concurrent;
        if (bound - taken < needed) {
            hindrances.add(where + ": " + setting + " is " + bound + ", of which " + taken + " are in use; "
                    + concurrent + (concurrent == 1 ? " move needs " : " moves at once need ") + needed
                    + ". Run ALTER SYSTEM SET " + setting + " = " + (taken + needed) + RESTART);
        }
    }
}
