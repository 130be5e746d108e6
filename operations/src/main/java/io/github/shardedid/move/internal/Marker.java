package io.github.shardedid.move.internal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Rows whose arrival at the target proves that everything committed before them has arrived. */
final class Marker {
    private static final Duration POLL = Duration.ofMillis(2);

    private final Moving moving;
    private final String table;

    Marker(Moving moving) {
        this.moving = moving;
        this.table = Tables.qualified(moving.names().schema(), Names.MARKER);
    }

    /** Writes one, in the caller's transaction or in autocommit mode. */
    UUID write() throws SQLException {
        UUID id = UUID.randomUUID();
        Sql.update(moving.source(), "INSERT INTO " + table + " VALUES (?)", id);
        return id;
    }

    /** Whether it arrived in time. */
    boolean await(UUID id, Duration most) throws SQLException {
        return moving.await(
                most,
                POLL,
                () -> Sql.number(moving.target(), "SELECT count(*) FROM " + table + " WHERE id = ?", id) > 0);
    }
}
