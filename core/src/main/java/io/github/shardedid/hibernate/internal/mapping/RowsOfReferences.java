package io.github.shardedid.hibernate.internal.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.Hibernate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the global database that the collections in the result of a query refer to. They are read together after the query, so
 * that they can be used after the session, as if Hibernate had joined them. Those of a stream are read when they are first used.
 */
public final class RowsOfReferences {
    private static final ThreadLocal<@Nullable List<Object>> OF_QUERY = new ThreadLocal<>();

    private RowsOfReferences() {}

    /** Executes a query, and reads the rows. */
    public static <T> T read(Supplier<T> query) {
        List<Object> outer = OF_QUERY.get();
        List<Object> references = new ArrayList<>();
        T result;
        OF_QUERY.set(references);
        try {
            result = query.get();
        } finally {
            if (outer == null) {
                OF_QUERY.remove();
            } else {
                OF_QUERY.set(outer);
            }
        }
        // The first one is read together with the others, which the session knows.
        references.forEach(Hibernate::initialize);
        return result;
    }

    static void readAfterQuery(Object reference) {
        List<Object> references = OF_QUERY.get();
        if (references != null) {
            references.add(reference);
        }
    }
}
