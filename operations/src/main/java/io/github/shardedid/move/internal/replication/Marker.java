package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Names;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Rows whose arrival at the target proves that everything committed before them has arrived. */
public final class Marker {
    private static final Duration POLL = Duration.ofMillis(2);

    private final Moving moving;
    private final String table;

    public Marker(Moving moving) {
        this.moving = moving;
        this.table = Tables.qualified(moving.names().schema(), Names.MARKER);
    }

    /** Writes one, in the caller's transaction or in autocommit mode. */
    public UUID write() throws SQLException {
        UUID id = UUID.randomUUID();
        Sql.update(moving.source(), "INSERT INTO " + table + " VALUES (?)", id);
        return id;
    }

    /** Whether it arrived in time. */
    public boolean await(UUID id, Duration most) throws SQLException {
        return moving.await(
                most,
                POLL,
                () -> Sql.number(moving.target(), "SELECT count(*) FROM " + table + " WHERE id = ?", id) > 0);
    }
}
