package io.github.shardedid.hibernate.internal.mapping;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.AttributeMappingsList;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.EntityValuedModelPart;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping.Cardinality;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.spi.NavigablePath;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of entities that may refer to sharded rows. Read from the mapping once per entity, since each
 * written row needs them.
 *
 * <p>A flush checks collections by themselves, only those that have changed. A stateless session has no such list,
 * so its rows are checked with their collections: that is why there are two lists for each entity. Safe for use by
 * several threads.
 */
public final class ReferringAttributes {
    private final ShardedMappings mappings;
    private final Map<String, List<Referring>> ofFlushes = new ConcurrentHashMap<>();
    private final Map<String, List<Referring>> ofStatelessSessions = new ConcurrentHashMap<>();

    public ReferringAttributes(ShardedMappings mappings) {
        this.mappings = mappings;
    }

    /**
     * An attribute that may refer to a sharded row.
     *
     * @param path the attribute with its entity, for messages
     */
    public record Referring(String path, AttributeMapping attribute) {}

    /**
     * The attributes of an entity whose values refer to rows.
     *
     * @param stateless whether the session writes a row's collections together with the row
     */
    public List<Referring> of(EntityPersister persister, boolean stateless) {
        Map<String, List<Referring>> known = stateless ? ofStatelessSessions : ofFlushes;
        List<Referring> found = known.get(persister.getEntityName());
        return found != null
                ? found
                : known.computeIfAbsent(persister.getEntityName(), name -> read(persister, name, stateless));
    }

    private List<Referring> read(EntityPersister persister, String name, boolean stateless) {
        AttributeMappingsList attributes = persister.getAttributeMappings();
        return IntStream.range(0, attributes.size())
                .mapToObj(attributes::get)
                .filter(attribute -> canRefer(attribute, stateless))
                .map(attribute -> new Referring(pathOf(name, attribute.getAttributeName()), attribute))
                .toList();
    }

    /** Hibernate has the parts of an {@code @IdClass} in an attribute, too. */
    private static String pathOf(String entity, String attribute) {
        return attribute.equals(NavigablePath.IDENTIFIER_MAPPER_PROPERTY) ? entity : entity + "." + attribute;
    }

    /** Returns whether a value of a part of the mapping may refer to a sharded row. */
    public boolean canRefer(@Nullable ModelPart part, boolean stateless) {
        if (part instanceof AttributeMapping attribute && ForeignShardBinder.isForeign(attribute)) {
            return false;
        }
        if (part instanceof EmbeddableValuedModelPart embedded) {
            AttributeMappingsList attributes =
                    embedded.getEmbeddableTypeDescriptor().getAttributeMappings();
            return IntStream.range(0, attributes.size())
                    .mapToObj(attributes::get)
                    .anyMatch(attribute -> canRefer(attribute, stateless));
        }
        if (part instanceof ToOneAttributeMapping toOne && toOne.getCardinality() == Cardinality.ONE_TO_ONE) {
            return false; // Both have the same id, or the other one refers to this one.
        }
        return (part instanceof PluralAttributeMapping && stateless)
                || (part instanceof EntityValuedModelPart entity
                        && mappings.find(entity.getEntityMappingType().getEntityName()) != null);
    }
}
