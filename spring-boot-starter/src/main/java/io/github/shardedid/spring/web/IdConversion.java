package io.github.shardedid.spring.web;

import io.github.shardedid.id.MalformedIdException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;

/**
 * What is no id is not tried in another way. When a conversion has failed, Spring's data binder asks the number's property editor,
 * which takes {@code -1} for a {@code Long} like any other.
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
                    // Spring MVC makes a mismatch of types of it, status 400, and asks nobody else.
                    throw new IllegalArgumentException(cause.getMessage(), cause);
                }
            }
            throw e;
        }
    }
}
