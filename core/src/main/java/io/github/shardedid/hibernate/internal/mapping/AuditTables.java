package io.github.shardedid.hibernate.internal.mapping;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The audit tables of Hibernate Envers in the schemas of the shards, and the entity of their revisions, whose sharded id is the
 * number of the revision. Immutable.
 *
 * <p>Rows of audit tables have no class and no {@code @ShardedId}: Hibernate has them as maps, whose id is a map,
 * too. So their shards are found by the names of the parts of that map.
 *
 * @param revisions the name of the entity of the revisions
 */
public record AuditTables(Map<String, AuditTable> tables, @Nullable String revisions) {
    static final AuditTables NONE = new AuditTables(Map.of(), null);

    public boolean isEmpty() {
        return tables.isEmpty();
    }

    /** Returns whether an entity is an audit table. */
    public boolean isTable(@Nullable String entityName) {
        return entityName != null && tables.containsKey(entityName);
    }

    /**
     * Returns whether new rows of an entity are revisions.
     *
     * <p>They are saved where the transaction has written, and not where a placement would put them.
     */
    public boolean isRevision(@Nullable String entityName) {
        return revisions != null && revisions.equals(entityName);
    }

    /** Returns whether an attribute of an audit table contains an id of the row's own shard. */
    public boolean nameShard(String entityName, String path) {
        AuditTable table = tables.get(entityName);
        return table != null && table.namesShard(path);
    }

    /** Returns whether a part of the composite id of an audit table contains only ids of the row's own shard. */
    public boolean isShardedId(String entityName, String part) {
        AuditTable table = tables.get(entityName);
        return table != null && (part.equals(table.revision()) || part.equals(table.id()));
    }

    /**
     * An entity that Hibernate Envers adds for an audit table in the schemas of the shards. Immutable.
     *
     * @param revision the attribute of its id that refers to the revision
     * @param id the attribute of its id with the id of the audited row; null for the audit table of a collection
     * @param parents attributes outside its id with ids of rows in the same shard
     */
    public record AuditTable(String revision, @Nullable String id, Set<String> parents) {
        /** The attribute of Envers with the composite id. */
        static final String ID = "originalId";

        /**
         * Returns whether an attribute contains an id of the row's own shard. All parts of the id of a collection's row may: Envers compares
         * parameters only with the owner's.
         */
        boolean namesShard(String path) {
            if (parents.contains(path)) {
                return true;
            }
            String part = path.startsWith(ID + ".") ? path.substring(ID.length() + 1) : "";
            return id == null ? !part.isEmpty() && !part.equals(revision) : part.equals(id);
        }
    }
}
