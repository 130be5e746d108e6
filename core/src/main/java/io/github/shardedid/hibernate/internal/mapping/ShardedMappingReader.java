package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.id.IdLayout;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.MapsId;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.CascadeStyle;
import org.hibernate.engine.spi.CascadingActions;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IdentifierCollection;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code @ShardedId} and {@code @ShardKey} from Hibernate's boot model, and refuses mappings that cannot work.
 *
 * <p>An entity is sharded if one of the following names the shard of its rows:
 *
 * <ol>
 *   <li>an id with {@code @ShardedId};
 *   <li>the id of another sharded entity, by {@code @MapsId};
 *   <li>a composite id of which a part is such an id, or has {@code @ShardKey};
 *   <li>any other id, if an attribute of the hierarchy's root has {@code @ShardKey}, which then names the shard
 *       instead of the id.
 * </ol>
 *
 * <p>All others are global. Nothing is inferred beyond that: an entity whose kind could be meant either way is
 * refused.
 */
public final class ShardedMappingReader {
    private final Metadata metadata;
    private final IdLayout layout;
    private final MappingProblems problems;
    private final AssumedMappings assumed;
    private final ShardKeyReader keyReader;
    private final IdPartReader idParts;
    /**
     * The entities with a composite id, and whether it names a shard. They are kept, as each entity is asked for
     * many times, and to end the recursion of ids that contain each other.
     */
    private final Map<PersistentClass, Boolean> composites = new HashMap<>();

    /** Creates a reader of the mappings, and of what is assumed of entities without annotations. */
    public ShardedMappingReader(Metadata metadata, IdLayout layout, MappingProblems problems, AssumedMappings assumed) {
        this.assumed = assumed;
        this.metadata = metadata;
        this.layout = layout;
        this.problems = problems;
        this.keyReader = new ShardKeyReader(metadata, layout, this::isSharded);
        this.idParts = new IdPartReader(metadata, this::isSharded, keyReader);
    }

