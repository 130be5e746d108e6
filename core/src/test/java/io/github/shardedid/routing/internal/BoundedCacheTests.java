package io.github.shardedid.routing.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedCacheTests {
    private final List<String> made = new ArrayList<>();

    @Test
    void whatWasUsedLongestAgoGoesFirst() {
        BoundedCache<String, String> cache = new BoundedCache<>(2);

        get(cache, "a", "b", "a", "c", "a", "b");

        assertThat(made).containsExactly("a", "b", "c", "b");
    }

    @Test
    void heavyValuesTakeThePlaceOfSeveral() {
        BoundedCache<String, String> cache = new BoundedCache<>(6L, String::length);

        get(cache, "aa", "bb", "cc", "dddd", "cc", "aa", "cc");

        assertThat(made).containsExactly("aa", "bb", "cc", "dddd", "aa");
    }

    @Test
    void aValueThatIsTooHeavyIsNotKept() {
        BoundedCache<String, String> cache = new BoundedCache<>(6L, String::length);

        get(cache, "a", "bbbbbbb", "a", "bbbbbbb", "a");

        assertThat(made).containsExactly("a", "bbbbbbb", "a", "bbbbbbb", "a");
    }

    private void get(BoundedCache<String, String> cache, String... keys) {
        for (String key : keys) {
            assertThat(cache.get(key, this::make)).isEqualTo(key);
        }
    }

    private String make(String key) {
        made.add(key);
        return key;
    }
}
