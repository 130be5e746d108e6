package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.insert.SqmConflictClause;
import org.hibernate.query.sqm.tree.insert.SqmConflictUpdateAction;
import org.hibernate.query.sqm.tree.insert.SqmInsertStatement;
import org.hibernate.query.sqm.tree.update.SqmAssignment;
import org.hibernate.query.sqm.tree.update.SqmSetClause;
import org.hibernate.query.sqm.tree.update.SqmUpdateStatement;
import org.jspecify.annotations.Nullable;

/**
 * Refuses an HQL or criteria statement that sets the id or the shard key of existing rows, because only the database knows the
 * values. Hibernate translates each statement text once; it is checked at that time.
 */
record BulkKeyGuard(EntityPersister target, SqmRoot<?> root) {
    static void check(SqmStatement<?> statement, SessionFactoryImplementor factory) {
        if (statement instanceof SqmUpdateStatement<?> update) {
            check(update.getTarget(), update.getSetClause(), factory);
        } else if (statement instanceof SqmInsertStatement<?> insert) {
            checkInserted(insert, factory);
            SqmConflictClause<?> conflict = insert.getConflictClause();
            SqmConflictUpdateAction<?> action = conflict == null ? null : conflict.getConflictAction();
            if (action != null) {
                check(insert.getTarget(), action.getSetClause(), factory);
            }
        }
    }

    /** A row whose id names no shard is where its key says: only the connection checks values, and only those of sharded ids. */
    private static void checkInserted(SqmInsertStatement<?> insert, SessionFactoryImplementor factory) {
        ShardedMappings mappings = Sharding.require(factory).mappings();
        ShardedMapping own = mappings.findOwnId(insert.getTarget().getEntityName());
        ShardKeyAttribute key = own == null ? null : own.key();
        if (own != null && key != null && (key.target() == null || mappings.findOwnId(key.target()) != null)) {
            throw new ShardKeyMismatchException("An insert statement writes rows of " + own.entityName()
                    + ", whose shard only the key " + key
                    + " names, and nothing checks its values. Save entities, or, if you"
                    + " know that the key names the shard of the scope, use a native query. Nothing was sent.");
        }
    }

    private static void check(SqmRoot<?> root, SqmSetClause set, SessionFactoryImplementor factory) {
        ShardedMapping mapping = Sharding.require(factory).mappings().find(root.getEntityName());
        if (mapping == null) {
            return;
        }
        EntityPersister target = factory.getMappingMetamodel().getEntityDescriptor(root.getEntityName());
        BulkKeyGuard guard = new BulkKeyGuard(target, root);
        set.getAssignments().forEach(assignment -> guard.check(assignment, mapping));
    }

    private void check(SqmAssignment<?> assignment, ShardedMapping mapping) {
        Set<String> columns = columns(assignment.getTargetPath());
        if (!Collections.disjoint(columns, columns(target.getIdentifierMapping()))) {
            throw new ShardKeyMismatchException("A statement sets the id " + mapping.entityName() + "."
                    + mapping.idName()
                    + " of existing rows, but a row cannot move to the shard of another id. Save a new row and"
                    + " delete the old one. Nothing was sent.");
        }
        ShardKeyAttribute key = mapping.key();
        if (key != null
                && !(assignment.getValue() instanceof SqmLiteralNull && mapping.idNamesShard())
                && !Collections.disjoint(columns, columns(target.findByPath(key.name())))) {
            throw new ShardKeyMismatchException("An update statement sets the shard key " + key
                    + ", but only the database knows the ids of the rows, so the key might name another shard than an id."
                    + " Load the rows and change them, so that each is checked; or, if you know that the shard stays the"
                    + " same, use a native query. Nothing was sent.");
        }
    }

    /** Columns instead of names, because another attribute may be mapped to the same column. */
    private Set<String> columns(SqmPath<?> path) {
        String name = path.getNavigablePath().relativize(root.getNavigablePath());
        return columns(name == null ? null : target.findByPath(name));
    }

    private static Set<String> columns(@Nullable ModelPart part) {
        Set<String> columns = new HashSet<>();
        if (part != null) {
            part.forEachSelectable((i, column) ->
                    columns.add(column.getContainingTableExpression() + "." + column.getSelectionExpression()));
        }
        return columns;
    }
}
