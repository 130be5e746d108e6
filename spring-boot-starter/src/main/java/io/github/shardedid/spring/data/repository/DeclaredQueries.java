package io.github.shardedid.spring.data.repository;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.annotation.QueryAnnotation;
import org.springframework.data.domain.Page;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.query.Procedure;
import org.springframework.data.repository.core.RepositoryMetadata;

/**
 * The declared queries of a repository's methods, as Spring Data finds them. Safe for use by several threads.
 *
 * @param repository the repository
 * @param sources where Spring Data looks for queries first
 * @param ofEntities returns the named query of a name, of an entity or of {@code orm.xml}
 */
public record DeclaredQueries(
        RepositoryMetadata repository, QuerySources sources, Function<String, Optional<DeclaredQuery>> ofEntities) {
    /**
     * Whether an annotation of a method declares its query.
     *
     * @param method the method
     * @return false if Spring Data ignores the annotation
     */
    public boolean isAnnotated(Method method) {
        return !sources.ignoreDeclaredQueries()
                && (AnnotatedElementUtils.hasAnnotation(method, QueryAnnotation.class)
                        || AnnotatedElementUtils.hasAnnotation(method, Procedure.class));
    }

    /**
     * Whether a method calls a procedure.
     *
     * @param method the method
     * @return false if Spring Data ignores the annotation
     */
    public boolean isProcedure(Method method) {
        return isAnnotated(method) && AnnotatedElementUtils.hasAnnotation(method, Procedure.class);
    }

    /**
     * The query of a method: the text in the annotation, the query that it names, or the query with the usual name, in this order.
     *
     * @param method the method
     * @return the query; empty if it is derived from the method's name, or is not found
     */
    public Optional<DeclaredQuery> of(Method method) {
        if (sources.ignoreDeclaredQueries()) {
            return Optional.empty();
        }
        Query query = annotation(method);
        Optional<DeclaredQuery> found =
                DeclaredQuery.in(method, repository.getDomainType()).or(() -> named(name(method, query), query));
        return query == null ? found : found.map(text -> text.rewrittenBy(query.queryRewriter()));
    }

    /**
     * The query that counts the rows of a page.
     *
     * @param method the method
     * @return the query; empty if none is declared
     */
    public Optional<DeclaredQuery> counting(Method method) {
        if (!Page.class.isAssignableFrom(method.getReturnType())) {
            return Optional.empty();
        }
        Query query = annotation(method);
        if (query != null && !query.countQuery().isBlank()) {
            return Optional.of(DeclaredQuery.of(query.countQuery(), query.nativeQuery(), repository.getDomainType()));
        }
        return named(
                query != null && !query.countName().isBlank() ? query.countName() : name(method, query) + ".count",
                query);
    }

    private static @Nullable Query annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
    }

    private String name(Method method, @Nullable Query query) {
        if (query != null && !query.name().isBlank()) {
            return query.name();
        }
        Class<?> returned = repository.getReturnedDomainClass(method);
        Class<?> entity = repository.getDomainType();
        return (entity.isAssignableFrom(returned) ? returned : entity).getSimpleName() + "." + method.getName();
    }

    private Optional<DeclaredQuery> named(String name, @Nullable Query query) {
        boolean isNative = query != null && query.nativeQuery();
        return sources.named(name)
                .map(text -> DeclaredQuery.of(text, isNative, repository.getDomainType()))
                .or(() -> ofEntities.apply(name));
    }
}
