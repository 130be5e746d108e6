package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the settings and privileges of two servers that prevent logical replication from one to the other. What
 * was tried is undone. Both connections must be in autocommit mode.
 */
public final class ReplicationSettings {
    /** Of a move: its subscription, the slot of the comparison, and one for a table that is being copied. */
    private static final int SLOTS = 3;

    /** Of a move: one that applies, one that copies a table. */
    private static final int WORKERS = 2;

    private static final int ORIGINS_SETTING_SINCE = 18;
    private static final String SLOT = "SELECT count(*) FROM pg_replication_slots";
    private static final String SENDER = "SELECT count(*) FROM pg_stat_replication";
    private static final String SUBSCRIPTION = "SELECT count(*) FROM pg_stat_subscription";
    private static final String PROCESS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type";
    private static final String OF_MOVES = " LIKE 'sharded\\_id\\_move\\_%'";

    /** What PostgreSQL names for a table that is being copied does not say of which subscription. */
    private static final String OF_COPIES = " LIKE 'pg\\_%\\_sync\\_%'";

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
    private final List<String> lasting = new ArrayList<>();
    private final List<String> passing = new ArrayList<>();

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
     * @throws MoveRefusedException if nothing has to be changed, but something has to pass
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
        if (settings.isEmpty()) {
            // It needs the settings that were checked so far.
            ReplicationTrial.failure(settings.to, source, target, reach).ifPresent(settings.lasting::add);
        }
        return settings.lines();
    }

    /** Checks only whether the source has room for so many moves at once. */
    static ReplicationSettings roomAt(String sourceName, Connection source, int concurrent) throws SQLException {
        ReplicationSettings settings = new ReplicationSettings(sourceName, source, sourceName, source, concurrent);
        settings.roomOfSource();
        return settings;
    }

    boolean isEmpty() {
        return lasting.isEmpty() && passing.isEmpty();
    }

    /** Returns all obstacles, if something has to be changed; fails if something only has to pass. */
    List<String> lines() {
        if (lasting.isEmpty() && !passing.isEmpty()) {
            throw new MoveRefusedException(Reason.DEFERRED, String.join(" ", passing));
        }
        return Stream.concat(lasting.stream(), passing.stream()).toList();
    }

    private void checkSource(ReplicationSource reach) throws SQLException {
        if (Sql.is(source, "SELECT pg_is_in_recovery()")) {
            lasting.add(from + ": the server is a standby. Connect to the primary one.");
            return;
        }
        String level = value(source, "SHOW wal_level");
        if (!level.equals("logical")) {
            lasting.add(from + ": wal_level is " + level + ". "
                    + ManagedService.of(source).logicalDecoding() + RESTART);
        }
        roomOfSource();
        new ReplicationTrial(from, source).slot().ifPresent(found -> (found.passes() ? passing : lasting)
                .add(found.text()));
        rights(reach);
        String encoding = value(source, "SHOW server_encoding");
        String other = value(target, "SHOW server_encoding");
        if (!encoding.equals(other)) {
            lasting.add(from + ": its encoding is " + encoding + ", the target's is " + other
                    + ", so that contents cannot be compared. Re-create the target's database with ENCODING '"
                    + encoding + "'.");
        }
    }

    private void rights(ReplicationSource reach) throws SQLException {
        String role = value(source, "SELECT quote_ident(current_user)");
        long others = Sql.number(source, SHARDS_TABLES + " AND NOT pg_has_role(c.relowner, 'USAGE')");
        if (others > 0) {
            lasting.add(
                    from + ": " + role + " does not own " + others + " of the shards' tables, and may not publish them."
                            + " Run GRANT "
                            + owners() + " TO " + role + "; no restart.");
        }
        String reader = Sql.literal(reach.user());
        if (!Sql.is(source, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = " + reader + ")")) {
            lasting.add(
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
            lasting.add(
                    from + ": " + user + ", as which the target connects, may not read " + hidden + " of the shards'"
                            + " tables. Grant it USAGE on the schemas and SELECT on the tables, or pg_read_all_data; no restart.");
        }
    }

    private void checkTarget() throws SQLException {
        if (Sql.is(target, "SELECT pg_is_in_recovery()")) {
            lasting.add(to + ": the server is a standby. Connect to the primary one.");
            return;
        }
        int major = target.getMetaData().getDatabaseMajorVersion();
        roomOfTarget(major);
        if (Sql.number(target, "SHOW max_sync_workers_per_subscription") < 1) {
            lasting.add(to + ": max_sync_workers_per_subscription is 0, so that no table is copied. "
                    + ManagedService.of(target).set("max_sync_workers_per_subscription", "2")
                    + ", and let that server reload its settings (SELECT pg_reload_conf()); no restart.");
        }
        new ReplicationTrial(to, target).subscription().ifPresent(lasting::add);
        workersRole();
    }

    /** The server starts workers as the role that owns the subscription, also if it cannot log in, and writes that to its log only. */
    private void workersRole() throws SQLException {
        String role = value(target, "SELECT quote_ident(current_user)");
        String why = " The workers of a subscription run as the role that creates it. Run ";
        if (!Sql.is(target, "SELECT rolcanlogin FROM pg_roles WHERE rolname = current_user")) {
            lasting.add(to + ": " + role + " may not log in." + why + "ALTER ROLE " + role
                    + " LOGIN (without a password, nobody else logs in as this role); no restart.");
        }
        if (!Sql.is(target, "SELECT has_database_privilege(current_database(), 'CONNECT')")) {
            lasting.add(to + ": " + role + " may not connect to the database." + why + "GRANT CONNECT ON DATABASE "
                    + value(target, "SELECT quote_ident(current_database())") + " TO " + role + "; no restart.");
        }
    }

    private static String value(Connection connection, String sql) throws SQLException {
        return String.valueOf(Sql.text(connection, sql));
    }

    private void roomOfSource() throws SQLException {
        String slots = SLOT + named("slot_name");
        room(source, from, "max_replication_slots", SLOT, slots, slots + " OR temporary", SLOTS);
        String senders = SENDER + named("application_name");
        room(source, from, "max_wal_senders", SENDER, senders, senders + " OR state = 'backup'", WORKERS);
    }

    private void roomOfTarget(int major) throws SQLException {
        String working = SUBSCRIPTION + " WHERE pid IS NOT NULL";
        String ofMoves = working + " AND subname" + OF_MOVES;
        room(target, to, "max_logical_replication_workers", working, ofMoves, ofMoves, WORKERS);
        String background = PROCESS
                + " NOT IN ('client backend', 'walsender', 'checkpointer', 'background writer', 'walwriter',"
                + " 'autovacuum launcher', 'autovacuum worker', 'archiver', 'startup', 'walreceiver', 'io worker',"
                + " 'slotsync worker', 'walsummarizer', 'standalone backend')";
        String parallel = "SELECT (" + ofMoves + ") + (" + PROCESS + " = 'parallel worker')";
        room(target, to, "max_worker_processes", background, ofMoves, parallel, WORKERS);
        String origins = major >= ORIGINS_SETTING_SINCE ? "max_active_replication_origins" : "max_replication_slots";
        // Those of running subscriptions: of whom may not read the origins, too.
        String running = SUBSCRIPTION + " WHERE subname" + OF_MOVES;
        room(target, to, origins, SUBSCRIPTION, running, running, WORKERS);
    }

    private static String named(String column) {
        return " WHERE " + column + OF_MOVES + " OR " + column + OF_COPIES;
    }

    /**
     * Checks that a setting leaves enough free for each of the concurrent moves. What other moves use counts as part of what is needed, since
     * those moves are among the concurrent ones: so the later moves of a plan are not refused because of the earlier ones. A move may use more
     * for a while than what it needs, and so may backups and parallel queries: where only such use is in the way, the move is possible later.
     */
    private void room(
            Connection server,
            String where,
            String setting,
            String used,
            String usedByMoves,
            String usedForAWhile,
            int perMove)
            throws SQLException {
        long bound = Sql.number(server, "SHOW " + setting);
        // Of the moves at once one is about to begin: the others alone can have begun.
        long others = Math.min(Sql.number(server, usedByMoves), (long) perMove * (concurrent - 1));
        long ending = Sql.number(server, usedForAWhile);
        long all = Sql.number(server, used);
        long taken = all - others;
        long needed = (long) perMove * concurrent;
        if (bound - taken < needed) {
            String text = where + ": " + setting + " is " + bound + ", of which " + taken + " are in use; "
                    + concurrent + (concurrent == 1 ? " move needs " : " moves at once need ") + needed
                    + ". " + ManagedService.of(server).set(setting, Long.toString(taken + needed))
                    + ", and restart that server.";
            if (bound - (all - ending) < needed) {
                lasting.add(text);
            } else {
                passing.add(text + " Or wait: what is in use will be free again.");
            }
        }
    }
}
