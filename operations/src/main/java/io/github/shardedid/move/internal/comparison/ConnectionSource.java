package io.github.shardedid.move.internal.comparison;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to one of both databases. */
@FunctionalInterface
public interface ConnectionSource {
    /** Opens, or takes from a pool, a connection in autocommit mode; the caller closes it. */
    Connection open() throws SQLException;
}
