package io.github.shardedid.hibernate.internal.foreign;

import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.metamodel.model.domain.ManagedDomainType;
import org.hibernate.metamodel.model.domain.PersistentAttribute;
import org.hibernate.metamodel.model.domain.SingularPersistentAttribute;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.jspecify.annotations.Nullable;

/** The paths of queries that are associations with {@code @ForeignShard}. */
public final class ReferencePaths {
    private ReferencePaths() {}

    /** Whether a path is an association with {@code @ForeignShard}. */
    public static boolean isForeign(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return parent != null
                && parent.getReferencedPathSource().getPathType() instanceof ManagedDomainType<?> type
                && isForeign(type.findAttribute(path.getReferencedPathSource().getPathName()));
    }

    /** The same of an attribute. The elements of collections are values. */
    public static boolean isForeign(@Nullable PersistentAttribute<?, ?> attribute) {
        return attribute != null
                && !attribute.isCollection()
                && ForeignShardBinder.isForeign(attribute.getJavaMember());
    }

    /** Whether a part of a path is the id of what is before it. Hibernate names the id {@code {id}} in {@code id(c.author)}. */
    public static boolean isId(SqmPath<?> parent, SqmPath<?> part) {
        String name = part.getReferencedPathSource().getPathName();
        if (!(parent.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type)) {
            return false;
        }
        SingularPersistentAttribute<?, ?> id = type.findIdAttribute();
        return (id != null && name.equals(id.getName()))
                || (type.getIdentifierDescriptor() != null
                        && name.equals(type.getIdentifierDescriptor().getPathName()));
    }

    /** Whether a path is such an association, or the id of one. */
    static boolean isReference(SqmPath<?> path) {
        SqmPath<?> parent = path.getLhs();
        return isForeign(path) || (parent != null && isForeign(parent) && isId(parent, path));
    }
}
