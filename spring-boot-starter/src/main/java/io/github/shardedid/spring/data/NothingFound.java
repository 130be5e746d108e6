package io.github.shardedid.spring.data;

import jakarta.persistence.EntityNotFoundException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Window;
import org.springframework.data.util.Streamable;
import org.springframework.orm.jpa.JpaObjectRetrievalFailureException;

/** Results of methods that find nothing, for ids that no row of the cluster can have. */
final class NothingFound {
    private static final Set<String> REFERENCES = Set.of("getReferenceById", "getById", "getOne");

    private static final List<Object> EMPTY = List.of(
            Optional.empty(),
            List.of(),
            Set.of(),
            Page.empty(),
            new SliceImpl<>(List.of()),
            Window.from(List.of(), ScrollPosition::offset),
            Streamable.empty());

    private NothingFound() {}

    /** The empty result. Throws the reason if a result of that type would be a guess. */
    static @Nullable Object by(Method method, @Nullable Object[] arguments, RuntimeException why) {
        if (REFERENCES.contains(method.getName())) {
            throw new JpaObjectRetrievalFailureException(
                    new EntityNotFoundException("There is no row to refer to. " + why.getMessage()));
        }
        Class<?> type = method.getReturnType();
        if (type == boolean.class || type == Boolean.class) {
            return false;
        }
        if (Stream.class == type) {
            return Stream.empty();
        }
        if (type == Page.class) {
            return Page.empty(pageable(arguments));
        }
        return isNumber(type) ? zero(method, why) : empty(type, why);
    }

    private static Pageable pageable(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Pageable pageable) {
                return pageable;
            }
        }
        return Pageable.unpaged();
    }

    private static boolean isNumber(Class<?> type) {
        return type.isPrimitive() || Number.class.isAssignableFrom(type);
    }

    /** Only a count is known to be 0. The meaning of other numbers is unknown. */
    private static Object zero(Method method, RuntimeException why) {
        Class<?> type = method.getReturnType();
        boolean counts = method.getName().startsWith("count");
        if (counts && (type == long.class || type == Long.class)) {
            return 0L;
        }
        if (counts && (type == int.class || type == Integer.class)) {
            return 0;
        }
        throw why;
    }

    private static @Nullable Object empty(Class<?> type, RuntimeException why) {
        for (Object value : EMPTY) {
            if (type != Object.class && type.isInstance(value)) {
                return value;
            }
        }
        if (Collection.class.isAssignableFrom(type)
                || type.isArray()
                || type.getName().startsWith("java.util.concurrent")) {
            throw why;
        }
        return null;
    }
}
