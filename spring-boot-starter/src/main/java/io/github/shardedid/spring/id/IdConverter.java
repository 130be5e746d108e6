package io.github.shardedid.spring.id;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Converts texts to ids and back for numbers with {@link IdOf}: path variables, request parameters, headers, form fields. An empty
 * text is null. Immutable and safe for use by several threads.
 */
public final class IdConverter implements ConditionalGenericConverter {
    private final IdText ids;

    /**
     * Creates the converter.
     *
     * @param ids reads and writes the ids
     */
    public IdConverter(IdText ids) {
        this.ids = ids;
    }

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Set.of(
                new ConvertiblePair(String.class, Long.class),
                new ConvertiblePair(String.class, Integer.class),
                new ConvertiblePair(Long.class, String.class),
                new ConvertiblePair(Integer.class, String.class));
    }

    @Override
    public boolean matches(TypeDescriptor source, TypeDescriptor target) {
        return numberOf(source, target).hasAnnotation(IdOf.class);
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, TypeDescriptor source, TypeDescriptor target) {
        if (value instanceof Number id) {
            return ids.print(id.longValue());
        }
        if (!(value instanceof String text) || text.isEmpty()) {
            return null;
        }
        IdOf of = numberOf(source, target).getAnnotation(IdOf.class);
        long id = ids.parse(text, of == null ? void.class : of.value());
        return target.getObjectType() == Integer.class ? (Object) Math.toIntExact(id) : (Object) id;
    }

    private static TypeDescriptor numberOf(TypeDescriptor source, TypeDescriptor target) {
        return source.getType() == String.class ? target : source;
    }
}
