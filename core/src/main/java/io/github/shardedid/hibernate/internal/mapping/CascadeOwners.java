package io.github.shardedid.hibernate.internal.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;

/** The collections through which sharded entities without a shard key are saved by cascade, in the shard of their owner. Immutable. */
public record CascadeOwners(Map<String, List<Role>> byElement) {
    static final CascadeOwners NONE = new CascadeOwners(Map.of());

    /** A collection attribute of an entity. */
    public record Role(String owner, String attribute) {}

    /**
     * Reads the collections.
     *
     * @param wanted which entities are sharded and have no shard key
     * @param sharded which entities are sharded
     */
    static CascadeOwners read(Metadata metadata, Predicate<String> wanted, Predicate<String> sharded) {
        Map<String, List<Role>> byElement = new HashMap<>();
        for (Collection collection : metadata.getCollectionBindings()) {
            String owner = collection.getOwnerEntityName();
            String element = Associations.referenced(collection.getElement());
            if (element != null && wanted.test(element) && sharded.test(owner)) {
                String attribute = collection.getRole().substring(owner.length() + 1);
                byElement.computeIfAbsent(element, name -> new ArrayList<>()).add(new Role(owner, attribute));
            }
        }
        return new CascadeOwners(byElement);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return byElement.isEmpty();
    }

    /** The collections that may contain an entity; empty if it has a shard key or is in none. */
    public List<Role> of(String element) {
        return byElement.getOrDefault(element, List.of());
    }
}
