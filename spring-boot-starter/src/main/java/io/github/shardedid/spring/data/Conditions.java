package io.github.shardedid.spring.data;

import org.springframework.data.domain.Example;
import org.springframework.data.jpa.domain.PredicateSpecification;
import org.springframework.data.jpa.domain.Specification;

/** Arguments that are the condition of a query itself. Spring Data makes a statement of them, which is routed when it is executed. */
final class Conditions {
    private static final String QUERYDSL = "com.querydsl.core.types.Predicate";

    private Conditions() {}

    /** Whether an argument of a type is one. */
    static boolean accepts(Class<?> type) {
        return type == Specification.class
                || type == PredicateSpecification.class
                || type == Example.class
                || type.getName().equals(QUERYDSL);
    }
}
