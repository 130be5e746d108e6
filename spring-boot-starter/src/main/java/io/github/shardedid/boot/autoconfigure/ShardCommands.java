package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What can be asked for on the command line instead of serving: the application does it and exits. One at a time.
 *
 * @param checkMove A command: says what is in the way of a move, such as 17:pg2. Changes nothing.
 * @param move A command: moves shards while the application runs elsewhere, such as 17:pg2 or 17,20-29:pg2.
 * @param moveOffline A command: as move, but without logical replication; each shard is fenced while its rows are copied.
 * @param resumeMove A command: goes on with the unfinished moves of shards, such as 17.
 * @param abortMove A command: takes back the unfinished moves of shards, such as 17.
 * @param showMoves A command: if true, shows all moves that the databases know of.
 * @param dropOldCopy A command: drops the fenced copies that moves have left, such as 17:pg1.
 * @param recover A command: shows the copies of shards that a restore has left, such as 17; or makes one the shard, such as 17:pg1.
 * @param drain A command: shows the moves that leave a database without shards, such as pg1; with run-plan it runs them.
 * @param rebalance A command: shows the moves that make the databases even by size or count; with run-plan it runs them.
 * @param runPlan Whether the commands drain and rebalance also run what they show.
 * @param runPlanOffline The same as run-plan, but without logical replication; each shard is fenced while its rows are copied.
 */
@ConfigurationProperties("sharded-id")
record ShardCommands(
        @Nullable String checkMove,
        @Nullable String move,
        @Nullable String moveOffline,
        @Nullable String resumeMove,
        @Nullable String abortMove,
        @Nullable Boolean showMoves,
        @Nullable String dropOldCopy,
        @Nullable String recover,
        @Nullable String drain,
        @Nullable String rebalance,
        boolean runPlan,
        boolean runPlanOffline) {}
