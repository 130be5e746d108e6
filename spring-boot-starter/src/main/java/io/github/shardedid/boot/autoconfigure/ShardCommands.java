package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Commands on the command line. The application runs a command and exits instead of starting. One command at a time.
 *
 * @param reportDrift A command: reports the versions of the shards, and how their structures differ.
 * @param repairMigrations A command: repairs the histories of migrations of all shards and of the global schema, after a script failed outside of a transaction or was changed.
 * @param checkMove A command: reports the obstacles to a move, such as 17:pg2. Changes nothing.
 * @param move A command: moves shards while the application runs elsewhere, such as 17:pg2 or 17,20-29:pg2.
 * @param moveOffline A command: moves shards without logical replication. Each shard is fenced while its rows are copied.
 * @param resumeMove A command: resumes the unfinished moves of shards, such as 17.
 * @param abortMove A command: aborts the unfinished moves of shards, such as 17.
 * @param showMoves A command: shows all moves and plans in the journals of the databases.
 * @param stopPlan A command: stops a plan of moves for good, such as pg1-3. Moves in progress are not affected.
 * @param dropOldCopy A command: drops the fenced copies of shards that were moved, such as 17:pg1.
 * @param recover A command: shows the copies of shards that a restore left behind, such as 17; or makes a copy the shard, such as 17:pg1.
 * @param drain A command: shows the moves that leave a database without shards, such as pg1; with run-plan, runs them.
 * @param rebalance A command: shows the moves that balance the sizes of the databases; with run-plan, runs them.
 * @param runPlan Whether drain and rebalance run the moves that they show.
 * @param runPlanOffline Whether drain and rebalance run the moves that they show, without logical replication. Each shard is
 *     fenced while its rows are copied.
 */
@ConfigurationProperties("sharded-id")
record ShardCommands(
        @Nullable Boolean reportDrift,
        @Nullable Boolean repairMigrations,
        @Nullable String checkMove,
        @Nullable String move,
        @Nullable String moveOffline,
        @Nullable String resumeMove,
        @Nullable String abortMove,
        @Nullable Boolean showMoves,
        @Nullable String stopPlan,
        @Nullable String dropOldCopy,
        @Nullable String recover,
        @Nullable String drain,
        @Nullable Boolean rebalance,
        boolean runPlan,
        boolean runPlanOffline) {}
