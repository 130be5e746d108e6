package io.github.shardedid.spring.id;

import com.fasterxml.jackson.databind.JavaType;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Documents ids as strings: properties and parameters with {@link IdOf}, the {@code @ShardedId} of an entity, and a
 * {@code @ShardKey} with {@code references}. Immutable and safe for use by several threads.
 */
public final class IdModelConverter implements ModelConverter {
    private static final Set<Class<?>> NUMBERS = Set.of(Long.class, long.class, Integer.class, int.class);

    private final IdText ids;

    /**
     * Creates the converter.
     *
     * @param ids the text form of ids
     */
    public IdModelConverter(IdText ids) {
        this.ids = ids;
    }

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        if (!chain.hasNext()) {
            return null;
        }
        if (!isId(type)) {
            return chain.next().resolve(type, context, chain);
        }
        JavaType java = Json.mapper().constructType(type.getType());
        if (java.isMapLikeType() && isNumber(java.getKeyType())) {
            return chain.next().resolve(withoutId(type), context, chain);
        }
        boolean asText = !type.isSchemaProperty() || ids.form() != IdForm.NUMBER;
        if (!isNumber(java) || !asText) {
            return chain.next().resolve(type, context, chain);
        }
        Schema<?> text = chain.next().resolve(type.type(String.class), context, chain);
        if (text != null && text.getPattern() == null) {
            text.setPattern(type.isSchemaProperty() ? ids.printedPattern() : ids.parsedPattern());
        }
        return text;
    }

    private static boolean isNumber(@Nullable JavaType type) {
        return type != null && NUMBERS.contains(type.getRawClass());
    }

    private static boolean isId(AnnotatedType type) {
        return annotations(type).anyMatch(IdModelConverter::marksId);
    }

    private static boolean marksId(Annotation annotation) {
        return annotation instanceof IdOf
                || annotation instanceof ShardedId
                || (annotation instanceof ShardKey key && key.references() != void.class);
    }

    private static Stream<Annotation> annotations(AnnotatedType type) {
        Annotation @Nullable [] annotations = type.getCtxAnnotations();
        return annotations == null ? Stream.empty() : Arrays.stream(annotations);
    }

    /** A map whose keys are ids, which are strings in any case. Its values are no ids. */
    private static AnnotatedType withoutId(AnnotatedType type) {
        return type.ctxAnnotations(
                annotations(type).filter(each -> !marksId(each)).toArray(Annotation[]::new));
    }
}
