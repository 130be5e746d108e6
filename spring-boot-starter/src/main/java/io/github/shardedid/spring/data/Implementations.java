package io.github.shardedid.spring.data;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.annotation.QueryAnnotation;
import org.springframework.data.domain.Example;
import org.springframework.data.jpa.domain.PredicateSpecification;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.aot.AotRepositoryFragmentSupport;
import org.springframework.data.jpa.repository.support.SimpleJpaRepository;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.support.RepositoryComposition;
import org.springframework.data.repository.core.support.RepositoryFragment;
import org.springframework.util.ClassUtils;

/**
 * Finds what implements the methods of one repository, in the order in which Spring Data looks for it. Fragments that were generated ahead
 * of time do not count: they execute queries. Safe for use by several threads.
 */
final class Implementations {
    private final RepositoryComposition fragments;
    private final RepositoryComposition base;
    private final RepositoryComposition springDatasBase;
    private final Map<Method, Implementation> found = new ConcurrentHashMap<>();

    /**
     * Creates the finder.
     *
     * @param repository the repository
     */
    Implementations(RepositoryInformation repository) {
        RepositoryComposition none = RepositoryComposition.fromMetadata(repository);
        fragments = none.append(RepositoryComposition.RepositoryFragments.from(repository.getFragments().stream()
                .filter(fragment -> !isGenerated(fragment))
                .toList()));
        base = none.append(RepositoryFragment.structural(repository.getRepositoryBaseClass()));
        springDatasBase = none.append(RepositoryFragment.structural(SimpleJpaRepository.class));
    }

    private static boolean isGenerated(RepositoryFragment<?> fragment) {
        return fragment.getImplementationClass()
                .filter(AotRepositoryFragmentSupport.class::isAssignableFrom)
                .isPresent();
    }

    /**
     * Finds what a call of a method executes.
     *
     * @param method a method of the repository's interface
     * @return what implements it
     */
    Implementation of(Method method) {
        return found.computeIfAbsent(method, this::find);
    }

    private Implementation find(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return Implementation.OWN_CODE;
        }
        if (method.isDefault() && !method.isBridge()) {
            return isOfSpringData(method) ? Implementation.SPRING_DATA : Implementation.OWN_CODE;
        }
        Optional<Method> fragment = fragments.findMethod(method);
        if (fragment.isPresent()) {
            return isOfSpringData(implemented(fragment.get())) ? Implementation.SPRING_DATA : Implementation.OWN_CODE;
        }
        if (AnnotatedElementUtils.hasAnnotation(method, QueryAnnotation.class)) {
            return Implementation.QUERY;
        }
        return base.findMethod(method)
                .map(found -> isOfSpringData(found) ? Implementation.SPRING_DATA : Implementation.OWN_BASE_CLASS)
                .orElse(Implementation.QUERY);
    }

    /** A fragment may implement an interface of Spring Data. */
    private Method implemented(Method declared) {
        RepositoryFragment<?> fragment = fragments.findFragment(declared);
        return fragment == null
                ? declared
                : fragment.getImplementationClass()
                        .map(type -> ClassUtils.getMostSpecificMethod(declared, type))
                        .orElse(declared);
    }

    /**
     * Returns whether the base class of Spring Data has a method, whatever overrides it.
     *
     * @param method a method of the repository's interface
     * @return whether there is one of its name and parameters
     */
    boolean isInSpringDatasBaseClass(Method method) {
        return springDatasBase.findMethod(method).isPresent();
    }

    private static boolean isOfSpringData(Method method) {
        return method.getDeclaringClass().getName().startsWith("org.springframework.data.");
    }

    /** The code that implements a repository method. */
    enum Implementation {
        /** A class of Spring Data, such as its base class for repositories, or a default method of its interfaces. */
        SPRING_DATA,
        /** A default method or a fragment, of the application or of a library. */
        OWN_CODE,
        /** A base class of the application or of a library, instead of that of Spring Data. */
        OWN_BASE_CLASS,
        /** A query: of the method's name, its annotation, or a named one. Code that was generated ahead of time executes it, too. */
        QUERY
    }

    private static final String QUERYDSL = "com.querydsl.core.types.Predicate";

    /** Returns whether an argument of a type is one. */
    static boolean accepts(Class<?> type) {
        return type == Specification.class
                || type == PredicateSpecification.class
                || type == Example.class
                || type.getName().equals(QUERYDSL);
    }
}
