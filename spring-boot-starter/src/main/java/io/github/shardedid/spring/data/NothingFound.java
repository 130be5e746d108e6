package io.github.shardedid.spring.data;

import jakarta.persistence.EntityNotFoundException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.orm.jpa.JpaObjectRetrievalFailureException;

/**
 * Results of methods that find nothing, for ids that no row of the cluster can have. Only for methods whose names tell what they return,
 * so not for those with a declared query.
 */
final class NothingFound {
    private static final Set<String> REFERENCES = Set.of("getReferenceById", "getById", "getOne");
    private static final Set<Class<?>> BOOLEANS = Set.of(boolean.class, Boolean.class);
    private static final Set<Class<?>> NUMBERS = Set.of(long.class, Long.class, int.class, Integer.class);
    private static final Set<Class<?>> LISTS = Set.of(List.class, Collection.class, Iterable.class);

    private NothingFound() {}

    /** Returns whether the empty result is known. That of other types is what Spring Data converts the result of the query to. */
    static boolean isKnown(Method method, Class<?> entity) {
        Class<?> type = method.getReturnType();
        String name = method.getName();
        if (REFERENCES.contains(name)) {
            return true;
        } else if (name.startsWith("exists")) {
            return BOOLEANS.contains(type);
        } else if (name.startsWith("count")) {
            return NUMBERS.contains(type);
        }
        boolean finds = Stream.of("find", "read", "get", "query", "search").anyMatch(name::startsWith);
        return finds && (LISTS.contains(type) || type == Optional.class || type == Page.class || type == entity);
    }

    /** The empty result of a method for which it is known. Throws the reason for a reference, which Spring Data does not return. */
    static @Nullable Object by(Method method, @Nullable Object[] arguments, RuntimeException why) {
        Class<?> type = method.getReturnType();
        if (REFERENCES.contains(method.getName())) {
            throw new JpaObjectRetrievalFailureException(
                    new EntityNotFoundException("There is no row to refer to. " + why.getMessage()));
        } else if (BOOLEANS.contains(type)) {
            return false;
        } else if (NUMBERS.contains(type)) {
            return type == int.class || type == Integer.class ? (Object) 0 : (Object) 0L;
        } else if (LISTS.contains(type)) {
            return new ArrayList<>(); // as changeable as that of Hibernate
        } else if (type == Page.class) {
            return Page.empty(pageable(arguments));
        }
        return type == Optional.class ? Optional.empty() : null;
    }

    private static Pageable pageable(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Pageable pageable) {
                return pageable;
            }
        }
        return Pageable.unpaged();
    }
}
