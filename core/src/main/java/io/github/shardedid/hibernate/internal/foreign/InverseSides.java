package io.github.shardedid.hibernate.internal.foreign;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/** Refuses the inverse sides of references to other databases: the rows that they would contain are in other shards. */
public record InverseSides(Metadata metadata, List<Foreign> attributes, MappingProblems problems) {
    /** The paths of the inverse sides. */
    public static Set<String> refuse(Metadata metadata, List<Foreign> attributes, MappingProblems problems) {
        Set<String> found = new HashSet<>();
        if (!attributes.isEmpty()) {
            InverseSides sides = new InverseSides(metadata, attributes, problems);
            metadata.getEntityBindings().forEach(entity -> sides.check(entity, found));
            metadata.getCollectionBindings().forEach(collection -> sides.check(collection, found));
        }
        return found;
    }

    private void check(PersistentClass entity, Set<String> found) {
        for (Property property : entity.getProperties()) {
            if (property.getValue() instanceof OneToOne inverse) {
                check(
                        entity.getEntityName() + "." + property.getName(),
                        inverse.getReferencedEntityName(),
                        inverse.getMappedByProperty(),
                        found);
            }
        }
    }

    private void check(Collection collection, Set<String> found) {
        String element = Associations.referenced(collection.getElement());
        if (element != null) {
            check(collection.getRole(), element, collection.getMappedByProperty(), found);
        }
    }

    private void check(String path, String entity, @Nullable String mappedBy, Set<String> found) {
        for (Foreign attribute : attributes) {
            if (attribute.path().equals(mappedBy) && isA(entity, attribute.owner())) {
                found.add(path);
                problems.collect(() -> {
                    throw new ShardedIdMappingException(path + " is the inverse side of " + attribute
                            + ", "
                            + (attribute.isAnnotated()
                                    ? "which has @ForeignShard: the rows that it would contain are in other shards."
                                    : "which is stored in the shards of " + entity
                                            + ": the rows that it would contain are in all of them.")
                            + " Remove " + path
                            + ", and query for the rows over all shards (@AllShards in a repository).");
                });
            }
        }
    }

    private boolean isA(String entity, PersistentClass owner) {
        for (PersistentClass at = metadata.getEntityBinding(entity); at != null; at = at.getSuperclass()) {
            if (at == owner) {
                return true;
            }
        }
        return false;
    }
}
