package io.github.shardedid.move.internal.comparison;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections to one of both databases come from. */
@FunctionalInterface
public interface ConnectionSource {
    /** Opens, or takes from a pool, a connection in autocommit mode; whoever asked closes it. */
    Connection open() throws SQLException;
}
