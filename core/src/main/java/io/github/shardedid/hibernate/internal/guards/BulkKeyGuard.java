package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.unique.UniqueKeys;
import io.github.shardedid.routing.WrongShardException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmLiteralNull;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.insert.SqmInsertStatement;
import org.hibernate.query.sqm.tree.update.SqmAssignment;
import org.hibernate.query.sqm.tree.update.SqmUpdateStatement;
import org.jspecify.annotations.Nullable;

/**
 * Refuses an HQL or criteria statement that inserts rows, or sets the id, the shard key, a reference or a value that is unique over all shards
 * of existing ones, if only the database knows the values or the rows. Hibernate translates each statement text once; it is checked at that time.
 *
 * <p>Without it, such a statement could store a row in a shard that its shard key does not name, where queries by
 * the key would not find it. A statement is refused even if its values happen to be right: they are known to the
 * database only, row by row, and nothing could check them before they are written.
 *
 * @param target the changed entity, for the columns of its attributes
 * @param root the target in the statement, with which each assigned path begins
 * @param shards the rules of keys, and the mappings
 */
record BulkKeyGuard(EntityPersister target, SqmRoot<?> root, EntityShardRules shards) {
    /**
     * Checks a statement that Hibernate is about to translate.
     *
     * @throws WrongShardException if it inserts rows of a sharded entity, or sets an id, a shard key or a
     *     reference whose shard is unknown
     */
    static void check(SqmStatement<?> statement, EntityShardRules shards) {
        if (statement instanceof SqmInsertStatement<?> insert
                && shards.sharding().mappings().find(insert.getTarget().getEntityName()) != null) {
            throw new WrongShardException("An insert statement writes rows of "
                    + insert.getTarget().getEntityName()
                    + ", but the shard key of a row might name another shard than its id: nothing checks them. Save entities, or use"
                    + " a native query in ShardContext.run(shard, …). Nothing was sent.");
        }
        ShardedMapping mapping = statement instanceof SqmUpdateStatement<?> update
                ? shards.sharding().mappings().find(update.getTarget().getEntityName())
                : null;
        if (mapping != null && statement instanceof SqmUpdateStatement<?> update) {
            EntityPersister target = shards.factory().getMappingMetamodel().getEntityDescriptor(mapping.entityName());
            BulkKeyGuard guard = new BulkKeyGuard(target, update.getTarget(), shards);
            update.getSetClause().getAssignments().forEach(assignment -> guard.check(assignment, mapping));
        }
    }

    private void check(SqmAssignment<?> assignment, ShardedMapping mapping) {
        Set<String> columns = columns(assignment.getTargetPath());
        // Null refers to no row, so nothing about its shard can be wrong.
        boolean toNull = assignment.getValue() instanceof SqmLiteralNull;
        if (!Collections.disjoint(columns, columns(target.getIdentifierMapping()))) {
            throw new WrongShardException("A statement sets the id " + mapping.entityName() + "."
                    + mapping.idName()
                    + " of existing rows, but a row cannot move to the shard of another id. Save a new row and"
                    + " delete the old one. Nothing was sent.");
        } else if (!toNull && shards.needsEntity(assignment.getTargetPath())) {
            throw new WrongShardException("An update statement sets "
                    + assignment.getTargetPath().getNavigablePath().getFullPath()
                    + ", but nothing that is sent says in which shard the row is that it refers to. Load the rows and"
                    + " change them, so that each is checked. Nothing was sent.");
        }
        if (!toNull) {
            checkUnique(columns);
        }
        ShardKeyAttribute key = mapping.key();
        if (key != null
                // A key that is null decides nothing if the id names the shard; else nothing would say where the
                // row is.
                && !(toNull && mapping.idNamesShard())
                && !Collections.disjoint(columns, columns(target.findByPath(key.name())))) {
            throw new WrongShardException("An update statement sets the shard key " + key
                    + ", but only the database knows the ids of the rows, so the key might name another shard than an id."
                    + " Load the rows and change them, so that each is checked; or, if you know that the shard stays the"
                    + " same, use a native query. Nothing was sent.");
        }
    }

    /** Refuses a value that is unique over all shards, also only together with others, or for rows of a subclass. */
    private void checkUnique(Set<String> columns) {
        UniqueKeys keys = shards.sharding().uniqueKeys();
        if (keys.isEmpty()) {
            return;
        }
        Stream.concat(
                        Stream.of(target),
                        target.getSubMappingTypes().stream().map(EntityMappingType::getEntityPersister))
                .flatMap(persister -> keys.of(persister).stream())
                .filter(unique -> !Collections.disjoint(columns, unique.columns()))
                .findFirst()
                .ifPresent(unique -> {
                    throw new WrongShardException("An update statement sets " + unique
                            + ", which is unique over all shards, but only the database knows the rows, so that nothing claims"
                            + " the value for them. Load the rows and change them. Nothing was sent.");
                });
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
