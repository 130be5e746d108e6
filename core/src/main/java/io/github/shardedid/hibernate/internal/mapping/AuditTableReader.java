package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/**
 * Reads the audit tables that Hibernate Envers has added to the boot model, without depending on Envers. They are entities without a
 * class, whose composite id refers to a revision.
 *
 * <p>Envers writes audit rows in the transaction of the rows that they describe, so they have to be in the same
 * shard; and it reads them by their composite ids, so these have to name it. That is so if the revision's number is
 * a sharded id. What Envers does differently, by configuration, is refused.
 *
 * @param metadata the boot model, in which Envers has finished its work
 * @param sharded the sharded entities by name
 */
record AuditTableReader(Metadata metadata, Map<String, ShardedMapping> sharded) {
    private static final String ENVERS = "org.hibernate.envers.";

    /** The names of the audit tables' entities. */
    static Set<String> names(Metadata metadata) {
        AuditTableReader reader = new AuditTableReader(metadata, Map.of());
        return metadata.getEntityBindings().stream()
                .filter(entity -> reader.revisionOf(entity) != null)
                .map(PersistentClass::getEntityName)
                .collect(Collectors.toSet());
    }

    /** The audit tables in the shards, which are none if the revisions are global. */
    AuditTables read(MappingProblems problems) {
        Map<String, AuditTables.AuditTable> tables = new HashMap<>();
        Map<String, PersistentClass> revisions = new HashMap<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            Property revision = revisionOf(entity);
            PersistentClass target = revision == null ? null : target(revision);
            if (revision != null && target != null) {
                PersistentClass audited = metadata.getEntityBinding(auditedName(entity.getEntityName()));
                problems.collect(() -> {
                    requireSameKind(audited, target);
                    if (isSharded(target)) {
                        revisions.put(target.getEntityName(), target);
                        tables.put(entity.getEntityName(), tableOf(entity, revision, audited));
                    }
                });
            }
        }
        revisions.values().forEach(each -> problems.collect(() -> requireColumnDefault(each)));
        return revisions.isEmpty()
                ? AuditTables.NONE
                : new AuditTables(
                        Map.copyOf(tables), revisions.keySet().iterator().next());
    }

    /** Returns the part of an id that refers to a revision; null if an entity is no audit table. */
    private @Nullable Property revisionOf(PersistentClass entity) {
        if (entity.getClassName() == null && entity.getIdentifier() instanceof Component id) {
            for (Property part : id.getProperties()) {
                if (part.getValue() instanceof ToOne && isRevisionEntity(target(part))) {
                    return part;
                }
            }
        }
        return null;
    }

    private @Nullable PersistentClass target(Property reference) {
        return reference.getValue() instanceof ToOne one
                ? metadata.getEntityBinding(one.getReferencedEntityName())
                : null;
    }

    /**
     * Returns whether an entity is one of revisions, by the names of Envers, which need not be on the class
     * path.
     */
    private static boolean isRevisionEntity(@Nullable PersistentClass entity) {
        return entity != null
                && entity.getClassName() != null
                && (entity.getClassName().startsWith(ENVERS)
                        || Arrays.stream(entity.getMappedClass().getAnnotations())
                                .anyMatch(
                                        each -> each.annotationType().getName().equals(ENVERS + "RevisionEntity")));
    }

    private boolean isSharded(@Nullable PersistentClass entity) {
        return entity != null && sharded.containsKey(entity.getEntityName());
    }

    /**
     * Returns the name of the audited entity, which Envers makes that of the audit table by a prefix and a
     * suffix. For the audit table of a collection, no entity has that name.
     */
    private String auditedName(String name) {
        String prefix = setting("audit_table_prefix", "");
        String suffix = setting("audit_table_suffix", "_AUD");
        return name.startsWith(prefix) && name.endsWith(suffix) && name.length() > prefix.length() + suffix.length()
                ? name.substring(prefix.length(), name.length() - suffix.length())
                : name;
    }

    private String setting(String name, String otherwise) {
        Object value = metadata.getDatabase()
                .getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings()
                .get(ENVERS + name);
        return value == null ? otherwise : value.toString();
    }

    /** Refuses audited rows in another database than their revisions: one transaction could not write both. */
    private void requireSameKind(@Nullable PersistentClass audited, PersistentClass revisions) {
        if (audited == null || isSharded(audited) == isSharded(revisions)) {
            return;
        }
        if (isSharded(audited)) {
            throw new ShardedIdMappingException(audited.getEntityName()
                    + " is sharded and audited by Hibernate Envers, but the number of the revision entity "
                    + revisions.getEntityName() + " has no @ShardedId, so revisions would be in the global database."
                    + " Declare a @RevisionEntity whose @RevisionNumber is a Long id with"
                    + " @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT).");
        }
        throw new ShardedIdMappingException(audited.getEntityName()
                + " is global and audited by Hibernate Envers, but the revisions (" + revisions.getEntityName()
                + ") are in the shards, where no row of the global database can be audited. A persistence unit audits"
                + " either sharded or global entities: remove @Audited from one kind.");
    }

    /**
     * Returns an audit table in the shards. Attributes outside of its id count as ids of the same shard if they
     * are copies of parents, under the name that Envers gives them.
     */
    private AuditTables.AuditTable tableOf(
            PersistentClass entity, Property revision, @Nullable PersistentClass audited) {
        requireNoEnd(entity, revision);
        if (audited == null) {
            return new AuditTables.AuditTable(revision.getName(), null, Set.of());
        }
        ShardedMapping mapping = sharded.get(audited.getEntityName());
        if (mapping != null && !mapping.idNamesShard()) {
            throw new ShardedIdMappingException(audited.getEntityName()
                    + " is audited by Hibernate Envers, but its id names no shard, so neither does the id of an audit row."
                    + " Give it a @ShardedId, or remove @Audited.");
        }
        if (mapping == null || !((Component) entity.getIdentifier()).hasProperty(mapping.idName())) {
            throw new ShardedIdMappingException(audited.getEntityName()
                    + " is audited by Hibernate Envers, but its audit table has no attribute for the sharded id, so its"
                    + " shard is unknown. Remove @Audited.");
        }
        Set<String> parents = new HashSet<>();
        mapping.parents().forEach((path, parent) -> {
            ShardedMapping target = sharded.get(parent);
            String attribute = path.replace('.', '_') + "_" + (target == null ? "" : target.idName());
            if (entity.getPropertyClosure().stream()
                    .anyMatch(each -> each.getName().equals(attribute))) {
                parents.add(attribute);
            }
        });
        return new AuditTables.AuditTable(revision.getName(), mapping.idName(), Set.copyOf(parents));
    }

    /** The ValidityAuditStrategy stores the end of a revision by statements in no session's flush, so their shard is unknown. */
    private void requireNoEnd(PersistentClass entity, Property revision) {
        for (Property property : entity.getPropertyClosure()) {
            if (property.getValue() instanceof ToOne end
                    && revision.getValue() instanceof ToOne begin
                    && begin.getReferencedEntityName().equals(end.getReferencedEntityName())) {
                throw new ShardedIdMappingException(
                        "The audit table " + entity.getTable().getName()
                                + " stores the end of revisions (ValidityAuditStrategy of Hibernate Envers), which is not supported"
                                + " in shards. Remove org.hibernate.envers.audit_strategy: the default strategy needs no end.");
            }
        }
    }

    /** Revisions that are generated ahead of their use would not be in the order of their transactions. */
    private static void requireColumnDefault(PersistentClass revisions) {
        Property id = revisions.getIdentifierProperty();
        ShardedId annotation =
                new MappedAttribute(revisions.getMappedClass(), id.getName(), id).annotation(ShardedId.class);
        if (annotation == null || annotation.strategy() != IdStrategy.COLUMN_DEFAULT) {
            throw new ShardedIdMappingException("The revision number " + revisions.getEntityName() + "." + id.getName()
                    + " must have @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT): ids of the other strategies are reserved"
                    + " ahead, so a later transaction of another process could have a smaller revision.");
        }
    }
}
