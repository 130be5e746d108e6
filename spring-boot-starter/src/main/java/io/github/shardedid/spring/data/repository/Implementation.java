package io.github.shardedid.spring.data.repository;

/** What implements a repository method. */
public enum Implementation {
    /** A class of Spring Data, such as its base class for repositories, or a default method of its interfaces. */
    SPRING_DATA,
    /** A default method or a fragment, of the application or of a library. */
    OWN_CODE,
    /** A base class of the application or of a library, instead of that of Spring Data. */
    OWN_BASE_CLASS,
    /** A query: of the method's name, its annotation, or a named one. Code that was generated ahead of time executes it, too. */
    QUERY
}
