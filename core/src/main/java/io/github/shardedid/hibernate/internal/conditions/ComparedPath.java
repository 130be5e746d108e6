package io.github.shardedid.hibernate.internal.conditions;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ReferencePaths;
import org.hibernate.metamodel.model.domain.AnyMappingDomainType;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.jspecify.annotations.Nullable;

/**
 * A path of a statement, as an attribute of an entity.
 *
 * @param text for messages: {@code Photo.id}
 * @param rule how the attribute determines the shard of the rows; null if it does not
 * @param ofAny whether it is an {@code @Any}, which may refer to a row of the global database, too
 */
public record ComparedPath(String text, @Nullable ShardRule rule, boolean ofAny) {
    /** By the closest entity of the path that is in the shard of the rows: associated entities are, except foreign ones. */
    public static ComparedPath of(SqmPath<?> path, AttributeRules shards) {
        StringBuilder attributes = new StringBuilder();
        SqmPath<?> at = path;
        while (at != null) {
            if (at.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type
                    && !ReferencePaths.isForeign(at)) {
                Class<?> entity = type.getJavaType();
                String name = attributes.toString();
                String text = name.isEmpty() ? type.getName() : type.getName() + "." + name;
                boolean ofAny = path.getReferencedPathSource().getPathType() instanceof AnyMappingDomainType;
                if (!shards.isSharded(entity)) {
                    return new ComparedPath(text, null, false);
                } else if (name.isEmpty() || ofAny) {
                    return new ComparedPath(text, ofAny ? shards.byAny() : shards.byId(entity), ofAny);
                }
                return new ComparedPath(text, shards.byPath(entity, name).orElse(null), false);
            }
            String own = at.getReferencedPathSource().getPathName();
            attributes.insert(0, attributes.length() == 0 ? own : own + ".");
            at = at.getLhs();
        }
        return new ComparedPath(path.getNavigablePath().getFullPath(), null, false);
    }
}
