package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.hibernate.internal.mapping.UniqueAttributes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.hibernate.persister.entity.EntityPersister;

/** What is unique over all shards, by entity. Safe for use by several threads. */
public final class UniqueKeys {
    public static final UniqueKeys NONE = new UniqueKeys(List.of());

    private final Map<String, List<UniqueAttributes>> declared;
    /** Created when first needed, because the runtime model, which has the columns, is complete only then. */
    private final Map<String, List<UniqueKey>> keys = new ConcurrentHashMap<>();

    public UniqueKeys(List<UniqueAttributes> declared) {
        this.declared = declared.stream().distinct().collect(Collectors.groupingBy(UniqueAttributes::entityName));
    }

    /** Returns whether nothing is unique over all shards, so that nothing has to be looked for. */
    public boolean isEmpty() {
        return declared.isEmpty();
    }

    /** Returns whether an entity has such attributes, inherited ones included. */
    public boolean has(String entityName) {
        return declared.containsKey(entityName);
    }

    /** Returns the keys of an entity, inherited ones included; empty if it has none. */
    public List<UniqueKey> of(EntityPersister persister) {
        List<UniqueAttributes> own = declared.get(persister.getEntityName());
        return own == null
                ? List.of()
                : keys.computeIfAbsent(persister.getEntityName(), name -> own.stream()
                        .map(each -> new UniqueKey(each, persister))
                        .toList());
    }
}
