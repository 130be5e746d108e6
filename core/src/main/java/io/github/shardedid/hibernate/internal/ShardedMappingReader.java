package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.id.IdLayout;
import jakarta.persistence.GeneratedValue;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/** Reads {@code @ShardedId} and {@code @ShardKey} from Hibernate's boot model and refuses what cannot work. */
final class ShardedMappingReader {
    private static final Set<Class<?>> NUMBERS =
            Set.of(Long.class, long.class, Integer.class, int.class, Short.class, short.class, Byte.class, byte.class);

    private final Metadata metadata;
    private final IdLayout layout;

    ShardedMappingReader(Metadata metadata, IdLayout layout) {
        this.metadata = metadata;
        this.layout = layout;
    }

    ShardedMappings read() {
        Map<String, ShardedMapping> mappings = new HashMap<>();
        Set<String> global = new HashSet<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (isSharded(entity)) {
                UnshardedLookups.refuse(entity);
                mappings.put(entity.getEntityName(), mappingOf(entity));
            } else if (entity.getClassName() != null && !keys(entity).isEmpty()) {
                throw new ShardedIdMappingException(
                        entity.getEntityName() + "." + keys(entity).get(0).getName()
                                + " has @ShardKey, but the entity's id has no @ShardedId. Annotate the id, or remove @ShardKey.");
            } else {
                global.add(entity.getEntityName());
            }
        }
        return new ShardedMappings(
                mappings,
                CascadeOwners.read(
                        metadata,
                        element -> {
                            ShardedMapping mapping = mappings.get(element);
                            return mapping != null && mapping.key() == null;
                        },
                        mappings::containsKey),
                global);
    }

    private boolean isSharded(@Nullable PersistentClass entity) {
        if (entity == null || entity.getClassName() == null || isDeclaredGlobal(entity)) {
            return false;
        }
        Property id = entity.getIdentifierProperty();
        return id != null && annotation(entity, id, ShardedId.class) != null;
    }

    /** Whether an entity is global though it may have inherited a sharded id. */
    static boolean isDeclaredGlobal(PersistentClass entity) {
        PersistentClass root = entity.getRootClass();
        return root.getClassName() != null && root.getMappedClass().isAnnotationPresent(GlobalEntity.class);
    }

    private ShardedMapping mappingOf(PersistentClass entity) {
        if (annotation(entity, entity.getIdentifierProperty(), GeneratedValue.class) != null) {
            throw new ShardedIdMappingException("The id " + entity.getEntityName() + "."
                    + entity.getIdentifierProperty().getName()
                    + " has both @ShardedId and @GeneratedValue, which make different ids. Remove @GeneratedValue.");
        }
        List<Property> keys = keys(entity);
        if (keys.size() > 1) {
            throw new ShardedIdMappingException(entity.getEntityName() + " has several attributes with @ShardKey, "
                    + keys.get(0).getName() + " and " + keys.get(1).getName() + ". One decides the shard: keep that.");
        }
        Map<String, String> parents = new HashMap<>();
        for (Property property : entity.getPropertyClosure()) {
            if (property.getValue() instanceof ManyToOne toOne && isSharded(target(toOne))) {
                parents.put(property.getName(), toOne.getReferencedEntityName());
            }
        }
        return new ShardedMapping(
                entity.getEntityName(),
                entity.getMappedClass(),
                entity.getIdentifierProperty().getName(),
                entity.getRootTable().getName(),
                sequence(entity),
                keys.isEmpty() ? null : key(entity, keys.get(0)),
                Map.copyOf(parents));
    }

    private static String sequence(PersistentClass entity) {
        ShardedId annotation = annotation(entity, entity.getIdentifierProperty(), ShardedId.class);
        return ShardedIdGenerator.sequence(
                annotation == null ? "" : annotation.sequence(), entity.getRootTable(), entity.getIdentifier());
    }

    private @Nullable PersistentClass target(ToOne toOne) {
        return metadata.getEntityBinding(toOne.getReferencedEntityName());
    }

    private List<Property> keys(PersistentClass entity) {
        List<Property> keys = new ArrayList<>();
        for (Property property : entity.getPropertyClosure()) {
            if (annotation(entity, property, ShardKey.class) != null) {
                keys.add(property);
            }
        }
        return keys;
    }

    private ShardKeyAttribute key(PersistentClass entity, Property property) {
        String entityName = entity.getEntityName();
        ShardKey annotation = annotation(entity, property, ShardKey.class);
        Class<?> references = annotation == null ? void.class : annotation.references();
        if (property.getValue() instanceof ToOne toOne) {
            if (!isSharded(target(toOne))) {
                throw wrongKey(
                        entityName,
                        property,
                        "refers to " + toOne.getReferencedEntityName()
                                + ", whose id has no @ShardedId and so names no shard");
            }
            return new ShardKeyAttribute(
                    entityName, property.getName(), ShardKeyAttribute.Kind.PARENT, toOne.getReferencedEntityName());
        }
        Class<?> type = property.getType().getReturnedClass();
        if (references != void.class) {
            PersistentClass parent = metadata.getEntityBinding(references.getName());
            if (!isSharded(parent) || !ShardedIdTypes.hold(layout, type)) {
                throw wrongKey(
                        entityName,
                        property,
                        "references " + references.getName() + ", but that is no entity with @ShardedId, or the type "
                                + type.getName() + " cannot hold its ids, which need " + ShardedIdTypes.text(layout));
            }
            return new ShardKeyAttribute(
                    entityName, property.getName(), ShardKeyAttribute.Kind.REFERENCE, references.getName());
        }
        if (NUMBERS.contains(type)) {
            return new ShardKeyAttribute(entityName, property.getName(), ShardKeyAttribute.Kind.NUMBER, null);
        }
        if (type == String.class || type == UUID.class) {
            return new ShardKeyAttribute(entityName, property.getName(), ShardKeyAttribute.Kind.TEXT, null);
        }
        throw wrongKey(entityName, property, "is of type " + type.getName());
    }

    private static ShardedIdMappingException wrongKey(String entity, Property property, String fault) {
        return new ShardedIdMappingException(
                "The @ShardKey " + entity + "." + property.getName() + " " + fault + ". A shard"
                        + " key is a to-one association to a sharded entity, the id of one (references = …), a whole number, a"
                        + " String or a UUID.");
    }

    /** The annotation on the property's field or getter, whichever of the two Hibernate reads. */
    private static <A extends Annotation> @Nullable A annotation(
            @Nullable PersistentClass entity, Property property, Class<A> type) {
        if (entity == null) {
            return null;
        }
        Class<?> declaring = entity.getMappedClass();
        Member member = property.getGetter(declaring).getMember();
        A found = member instanceof AnnotatedElement element ? element.getAnnotation(type) : null;
        return found != null ? found : fieldAnnotation(declaring, property.getName(), type);
    }

    private static <A extends Annotation> @Nullable A fieldAnnotation(Class<?> type, String name, Class<A> annotation) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (var field : at.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field.getAnnotation(annotation);
                }
            }
        }
        return null;
    }
}
