package io.github.shardedid.routing.internal.sql.grammar;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a query, as far as it matters to merging. Immutable.
 *
 * <p>What it means is read only where merging or routing depends on it; all else is {@link Kind#OTHER}, with
 * its parts. The tokens are kept, as expressions are written again into other statements, in the words of the
 * application.
 *
 * @param kind what it is
 * @param span its tokens, without parentheses around it
 * @param names of a column or a function: its name, the qualifiers first; of a collated one, its collation; of
 *     a cast one, the type as written
 * @param parts what it is made of; of a call, the arguments
 * @param select the subselect of {@link Kind#SELECT}, {@link Kind#EXISTS} and {@link Kind#IN_SELECT}
 */
public record Expression(Kind kind, SqlSpan span, List<String> names, List<Expression> parts, @Nullable Select select) {
    /** The kinds of expressions. A kind that is not listed decides nothing. */
    public enum Kind {
        AND,
        OR,
        /** Two expressions with = between them and nothing else. */
        EQUALS,
        /** One expression, {@code IN}, and a subselect. */
        IN_SELECT,
        /** One expression, {@code IN}, and one or more values in parentheses. */
        IN_LIST,
        /** One expression, {@code = ANY}, and what is in parentheses. */
        EQUALS_ANY,
        EXISTS,
        SELECT,
        COLUMN,
        CALL,
        /** Two expressions with {@code IS NOT DISTINCT FROM} between them and nothing else. */
        NOT_DISTINCT,
        /** An expression that is cast to a type, its name. */
        CAST,
        /** An expression with COLLATE behind it. */
        COLLATED,
        LITERAL,
        OTHER
    }

    /** Creates an expression without names and subselect. */
    static Expression of(Kind kind, SqlSpan span, List<Expression> parts) {
        return new Expression(kind, span, List.of(), List.copyOf(parts), null);
    }

    /** Returns the last of its names. */
    public String name() {
        return names.get(names.size() - 1);
    }

    public boolean is(Kind expected) {
        return kind == expected;
    }

    /** Returns the parts of a conjunction, or itself. */
    public Stream<Expression> conjuncts() {
        return kind == Kind.AND ? parts.stream().flatMap(Expression::conjuncts) : Stream.of(this);
    }

    /** Returns itself and what it is made of, but for what is in subselects. */
    public Stream<Expression> walk() {
        return Stream.concat(Stream.of(this), parts.stream().flatMap(Expression::walk));
    }

    /** Returns whether something is true of itself or of what it is made of, but for what is in subselects. */
    public boolean has(Predicate<Expression> test) {
        return walk().anyMatch(test);
    }
}
