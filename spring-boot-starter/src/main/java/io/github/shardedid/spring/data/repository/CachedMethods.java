package io.github.shardedid.spring.data.repository;

import io.github.shardedid.routing.ShardContext;
import java.lang.reflect.Method;
import java.util.Collection;
import org.springframework.cache.annotation.SpringCacheAnnotationParser;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheOperation;

/** Methods of repositories whose results Spring's cache abstraction stores. Safe for use by several threads. */
public final class CachedMethods {
    /** Why such a method is refused if the open scope determines its shards, for a message after the name of the method. */
    public static final String WHY =
            " is cached, but the open scope determines the shards of its result, and is not in the key: a call in"
                    + " another scope would return rows of another shard. Add the scope to the key, as in key = \"{#p0, T("
                    + ShardContext.class.getName() + ").target()}\", or name a keyGenerator that does so.";

    private static final SpringCacheAnnotationParser ANNOTATIONS = new SpringCacheAnnotationParser();

    private CachedMethods() {}

    /** Whether the results of a method, or of all methods of its repository, are stored by a key that does not name the scope. */
    public static boolean omitScope(Method method, Class<?> repository) {
        Collection<CacheOperation> operations = ANNOTATIONS.parseCacheAnnotations(method);
        Collection<CacheOperation> all =
                operations == null ? ANNOTATIONS.parseCacheAnnotations(repository) : operations;
        return all != null
                && all.stream()
                        .filter(operation -> !(operation instanceof CacheEvictOperation))
                        .anyMatch(operation -> operation.getKeyGenerator().isEmpty()
                                && !operation.getKey().contains(ShardContext.class.getSimpleName()));
    }
}
