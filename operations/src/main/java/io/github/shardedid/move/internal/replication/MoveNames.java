package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.Move;
import java.util.List;

/** The names of the objects that are created for a move. */
public final class MoveNames {
    /** The marker's table, in the shard's schema. */
    public static final String MARKER = "sharded_id_move_marker";

    /** The tables of Flyway and of Liquibase; the migrations at the target fill what is needed of them. */
    static final List<String> HISTORIES =
            List.of("flyway_schema_history", "databasechangelog", "databasechangeloglock");

    private static final int ID_DIGITS = 12;

    private MoveNames() {}

    /** The name of the publication, the subscription and its slot. Slots belong to the server, so it contains the move. */
    public static String object(Move move) {
        return prefix(move.shard()) + move.id().toString().replace("-", "").substring(0, ID_DIGITS);
    }

    /** The prefix of the names of all moves of a shard. */
    public static String prefix(int shard) {
        return "sharded_id_move_" + shard + "_";
    }
}
