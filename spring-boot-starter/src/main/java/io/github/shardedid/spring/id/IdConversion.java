package io.github.shardedid.spring.id;

import io.github.shardedid.id.MalformedIdException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;

/**
 * Refuses malformed ids. When a conversion fails, Spring's data binder would try the property editor for numbers, which accepts
 * {@code -1} as a {@code Long}.
 */
final class IdConversion implements ConversionService {
    private final ConversionService conversion;

    IdConversion(ConversionService conversion) {
        this.conversion = conversion;
    }

    @Override
    public boolean canConvert(@Nullable Class<?> source, Class<?> target) {
        return conversion.canConvert(source, target);
    }

    @Override
    public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
        return conversion.canConvert(source, target);
    }

    @Override
    public <T> @Nullable T convert(@Nullable Object value, Class<T> target) {
        return conversion.convert(value, target);
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, @Nullable TypeDescriptor source, TypeDescriptor target) {
        try {
            return conversion.convert(value, source, target);
        } catch (ConversionFailedException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof MalformedIdException) {
                    // Spring MVC converts this to a type mismatch, status 400, without the property editor.
                    throw new IllegalArgumentException(cause.getMessage(), cause);
                }
            }
            throw e;
        }
    }
}
