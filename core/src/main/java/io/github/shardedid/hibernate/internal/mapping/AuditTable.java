package io.github.shardedid.hibernate.internal.mapping;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An entity that Hibernate Envers adds for an audit table in the schemas of the shards. Immutable.
 *
 * @param revision the attribute of its id that refers to the revision
 * @param id the attribute of its id with the id of the audited row; null for the audit table of a collection
 * @param parents attributes outside its id with ids of rows in the same shard
 */
record AuditTable(String revision, @Nullable String id, Set<String> parents) {
    /** The attribute of Envers with the composite id. */
    static final String ID = "originalId";

    /**
     * Whether an attribute contains an id of the row's own shard. All parts of the id of a collection's row may: Envers compares
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
