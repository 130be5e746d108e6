package io.github.shardedid.example.photo;

import io.github.shardedid.spring.id.IdOf;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;

/**
 * A page of a list with keyset pagination: rows that are added meanwhile cause neither duplicates nor gaps.
 *
 * @param items the items of the page
 * @param next the path of the next page, or null on the last one
 */
record Page<T>(List<T> items, @Nullable String next) {
    /** The parameters of a request for a page. */
    record Request(@IdOf @Nullable Long before, @Min(1) @Max(100) @Nullable Integer limit) {
        long beforeId() {
            return before == null ? Long.MAX_VALUE : before;
        }

        int size() {
            return limit == null ? 20 : limit;
        }

        /** One more than the page size, to find out whether there is a next page. */
        Limit oneMore() {
            return Limit.of(size() + 1);
        }
    }

    static <R, T> Page<T> of(
            String path, Request request, List<R> rows, ToLongFunction<R> id, Function<List<R>, List<T>> views) {
        if (rows.size() <= request.size()) {
            return new Page<>(views.apply(rows), null);
        }
        List<R> shown = rows.subList(0, request.size());
        long last = id.applyAsLong(shown.get(shown.size() - 1));
        return new Page<>(views.apply(shown), path + "?before=" + last + "&limit=" + request.size());
    }
}
