package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Route;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/** What batches that have failed leave behind. */
final class Batches {
    private Batches() {}

    /**
     * Whether some of a batch has been committed, so that it must not be repeated: in autocommit, the driver ends a transaction
     * every few hundred rows.
     */
    static boolean keepPart(SQLException failure, boolean fresh, Route route) {
        if (!fresh || route.physical().isInTransaction() || !(failure instanceof BatchUpdateException batch)) {
            return false;
        }
        long[] counts = batch.getLargeUpdateCounts();
        return counts != null && Arrays.stream(counts).anyMatch(count -> count != Statement.EXECUTE_FAILED);
    }
}
