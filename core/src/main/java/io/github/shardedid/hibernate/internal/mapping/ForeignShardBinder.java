package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ForeignShard;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.binder.AttributeBinder;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.MetaAttribute;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.jspecify.annotations.Nullable;

/**
 * Removes the foreign key of an attribute with {@link ForeignShard} from the model, and marks the attribute.
 * Hibernate creates it.
 *
 * <p>A foreign key to a row of another database cannot be created. The mark is needed because the boot model keeps
 * no annotations.
 */
public final class ForeignShardBinder implements AttributeBinder<ForeignShard> {
    private static final String MARK = ForeignShard.class.getName();

    @Override
    public void bind(
            ForeignShard annotation, MetadataBuildingContext context, PersistentClass entity, Property property) {
        Map<String, MetaAttribute> marks = new HashMap<>();
        if (property.getMetaAttributes() != null) {
            marks.putAll(property.getMetaAttributes());
        }
        marks.put(MARK, new MetaAttribute(MARK));
        property.setMetaAttributes(marks);
        if (property.getValue() instanceof SimpleValue reference) {
            reference.disableForeignKey();
            reference.getTable().getForeignKeyCollection().stream()
                    .filter(key -> key.getColumns().equals(reference.getColumns()))
                    .forEach(key -> key.disableCreation());
        }
    }

    /** Returns whether an attribute of the boot model has the annotation. */
    public static boolean isForeign(Property property) {
        return property.getMetaAttribute(MARK) != null;
    }

    /** Returns whether an attribute of the runtime model has the annotation. */
    public static boolean isForeign(AttributeMapping attribute) {
        return isForeign(attribute.getPropertyAccess().getGetter().getMember());
    }

    /** Returns whether the field or getter of a mapped attribute has the annotation. */
    public static boolean isForeign(@Nullable Member member) {
        return member instanceof AnnotatedElement element && element.isAnnotationPresent(ForeignShard.class);
    }
}
