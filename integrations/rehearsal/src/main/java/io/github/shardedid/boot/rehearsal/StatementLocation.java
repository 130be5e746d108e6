package io.github.shardedid.boot.rehearsal;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The location in the application's code that executes a statement.
 *
 * @param code the class, method and line
 * @param byHibernate whether Hibernate has written the statement, for a query in HQL or criteria
 */
record StatementLocation(String code, boolean byHibernate) {
    private static final StackWalker STACK = StackWalker.getInstance();

    /** Migrations, Hibernate's own start, and what the rehearsal queries: not part of what is rehearsed. */
    private static final List<String> SETUPS = List.of(
            "org.hibernate.tool.",
            "org.hibernate.boot.",
            "org.hibernate.engine.jdbc.env.",
            "org.flywaydb.",
            "liquibase.",
            "org.springframework.jdbc.datasource.init.",
            "io.github.shardedid.routing.internal.");

    /** Hibernate reads or writes rows by their ids, in whatever shard they are. */
    private static final List<String> ROWS = List.of(
            "org.hibernate.loader.ast.",
            "org.hibernate.persister.",
            "org.hibernate.action.",
            "org.hibernate.engine.jdbc.mutation.",
            "org.hibernate.engine.jdbc.batch.",
            "org.hibernate.id.",
            "org.hibernate.generator.");

    private static final List<String> NATIVE = List.of("org.hibernate.query.sql.");
    private static final List<String> QUERIES = List.of("org.hibernate.query.");
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "jdk.",
            "com.zaxxer.hikari.",
            "org.hibernate.",
            "org.springframework.",
            "io.github.shardedid.boot.rehearsal.",
            "io.github.shardedid.hibernate.",
            "io.github.shardedid.spring.");

    /** Returns the location of the statement that the current thread executes; null if its shard is that of its row, or it is not rehearsed. */
    static @Nullable StatementLocation current() {
        List<StackWalker.StackFrame> frames = STACK.walk(Stream::toList);
        if (frames.stream().anyMatch(frame -> isIn(frame, SETUPS))) {
            return null;
        }
        // The innermost part of Hibernate decides.
        StackWalker.StackFrame hibernate = frames.stream()
                .filter(frame -> isIn(frame, ROWS) || isIn(frame, QUERIES))
                .findFirst()
                .orElse(null);
        if (hibernate != null && isIn(hibernate, ROWS)) {
            return null;
        }
        String code = frames.stream()
                .filter(frame -> !isIn(frame, LIBRARIES)
                        && !frame.getClassName().contains("$$")
                        && !frame.getClassName().contains("$Proxy"))
                .findFirst()
                .map(frame -> frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber())
                .orElse("a library");
        return new StatementLocation(code, hibernate != null && !isIn(hibernate, NATIVE));
    }

    private static boolean isIn(StackWalker.StackFrame frame, List<String> packages) {
        return packages.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
