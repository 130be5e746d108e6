package io.github.shardedid.hibernate.internal.mapping;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/**
 * An attribute of an entity, or of an embeddable in it, in Hibernate's boot model.
 *
 * <p>Hibernate's boot model does not keep annotations, so they are read from the member that Hibernate accesses.
 *
 * @param owner the class of the attribute, or a subclass
 * @param path the attribute's name; {@code address.tenant} within an embeddable
 */
public record MappedAttribute(Class<?> owner, String path, Property property) {
    /** All attributes of an entity, except the id and those within collections. */
    public static List<MappedAttribute> of(PersistentClass entity) {
        List<MappedAttribute> found = new ArrayList<>();
        if (entity.getClassName() != null) {
            entity.getPropertyClosure().forEach(property -> collect(entity.getMappedClass(), "", property, found));
        }
        return found;
    }

    /** The parts of a composite id, in its order; none of another id. */
    static List<MappedAttribute> ofId(PersistentClass entity) {
        if (!(entity.getIdentifier() instanceof Component id) || entity.getClassName() == null) {
            return List.of();
        }
        Property whole = entity.getIdentifierProperty();
        if (whole != null) {
            return id.getProperties().stream()
                    .map(part -> new MappedAttribute(ownerOf(id, part), whole.getName() + "." + part.getName(), part))
                    .toList();
        }
        return id.getProperties().stream()
                .map(part -> new MappedAttribute(entity.getMappedClass(), part.getName(), ofIdClass(entity, part)))
                .toList();
    }

    /** The attribute of the entity for a part of its {@code @IdClass}: an association, where the part may be only its id. */
    private static Property ofIdClass(PersistentClass entity, Property part) {
        Component mapper = entity.getIdentifierMapper();
        Property ofEntity = mapper == null ? part : mapper.getProperty(part.getName());
        return ofEntity.getValue() instanceof ToOne ? ofEntity : part;
    }

    private static void collect(Class<?> owner, String prefix, Property property, List<MappedAttribute> found) {
        String path = prefix + property.getName();
        found.add(new MappedAttribute(owner, path, property));
        if (property.getValue() instanceof Component component && !component.isEmbedded() && !component.isDynamic()) {
            component.getProperties().forEach(part -> collect(ownerOf(component, part), path + ".", part, found));
        }
    }

    /** The embeddable's class, or its subclass that declares the attribute. */
    static Class<?> ownerOf(Component component, Property part) {
        String declaring = component.isPolymorphic() ? component.getPropertyDeclaringClass(part) : null;
        return declaring == null
                ? component.getComponentClass()
                : component
                        .getServiceRegistry()
                        .requireService(ClassLoaderService.class)
                        .classForName(declaring);
    }

    /**
     * Returns the annotation on the attribute's field or getter; null if there is none. The field is looked for,
     * too, which may be annotated although Hibernate accesses the getter. A superclass of the owner may declare
     * it.
     */
    public <A extends Annotation> @Nullable A annotation(Class<A> type) {
        Member member = property.getGetter(owner).getMember();
        A found = member instanceof AnnotatedElement element ? element.getAnnotation(type) : null;
        return found != null ? found : fieldAnnotation(type);
    }

    private <A extends Annotation> @Nullable A fieldAnnotation(Class<A> annotation) {
        for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
            for (var field : at.getDeclaredFields()) {
                if (field.getName().equals(property.getName())) {
                    return field.getAnnotation(annotation);
                }
            }
        }
        return null;
    }
}
