package io.github.shardedid.move;

import io.github.shardedid.topology.ShardRanges;
import org.jspecify.annotations.Nullable;

/**
 * The goal of a {@link MovePlan}: which shards are to be where. Which moves reach it follows from where the shards are. Immutable.
 *
 * @param kind what is to be reached
 * @param subject the database that is to be emptied, or the shards that are to be moved, as ranges; empty for balance
 * @param target the database to which shards are to be moved; null for the other kinds
 */
public record MoveGoal(Kind kind, String subject, @Nullable String target) {
    /** Databases whose shards take about the same number of bytes. */
    public static final MoveGoal BALANCE = new MoveGoal(Kind.REBALANCE, "", null);

    /** The kinds of goals. */
    public enum Kind {
        /** A database owns no shards. */
        DRAIN,
        /** All databases are balanced. */
        REBALANCE,
        /** A database owns some shards. */
        MOVE
    }

    /**
     * A database without shards.
     *
     * @param database the database to be emptied
     * @return the goal
     */
    public static MoveGoal drain(String database) {
        return new MoveGoal(Kind.DRAIN, database, null);
    }

    /**
     * Some shards in one database.
     *
     * @param shards the logical shards
     * @param target the database that is to own them
     * @return the goal
     */
    public static MoveGoal move(ShardRanges shards, String target) {
        return new MoveGoal(Kind.MOVE, shards.toString(), target);
    }

    /** In words, such as {@code drain pg1}. */
    @Override
    public String toString() {
        return switch (kind) {
            case DRAIN -> "drain " + subject;
            case REBALANCE -> "rebalance";
            case MOVE -> "move " + subject + " to " + target;
        };
    }
}
