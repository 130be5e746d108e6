package io.github.shardedid.boot.rehearsal;

import java.util.List;
import java.util.Optional;

/** The code that executes a statement. */
enum StatementOrigin {
    /** Hibernate reads or writes rows by their ids. */
    ROW,
    /** A query in HQL or criteria. */
    QUERY,
    /** SQL of the application: a native query, or JDBC. */
    SQL,
    /** Migrations, Hibernate's own start, and what the rehearsal asks: not part of what is rehearsed. */
    SETUP;

    private static final StackWalker STACK = StackWalker.getInstance();
    private static final String NATIVE = "org.hibernate.query.sql.";
    private static final String QUERIES = "org.hibernate.query.";
    private static final List<String> SETUPS = List.of(
            "org.hibernate.tool.",
            "org.hibernate.boot.",
            "org.hibernate.engine.jdbc.env.",
            "org.flywaydb.",
            "liquibase.",
            "org.springframework.jdbc.datasource.init.",
            StatementJudge.class.getName());
    private static final List<String> ROWS = List.of(
            "org.hibernate.loader.ast.",
            "org.hibernate.persister.",
            "org.hibernate.action.",
            "org.hibernate.engine.jdbc.mutation.",
            "org.hibernate.engine.jdbc.batch.",
            "org.hibernate.id.",
            "org.hibernate.generator.");

    /** The origin of the statement that the current thread executes: the innermost part of Hibernate decides. */
    static StatementOrigin current() {
        List<String> types = STACK.walk(
                frames -> frames.map(StackWalker.StackFrame::getClassName).toList());
        if (types.stream().anyMatch(type -> SETUPS.stream().anyMatch(type::startsWith))) {
            return SETUP;
        }
        return types.stream()
                .map(StatementOrigin::of)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(SQL);
    }

    private static Optional<StatementOrigin> of(String type) {
        if (ROWS.stream().anyMatch(type::startsWith)) {
            return Optional.of(ROW);
        }
        if (type.startsWith(NATIVE)) {
            return Optional.of(SQL);
        }
        return type.startsWith(QUERIES) ? Optional.of(QUERY) : Optional.empty();
    }
}
