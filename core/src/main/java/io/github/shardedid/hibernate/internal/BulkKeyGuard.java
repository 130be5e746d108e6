package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardKeyMismatchException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.update.SqmAssignment;
import org.hibernate.query.sqm.tree.update.SqmUpdateStatement;

/**
 * Refuses an update by HQL or criteria that sets the shard key: its values are seen by the database alone. Looked at when
 * Hibernate translates the statement, which is once for each text.
 */
final class BulkKeyGuard {
    private BulkKeyGuard() {}

    static void check(SqmStatement<?> statement, SessionFactoryImplementor factory) {
        if (!(statement instanceof SqmUpdateStatement<?> update)) {
            return;
        }
        SqmRoot<?> target = update.getTarget();
        ShardedMapping mapping = Sharding.require(factory).mappings().find(target.getEntityName());
        ShardKeyAttribute key = mapping == null ? null : mapping.key();
        if (key == null) {
            return;
        }
        for (SqmAssignment<?> assignment : update.getSetClause().getAssignments()) {
            if (sets(assignment, target, key.name())) {
                throw new ShardKeyMismatchException("An update statement sets the shard key " + key
                        + ", but whether the new value says the shard of the rows' ids is seen by nobody before it is sent."
                        + " Load the rows and change them, which checks each of them; or, if you know that the shard stays"
                        + " the same, use a native query. Nothing was sent.");
            }
        }
    }

    /** Itself, the embeddable that it is in, or something within it. */
    private static boolean sets(SqmAssignment<?> assignment, SqmRoot<?> target, String key) {
        SqmPath<?> path = assignment.getTargetPath();
        String set = path.getNavigablePath().relativize(target.getNavigablePath());
        return !(assignment.getValue() instanceof SqmLiteralNull)
                && set != null
                && (set.equals(key) || key.startsWith(set + ".") || set.startsWith(key + "."));
    }
}
