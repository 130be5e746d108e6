package io.github.shardedid.routing.internal.sql.names;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import io.github.shardedid.routing.internal.sql.lexer.SqlTokenizer;
import java.util.Set;

/** The names of the operators in {@code pg_catalog} of PostgreSQL 15 to 18; a test compares them with the server's. */
public final class BuiltInOperators {
    static final Set<String> NAMES = SqlKeywords.words(
            """
            !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <= <> <@ <^ =
            > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~* !=
            """);

    private BuiltInOperators() {}

    /** Whether a token is an operator that the application or an extension must have created. */
    public static boolean isForeign(SqlText text, int i) {
        return text.kind(i) == SqlToken.Kind.SYMBOL
                && SqlTokenizer.isOperator(text.raw(i))
                && !NAMES.contains(text.raw(i).replace("??", "?"));
    }
}
