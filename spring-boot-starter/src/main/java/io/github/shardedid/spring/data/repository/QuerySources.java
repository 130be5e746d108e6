package io.github.shardedid.spring.data.repository;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;
import org.springframework.data.repository.query.QueryLookupStrategy;

/**
 * Where a factory of repositories looks for the query of a method, besides its annotation, the named queries of the entities and its name.
 * Safe for use by several threads.
 */
public final class QuerySources {
    private final @Nullable NamedQueries named;
    private final @Nullable Object strategy;

    private QuerySources(@Nullable NamedQueries named, @Nullable Object strategy) {
        this.named = named;
        this.strategy = strategy;
    }

    /**
     * Reads the sources of a factory.
     *
     * @param factory a factory that is configured completely
     * @return the sources
     * @throws ShardedIdMappingException if the version of Spring Data has others
     */
    public static QuerySources of(RepositoryFactorySupport factory) {
        try {
            DirectFieldAccessor fields = new DirectFieldAccessor(factory);
            return new QuerySources(
                    (NamedQueries) fields.getPropertyValue("namedQueries"),
                    fields.getPropertyValue("queryLookupStrategyKey"));
        } catch (BeansException | ClassCastException e) {
            throw new ShardedIdMappingException(
                    "The routes of repository methods cannot be read from their queries: this version of Spring Data stores its"
                            + " named queries or its query lookup strategy in another way (" + e.getMessage()
                            + "). Use the version of Spring Data of the supported Spring Boot.");
        }
    }

    /**
     * Whether each query is derived from the name of its method, whatever is declared.
     *
     * @return true for the query lookup strategy {@code CREATE}
     */
    public boolean ignoreDeclaredQueries() {
        return strategy == QueryLookupStrategy.Key.CREATE;
    }

    /**
     * Finds a query in a file of named queries, which takes precedence over the named queries of the entities.
     *
     * @param name the name
     * @return the text; empty if there is none
     */
    public Optional<String> named(String name) {
        return named != null && named.hasQuery(name) ? Optional.of(named.getQuery(name)) : Optional.empty();
    }
}
