package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Finds the limits of a server that are too low for the moves that are to run at once. What other moves use counts as
 * part of what is needed, since those moves are among the concurrent ones; so the later moves of a plan are not
 * refused because of the earlier ones. A move may use more for a while than what it needs, and so may backups and parallel
 * queries: where only such use is in the way, the move is possible later.
 */
final class ReplicationRoom {
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

    private final Connection server;
    private final String where;
    private final int concurrent;
    private final ReplicationObstacles obstacles;

    ReplicationRoom(Connection server, String where, int concurrent, ReplicationObstacles obstacles) {
        this.server = server;
        this.where = where;
        this.concurrent = concurrent;
        this.obstacles = obstacles;
    }

    void ofSource() throws SQLException {
        String slots = SLOT + named("slot_name");
        room("max_replication_slots", SLOT, slots, slots + " OR temporary", SLOTS);
        String senders = SENDER + named("application_name");
        room("max_wal_senders", SENDER, senders, senders + " OR state = 'backup'", WORKERS);
    }

    void ofTarget(int major) throws SQLException {
        String working = SUBSCRIPTION + " WHERE pid IS NOT NULL";
        String ofMoves = working + " AND subname" + OF_MOVES;
        room("max_logical_replication_workers", working, ofMoves, ofMoves, WORKERS);
        String background = PROCESS
                + " NOT IN ('client backend', 'walsender', 'checkpointer', 'background writer', 'walwriter',"
                + " 'autovacuum launcher', 'autovacuum worker', 'archiver', 'startup', 'walreceiver', 'io worker',"
                + " 'slotsync worker', 'walsummarizer', 'standalone backend')";
        String parallel = "SELECT (" + ofMoves + ") + (" + PROCESS + " = 'parallel worker')";
        room("max_worker_processes", background, ofMoves, parallel, WORKERS);
        String origins = major >= ORIGINS_SETTING_SINCE ? "max_active_replication_origins" : "max_replication_slots";
        // Those of running subscriptions: of whom may not read the origins, too.
        String running = SUBSCRIPTION + " WHERE subname" + OF_MOVES;
        room(origins, SUBSCRIPTION, running, running, WORKERS);
    }

    private static String named(String column) {
        return " WHERE " + column + OF_MOVES + " OR " + column + OF_COPIES;
    }

    /** Whether so many are free of what a setting bounds, for each move at once. The passing ones include those of moves. */
    private void room(String setting, String used, String usedByMoves, String passing, int perMove)
            throws SQLException {
        long bound = Sql.number(server, "SHOW " + setting);
        // Of the moves at once one is about to begin: the others alone can have begun.
        long others = Math.min(Sql.number(server, usedByMoves), (long) perMove * (concurrent - 1));
        long ending = Sql.number(server, passing);
        long all = Sql.number(server, used);
        long taken = all - others;
        long needed = (long) perMove * concurrent;
        if (bound - taken < needed) {
            String text = where + ": " + setting + " is " + bound + ", of which " + taken + " are in use; "
                    + concurrent + (concurrent == 1 ? " move needs " : " moves at once need ") + needed
                    + ". " + ManagedService.of(server).set(setting, Long.toString(taken + needed))
                    + ", and restart that server.";
            if (bound - (all - ending) < needed) {
                obstacles.add(text);
            } else {
                obstacles.addPassing(text + " Or wait: what is in use will be free again.");
            }
        }
    }
}
