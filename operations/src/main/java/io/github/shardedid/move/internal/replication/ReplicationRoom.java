package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the limits of a server that are too low for the moves that are to run at once. What other moves use counts as
 * part of what is needed, since those moves are among the concurrent ones; so the later moves of a plan are not
 * refused because of the earlier ones.
 */
final class ReplicationRoom {
    /** Of a move: its subscription, the slot of the comparison, and one for a table that is being copied. */
    private static final int SLOTS = 3;
    /** Of a move: one that applies, one that copies a table. */
    private static final int WORKERS = 2;

    private static final int ORIGINS_SETTING_SINCE = 18;

    private static final String SUBSCRIPTIONS = "SELECT count(*) FROM pg_stat_subscription";
    private static final String OF_MOVES = " LIKE 'sharded\\_id\\_move\\_%'";
    /** What PostgreSQL names for a table that is being copied does not say of which subscription. */
    private static final String OF_COPIES = " LIKE 'pg\\_%\\_sync\\_%'";

    private final Connection server;
    private final String where;
    private final int concurrent;
    private final List<String> obstacles = new ArrayList<>();

    ReplicationRoom(Connection server, String where, int concurrent) {
        this.server = server;
        this.where = where;
        this.concurrent = concurrent;
    }

    /** What the source needs; if the mover reads the changes, slots for them and for the comparison. */
    List<String> ofSource(boolean applied) throws SQLException {
        String slots = "SELECT count(*) FROM pg_replication_slots";
        room("max_replication_slots", slots, slots + named("slot_name"), applied ? SLOTS - 1 : SLOTS);
        if (applied) {
            return List.copyOf(obstacles);
        }
        String senders = "SELECT count(*) FROM pg_stat_replication";
        room("max_wal_senders", senders, senders + named("application_name"), WORKERS);
        return List.copyOf(obstacles);
    }

    List<String> ofTarget(int major) throws SQLException {
        String working = SUBSCRIPTIONS + " WHERE pid IS NOT NULL";
        String workingForMoves = working + " AND subname" + OF_MOVES;
        room("max_logical_replication_workers", working, workingForMoves, WORKERS);
        String background =
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type NOT IN ('client backend', 'walsender',"
                        + " 'checkpointer', 'background writer', 'walwriter', 'autovacuum launcher', 'autovacuum worker', 'archiver',"
                        + " 'startup', 'walreceiver', 'io worker', 'slotsync worker', 'walsummarizer', 'standalone backend')";
        room("max_worker_processes", background, workingForMoves, WORKERS);
        room(
                major >= ORIGINS_SETTING_SINCE ? "max_active_replication_origins" : "max_replication_slots",
                // Those of running subscriptions: of whom may not read the origins, too.
                SUBSCRIPTIONS,
                SUBSCRIPTIONS + " WHERE subname" + OF_MOVES,
                WORKERS);
        return List.copyOf(obstacles);
    }

    private static String named(String column) {
        return " WHERE " + column + OF_MOVES + " OR " + column + OF_COPIES;
    }

    /** Whether so many are free of what a setting bounds, for each move at once. */
    private void room(String setting, String used, String usedByMoves, int perMove) throws SQLException {
        long bound = Sql.number(server, "SHOW " + setting);
        // Of the moves at once one is about to begin: the others alone can have begun.
        long others = Math.min(Sql.number(server, usedByMoves), (long) perMove * (concurrent - 1));
        long taken = Sql.number(server, used) - others;
        long needed = (long) perMove * concurrent;
        if (bound - taken < needed) {
            obstacles.add(where + ": " + setting + " is " + bound + ", of which " + taken + " are in use; "
                    + concurrent + (concurrent == 1 ? " move needs " : " moves at once need ") + needed
                    + ". " + ManagedService.of(server).set(setting, Long.toString(taken + needed))
                    + ", and restart that server.");
        }
    }
}
