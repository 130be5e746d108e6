package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Stateful;
import org.hibernate.persister.state.internal.AuditStateManagement;

/**
 * Refuses {@code @Audited} of Hibernate itself, not that of Envers. Hibernate writes the rows of an audit log before the commit and reads
 * them past the persisters, so both would be in the scope that happens to be open.
 */
final class AuditLogs {
    private AuditLogs() {}

    static void refuse(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity instanceof RootClass root && isAudited(root) && isMapped(root, mappings)) {
                problems.collect(() -> refuse(root.getEntityName(), root.getEntityName()));
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            PersistentClass owner = collection.getOwner();
            if (isAudited(collection) && !isAudited(owner.getRootClass()) && isMapped(owner, mappings)) {
                problems.collect(() -> refuse(collection.getRole(), owner.getEntityName()));
            }
        }
    }

    private static boolean isAudited(Stateful mapped) {
        return mapped.getStateManagementType() == AuditStateManagement.class;
    }

    private static boolean isMapped(PersistentClass entity, ShardedMappings mappings) {
        return mappings.find(entity.getEntityName()) != null || mappings.isGlobal(entity.getEntityName());
    }

    private static void refuse(String path, String entity) {
        throw new ShardedIdMappingException(path
                + " has @Audited of Hibernate (org.hibernate.annotations.Audited), whose audit log knows no shard: its"
                + " rows would be written to and read from the scope that is open, not the shard of "
                + entity + ". Audit it with Hibernate Envers (org.hibernate.envers.Audited), or remove @Audited.");
    }
}
