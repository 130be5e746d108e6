package io.github.shardedid.boot.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.repository.Modifying;

/** Results of each type, of queries for rows that exist, do not exist, and cannot exist, with and without shards. */
@Tag("embedded-only")
class ResultTypesIntegrationTests {
    private static final List<Pageable> PAGES = List.of(PageRequest.of(0, 2), PageRequest.of(1, 1), Pageable.unpaged());

    /** A write by an id that no row can have is refused. */
    private static final List<Object> WRITTEN = List.of(List.of(), List.of(Numbers.preset(1)));

    private static Galleries galleries;

    @BeforeAll
    static void start() {
        galleries = new Galleries();
        try (Tables tables = new Tables(galleries)) {
            tables.reset();
        }
    }

    @AfterAll
    static void stop() {
        galleries.close();
    }

    static Stream<Method> methods() {
        return Arrays.stream(Answers.class.getMethods()).sorted(Comparator.comparing(Method::getName));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aResultIsThatOfOneSchema(Method method) {
        boolean writes = method.isAnnotationPresent(Modifying.class);
        for (Object value : writes ? WRITTEN : values(method.getParameterTypes()[0])) {
            for (List<Object> more : others(method)) {
                List<Object> arguments = new ArrayList<>(List.of(value));
                arguments.addAll(more);
                for (boolean within : List.of(false, true)) {
                    String plain = answer(galleries.plain, method, arguments, within);
                    String sharded = answer(galleries.sharded, method, arguments, within);
                    assertThat(sharded)
                            .as("%s%s, in a transaction: %s", method.getName(), arguments, within)
                            .isEqualTo(plain);
                }
            }
        }
    }

    @Test
    void someResultsAreNotEmpty() {
        assertThat(answer(galleries.sharded, method("isFree"), List.of(-1L), false))
                .isEqualTo("true");
        assertThat(answer(galleries.sharded, method("isFree"), List.of(Numbers.preset(1)), false))
                .isEqualTo("false");
        assertThat(answer(galleries.sharded, method("declaredAlbums"), List.of(List.of(Numbers.preset(1))), false))
                .contains("Album#1");
    }

    private static Method method(String name) {
        return methods().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
    }

    /** A member's and an album's id; one that no row has; ones that no row can have: of no shard, and negative. */
    private static List<Object> values(Class<?> type) {
        long foreign = Numbers.LAYOUT.encode(4_000_000_000L, Numbers.SHARDS + 1, 0);
        if (type == Long.class) {
            return List.of(Numbers.preset(1), Numbers.preset(997), foreign, -1L);
        }
        List<Long> rows = List.of(Numbers.preset(1), Numbers.preset(7));
        return List.of(rows, List.of(), List.of(foreign), List.of(-1L, foreign), List.of(-1L, Numbers.preset(2)));
    }

    private static List<List<Object>> others(Method method) {
        if (method.getParameterCount() < 2) {
            return List.of(List.of());
        }
        Class<?> type = method.getParameterTypes()[1];
        if (type == Pageable.class) {
            return PAGES.stream().map(List::<Object>of).toList();
        }
        return type == Class.class
                ? List.of(List.of(Titled.class), List.of(Album.class))
                : List.of(List.of(ScrollPosition.offset()), List.of(ScrollPosition.keyset()));
    }

    private static String answer(Side side, Method method, List<Object> arguments, boolean within) {
        return side.on(() -> {
            if (within) {
                side.begin("REQUIRED", method.getReturnType() != int.class);
            }
            try {
                return text(method.invoke(side.answers, arguments.toArray()));
            } catch (InvocationTargetException e) {
                return e.getTargetException().getClass().getName();
            } finally {
                side.rollbackAll();
            }
        });
    }

    /** What a caller can tell about a result. */
    private static String text(@Nullable Object result) {
        if (result instanceof Optional<?> value) {
            return "Optional " + text(value.orElse(null));
        } else if (result instanceof Page<?> page) {
            return "page of " + page.getTotalElements() + " in " + page.getTotalPages() + slice(page);
        } else if (result instanceof Slice<?> slice) {
            return "slice" + slice(slice);
        } else if (result instanceof Window<?> window) {
            return "window " + window.hasNext() + elements(window);
        } else if (result instanceof Stream<?> stream) {
            try (stream) {
                return "stream" + stream.map(ResultTypesIntegrationTests::text).toList();
            }
        } else if (result instanceof CompletableFuture<?> future) {
            return "future " + text(future.join());
        } else if (result instanceof Collection<?> collection) {
            return (isChangeable(collection) ? "changeable " : "")
                    + (collection instanceof List)
                    + elements(collection);
        } else if (result instanceof Iterable<?> iterable) {
            return iterable.getClass().getSimpleName().replaceAll("LazyStreamable|\\$.*", "") + elements(iterable);
        } else if (result instanceof Object[] array) {
            return "array "
                    + Arrays.stream(array)
                            .map(ResultTypesIntegrationTests::text)
                            .toList();
        } else if (result instanceof Answers.Stats stats) {
            return "stats " + stats.getN() + " " + stats.getRatings();
        } else if (result instanceof Map<?, ?> map) {
            return map.get("n") + " " + map.get("ratings");
        }
        return String.valueOf(result);
    }

    private static String slice(Slice<?> slice) {
        return " " + slice.getPageable() + slice.hasNext() + slice.hasPrevious() + elements(slice);
    }

    private static String elements(Iterable<?> elements) {
        return StreamSupport.stream(elements.spliterator(), false)
                .map(ResultTypesIntegrationTests::text)
                .toList()
                .toString();
    }

    private static boolean isChangeable(Collection<?> collection) {
        try {
            collection.add(null);
            collection.remove(null);
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }
}
