package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.catalog.Catalogue;
import io.github.shardedid.routing.internal.sql.catalog.FunctionKind;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import io.github.shardedid.routing.internal.sql.lexer.SqlTokenizer;
import java.util.HashSet;
import java.util.Set;

/**
 * The operators and casts of a query over several shards. PostgreSQL's own compute their result from their operands; one that the
 * application has created may call a function that reads other rows. The catalogue is asked by their names, because which operator a
 * name means depends on types that only the server knows.
 */
final class OwnOperators {
    /** What key words such as IN, BETWEEN and LIKE mean. */
    private static final Set<String> OF_WORDS =
            Set.of("=", "<>", "<", ">", "<=", ">=", "~~", "!~~", "~~*", "!~~*", "~");

    /** Behind one of these a star means all columns, or all rows. */
    private static final Set<String> BEFORE_STAR = Set.of("(", ".", ",", "SELECT", "ALL", "DISTINCT");

    private OwnOperators() {}

    /** The names by which {@link Catalogue} has them. */
    static Set<String> names(SqlText text) {
        Set<String> names = new HashSet<>(Set.of(Catalogue.IMPLICIT_CASTS));
        OF_WORDS.forEach(operator -> names.add(Catalogue.OPERATOR + operator));
        for (int i = 0; i < text.size(); i++) {
            boolean symbol = text.kind(i) == SqlToken.Kind.SYMBOL;
            boolean allColumns = text.is(i, "*") && BEFORE_STAR.contains(text.at(i - 1));
            if (symbol && !allColumns && SqlTokenizer.isOperator(text.raw(i)) && !text.is(i, "?")) {
                names.add(Catalogue.OPERATOR + text.raw(i).replace("??", "?"));
            } else if (text.is(i, "::") || text.is(i, "CAST")) {
                names.add(Catalogue.CASTS);
            }
        }
        return names;
    }

    /** Refuses those that are not known to compute their result from their operands alone. */
    static void check(SqlText text, Catalogue catalogue) {
        for (String name : names(text)) {
            if (catalogue.of(name) != FunctionKind.PLAIN) {
                throw ScatterRefusal.of(
                        name.startsWith(Catalogue.OPERATOR)
                                ? "The " + name + ", which may call a function of your own that reads other rows,"
                                : "A query in which a cast may call a function of your own that reads other rows,",
                        text,
                        "Declare the function IMMUTABLE if it reads none; or, " + ScatterRefusal.PER_SHARD);
            }
        }
    }
}