    /** Reads the entities. */
    public ShardedMappings read() {
        Map<String, ShardedMapping> mappings = new HashMap<>();
        Set<String> global = new HashSet<>();
        Set<String> ofKeys = new HashSet<>();
        Set<String> audited = AuditTableReader.names(metadata);
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity.getClassName() != null) {
                AnnotationCheck.check(entity, keys(entity), idParts.pathOf(entity), problems);
                keys(entity).forEach(key -> ofKeys.add(ShardKeyReader.target(key)));
            }
            if (isSharded(entity)) {
                if (entity == entity.getRootClass()) {
                    problems.collect(() -> checkId(entity));
                }
                problems.collect(() -> mappings.put(entity.getEntityName(), mappingOf(entity)));
            } else if (entity.getClassName() != null && !keys(entity).isEmpty()) {
                problems.add(
                        entity.getEntityName() + "." + keys(entity).get(0).path()
                                + (EntityIds.isDeclaredGlobal(entity)
                                        ? " has @ShardKey, but the entity has @GlobalEntity. Remove one of the two."
                                        : " has @ShardKey, but the entity's id names no shard. Annotate the id with @ShardedId, if it is a"
                                                + " Long; put @ShardKey on a part of the id, if it is composite; declare the attribute in the"
                                                + " root of the hierarchy, if the id is a single attribute; or remove @ShardKey."));
            } else if (entity.getTable().isSubselect() && !EntityIds.isDeclaredGlobal(entity)) {
                // The rows of a subselect may be those of either: only its text shows, and not to Hibernate.
                problems.add(entity.getEntityName()
                        + " has @Subselect, and nothing says whether it selects rows of a shard or of the global database. Annotate"
                        + " its id with @ShardedId, if that is the id of a sharded row, or the entity with @GlobalEntity, and write"
                        + " {h-schema} before the tables of its text.");
            } else if (!audited.contains(entity.getEntityName()) && MappedTables.has(entity)) {
                global.add(entity.getEntityName());
            }
        }
        // What a shard key refers to is no global entity: its id lacks an annotation, which is reported with the key.
        global.removeIf(name -> ofKeys.contains(name) && !EntityIds.isDeclaredGlobal(metadata.getEntityBinding(name)));
        Associations.toOnes(metadata).stream()
                .filter(toOne -> !audited.contains(toOne.owner().getEntityName()))
                .forEach(this::refuseInId);
        ShardKeyCycles.check(mappings, problems);
        for (Collection collection : metadata.getCollectionBindings()) {
            if (collection instanceof IdentifierCollection) {
                problems.add(collection.getRole()
                        + " has @CollectionId, whose generators know no shards. Use @OrderColumn, or map the rows as an"
                        + " entity.");
            }
        }
        AuditTables auditTables = new AuditTableReader(metadata, mappings).read(problems);
        if (auditTables.isEmpty()) {
            global.addAll(audited);
        }
        boolean foreign = Associations.values(metadata).stream().anyMatch(MappedValue::foreign);
        return new ShardedMappings(mappings, savedByCascade(mappings), global, Set.of(), foreign, auditTables);
    }

    /** Returns the entities without a shard key that a collection saves by cascade: they are in the shard of their owner. */
    private Set<String> savedByCascade(Map<String, ShardedMapping> sharded) {
        Set<String> saved = new HashSet<>();
        for (Collection collection : metadata.getCollectionBindings()) {
            String owner = collection.getOwnerEntityName();
            String element = Associations.referenced(collection.getElement());
            ShardedMapping mapping = element == null ? null : sharded.get(element);
            if (mapping != null && mapping.key() == null && sharded.containsKey(owner) && saves(collection)) {
                saved.add(element);
            }
        }
        return saved;
    }

    /** True if Hibernate does not find the attribute, as within a hierarchy of embeddables. */
    private static boolean saves(Collection collection) {
        try {
            CascadeStyle style = collection
                    .getOwner()
                    .getRecursiveProperty(collection
                            .getRole()
                            .substring(collection.getOwnerEntityName().length() + 1))
                    .getCascadeStyle();
            return style.doCascade(CascadingActions.PERSIST) || style.doCascade(CascadingActions.MERGE);
        } catch (MappingException e) {
            return true;
        }
    }

    /** Refuses a global entity whose id contains the id of a sharded entity: its rows belong to that shard. */
    private void refuseInId(MappedValue<ToOne> toOne) {
        PersistentClass owner = toOne.owner();
        Table table = toOne.value().getTable();
        if (!isSharded(owner)
                && !EntityIds.isDeclaredGlobal(owner)
                && isSharded(target(toOne.value()))
                && (table.equals(owner.getRootTable()) || table.equals(owner.getTable()))
                && !toOne.value().hasFormula()
                && !Collections.disjoint(
                        owner.getIdentifier().getColumns(), toOne.value().getColumns())) {
            problems.add(toOne + " refers to the sharded entity "
                    + toOne.value().getReferencedEntityName() + " with a column of the id of "
                    + owner.getEntityName()
                    + ", which has no @ShardedId and would be global. Give " + owner.getEntityName()
                    + " a single Long id with @ShardedId, @ShardKey on the association, and a unique constraint over the"
                    + " columns of its present id. If its rows belong in the global database, annotate it with"
                    + " @GlobalEntity.");
        }
    }

    /**
     * Returns whether an entity is sharded, by the rules of this class. One without a class, such as an audit
     * table, is none.
     */
    private boolean isSharded(@Nullable PersistentClass entity) {
        if (entity == null || entity.getClassName() == null || EntityIds.isDeclaredGlobal(entity)) {
            return false;
        }
        if (entity.getIdentifier() instanceof Component) {
            return isShardedByPart(entity.getRootClass());
        }
        return entity.getIdentifierProperty() != null
                && (idNamesShard(entity) || !keys(entity.getRootClass()).isEmpty());
    }

    /** Returns whether the id, if it is a single attribute, names the shard. */
    private boolean idNamesShard(PersistentClass entity) {
        return idAnnotation(entity, ShardedId.class) != null
                || assumed.isSharded(entity.getEntityName())
                || idOwner(entity) != null;
    }

    /** Returns whether the id names no shard, so that only the shard key does: the one of the root, since each row needs it. */
    private boolean hasOwnId(PersistentClass entity) {
        return !(entity.getIdentifier() instanceof Component)
                && !idNamesShard(entity)
                && !keys(entity.getRootClass()).isEmpty();
    }

    private ShardedMapping.@Nullable Uniqueness ownId(PersistentClass entity) {
        MappedAttribute owner = idOwner(entity);
        PersistentClass target =
                owner == null ? null : target((ToOne) owner.property().getValue());
        if (target != null) {
            return ownId(target);
        } else if (!hasOwnId(entity)) {
            return null;
        }
        return entity.getIdentifier().getType().getReturnedClass() == UUID.class
                ? ShardedMapping.Uniqueness.CLUSTER
                : ShardedMapping.Uniqueness.SHARD;
    }

    /** An entity that is part of its own id, over others, names no shard. */
    private boolean isShardedByPart(PersistentClass entity) {
        Boolean known = composites.putIfAbsent(entity, false);
        if (known == null) {
            known = idParts.find(entity) != null;
            composites.put(entity, known);
        }
        return known;
    }

    /** The association to the sharded entity whose id a row shares ({@code @MapsId}); null if the row has an id of its own. */
    private @Nullable MappedAttribute idOwner(PersistentClass entity) {
        if (entity.getIdentifier() instanceof Component) {
            return null;
        }
        for (MappedAttribute attribute : MappedAttribute.of(entity)) {
            if (attribute.property().getValue() instanceof ToOne toOne
                    && attribute.annotation(MapsId.class) != null
                    && isSharded(target(toOne))) {
                return attribute;
            }
        }
        return null;
    }

    /**
     * Refuses an id of a hierarchy's root that could not name a shard: generated without one, of a type that
     * cannot hold it, or changed on the way to its column.
     */
    private void checkId(PersistentClass entity) {
        if (entity.getIdentifier() instanceof Component) {
            idParts.check(entity);
            return;
        }
        String path =
                entity.getEntityName() + "." + entity.getIdentifierProperty().getName();
        Class<?> type = entity.getIdentifier().getType().getReturnedClass();
        ShardedId annotation = idAnnotation(entity, ShardedId.class);
        boolean own = hasOwnId(entity);
        if (own) {
            refuseGenerated(path, entity.getIdentifier());
        } else if (annotation != null) {
            EntityIds.check(layout, type, annotation.strategy(), path);
        }
        String obstacle = own ? null : ShardKeyReader.obstacle(entity.getIdentifier());
        if (own && type.isArray()) {
            throw new ShardedIdMappingException("The id " + path + " names no shard, and is a " + type.getSimpleName()
                    + ", whose values are not equal to their copies. Use a UUID, a String or a number.");
        } else if (annotation != null && idAnnotation(entity, GeneratedValue.class) != null) {
            throw new ShardedIdMappingException("The id " + path
                    + " has both @ShardedId and @GeneratedValue. Remove @GeneratedValue: @ShardedId generates the id.");
        } else if (obstacle != null) {
            throw new ShardedIdMappingException("The id " + path + " with @ShardedId " + obstacle
                    + ", so the column may contain another value than the attribute, and that value would name another"
                    + " shard. Store the id unchanged.");
        }
    }

    /** Refuses numbers that are generated: each shard has a sequence, and Hibernate would use reserved values of one in another. */
    static void refuseGenerated(String id, Value value) {
        if (value instanceof SimpleValue simple
                && simple.getCustomIdGeneratorCreator() != null
                && !simple.getCustomIdGeneratorCreator().isAssigned()
                && Number.class.isAssignableFrom(
                        MethodType.methodType(value.getType().getReturnedClass())
                                .wrap()
                                .returnType())) {
            throw new ShardedIdMappingException(id
                    + " is generated, but has no @ShardedId: Hibernate's generators know no shards. Annotate the id with"
                    + " @ShardedId instead of @GeneratedValue; or let the application set it, or generate a UUID.");
        }
    }

    /**
     * Reads an entity. Its shard key is the attribute that says so, else the association from which it has its
     * id, or a part of it.
     */
    private ShardedMapping mappingOf(PersistentClass entity) {
        IdPartReader.Candidate candidate = idParts.find(entity.getRootClass());
        Property id = entity.getIdentifierProperty();
        List<MappedAttribute> keys = keys(entity);
        if (keys.size() > 1) {
            throw new ShardedIdMappingException(entity.getEntityName() + " has several attributes with @ShardKey: "
                    + keys.get(0).path() + " and " + keys.get(1).path() + ". Keep the one that determines the shard.");
        }
        MappedAttribute idOwner = idOwner(entity);
        MappedAttribute implied = candidate == null ? idOwner : candidate.attribute();
        MappedAttribute assumedKey = implied == null ? assumed.keyOf(entity) : implied;
        MappedAttribute key = keys.isEmpty() ? assumedKey : keys.get(0);
        Map<String, String> parents = new HashMap<>();
        Map<String, String> foreign = new HashMap<>();
        for (MappedAttribute attribute : attributes(entity)) {
            if (ForeignShardBinder.isForeign(attribute.property())) {
                if (attribute.property().getValue() instanceof ToOne one) {
                    foreign.put(attribute.path(), one.getReferencedEntityName());
                }
            } else if (attribute.property().getValue() instanceof ManyToOne toOne
                    && !toOne.hasFormula()
                    && isSharded(target(toOne))) {
                parents.put(attribute.path(), toOne.getReferencedEntityName());
            }
        }
        return new ShardedMapping(
                entity.getEntityName(),
                entity.getMappedClass(),
                id == null ? "" : id.getName(),
                entity.getRootTable().getName(),
                idOwner == null && candidate == null && !hasOwnId(entity) ? sequence(entity) : "",
                key == null ? null : keyReader.read(entity, key),
                candidate == null ? null : idParts.read(entity, candidate),
                ownId(entity),
                Map.copyOf(parents),
                Map.copyOf(foreign));
    }

    private static String sequence(PersistentClass entity) {
        ShardedId annotation = idAnnotation(entity, ShardedId.class);
        return EntityIds.sequence(
                annotation == null ? "" : annotation.sequence(), entity.getRootTable(), entity.getIdentifier());
    }

    private @Nullable PersistentClass target(ToOne toOne) {
        return metadata.getEntityBinding(toOne.getReferencedEntityName());
    }

    private static List<MappedAttribute> keys(PersistentClass entity) {
        return attributes(entity).stream()
                .filter(attribute -> attribute.annotation(ShardKey.class) != null)
                .toList();
    }

    /** Also the parts of a composite id. */
    private static List<MappedAttribute> attributes(PersistentClass entity) {
        return Stream.concat(MappedAttribute.ofId(entity.getRootClass()).stream(), MappedAttribute.of(entity).stream())
                .toList();
    }

    private static <A extends Annotation> @Nullable A idAnnotation(PersistentClass entity, Class<A> type) {
        Property id = entity.getIdentifierProperty();
        return new MappedAttribute(entity.getMappedClass(), id.getName(), id).annotation(type);
    }

    /**
     * Finds shard keys that lead back to their own entity, such as the reference to the parent in a tree. If the attribute may be null, a
     * row without a value is the root of its tree, and gets its shard like a row without a shard key. Otherwise no row could ever be the
     * first, and the mapping is refused.
     */
    private record ShardKeyCycles(Map<String, ShardedMapping> mappings) {
        /** Replaces the keys in the map that are null in the root of a tree. */
        static void check(Map<String, ShardedMapping> mappings, MappingProblems problems) {
            ShardKeyCycles cycles = new ShardKeyCycles(mappings);
            for (ShardedMapping mapping : List.copyOf(mappings.values())) {
                List<ShardKeyAttribute> cycle = cycles.from(mapping);
                if (!cycle.isEmpty()) {
                    problems.collect(() -> cycles.check(mapping, cycle));
                }
            }
        }

        private void check(ShardedMapping mapping, List<ShardKeyAttribute> cycle) {
            ShardKeyAttribute key = cycle.get(0);
            if (!mapping.idNamesShard()) {
                throw new ShardedIdMappingException("The shard keys " + cycle + " lead back to " + mapping.entityName()
                        + ", whose id names no shard, so nothing says in which shard its first row is. Put @ShardKey on an"
                        + " attribute that is never null and leads to another entity, or give " + mapping.entityName()
                        + " a @ShardedId.");
            }
            if (key.nullable()) {
                mappings.put(mapping.entityName(), mapping.withKey(key.beginning()));
            } else if (cycle.stream().noneMatch(ShardKeyAttribute::nullable)) {
                throw new ShardedIdMappingException("The shard keys " + cycle + " lead back to " + mapping.entityName()
                        + ", and none of them may be null: each new row needs an existing one, so no row can be the first."
                        + " Let one of them be null in the first row (optional = true, no NOT NULL), or put @ShardKey on another"
                        + " attribute.");
            }
        }

        /** The keys from an entity back to it or a superclass of it; empty if they end elsewhere. */
        private List<ShardKeyAttribute> from(ShardedMapping mapping) {
            List<ShardKeyAttribute> keys = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            @Nullable ShardedMapping at = mapping;
            while (at != null && at.key() != null && at.key().target() != null && seen.add(at.entityName())) {
                keys.add(at.key());
                at = mappings.get(at.key().target());
                if (at != null && at.javaClass().isAssignableFrom(mapping.javaClass())) {
                    return keys;
                }
            }
            return List.of();
        }
    }
}
