package io.github.shardedid.boot.differential;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.Hibernate;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Window;

/** Results as text that is the same on both sides if they are. */
final class Text {
    private Text() {}

    static String of(@Nullable Object result) {
        if (result instanceof Optional<?> optional) {
            return "Optional " + optional.map(Text::of).orElse("of nothing");
        } else if (result instanceof Set<?> set) {
            return set.stream().map(Text::of).sorted().collect(Collectors.joining(", ", "{", "}"));
        } else if (result instanceof Collection<?> list) {
            return list.stream().map(Text::of).collect(Collectors.joining(", ", "[", "]"));
        } else if (result instanceof Object[] row) {
            return of(Arrays.asList(row));
        } else if (result instanceof Window<?> window) {
            return of(window.getContent()) + (window.hasNext() ? " and more" : "");
        } else if (result instanceof Slice<?> slice) {
            return slice + of(slice.getContent());
        } else if (result instanceof Row row) {
            return String.valueOf(Hibernate.unproxy(row));
        }
        return String.valueOf(result);
    }

    /** Of an entity or a proxy, which is not loaded for it. */
    static @Nullable Long idOf(@Nullable Row row) {
        if (row == null) {
            return null;
        }
        var lazy = HibernateProxy.extractLazyInitializer(row);
        return lazy == null ? row.getId() : (Long) lazy.getIdentifier();
    }
}
