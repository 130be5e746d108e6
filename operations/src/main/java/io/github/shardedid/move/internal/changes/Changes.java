package io.github.shardedid.move.internal.changes;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Receives the changes of committed transactions, in the order of their commits. */
public interface Changes {
    /**
     * A transaction begins.
     *
     * @param commit the position of its commit in the log
     * @param transaction the lower 32 bits of its number
     */
    default void begin(long commit, long transaction) throws SQLException {}

    /**
     * A transaction ends.
     *
     * @param end the position behind its commit
     */
    default void commit(long end) throws SQLException {}

    /** The kind of a change of a row. */
    enum Kind {
        INSERT,
        UPDATE,
        DELETE
    }

    /**
     * A row has changed. Values are texts by column. A large value that has not changed is missing in the new row.
     *
     * @param before the old row, or its key with nulls in all other columns; null if it is not logged
     * @param after the new row; null if it was deleted
     */
    void row(
            Kind kind,
            Relation relation,
            @Nullable Map<String, @Nullable String> before,
            @Nullable Map<String, @Nullable String> after)
            throws SQLException;

    /** Tables were truncated. */
    void truncate(List<Relation> relations) throws SQLException;
}
