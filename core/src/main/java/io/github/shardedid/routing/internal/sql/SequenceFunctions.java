package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Set;

/** The functions whose first argument is a sequence. */
final class SequenceFunctions {
    private static final Set<String> WRITING =
            Set.of("NEXTVAL", "SETVAL", "NEXT_ID", "NEXT_IDS", "NEXT_IDS_AFTER", "NEXT_ID_BLOCK");
    private static final Set<String> READING = Set.of("CURRVAL", "PG_SEQUENCE_LAST_VALUE");

    private SequenceFunctions() {}

    /** Whether a token is the name of one that advances the sequence. */
    static boolean writes(SqlText text, int i) {
        return text.isName(i) && WRITING.contains(SqlNames.upper(SqlNames.folded(text, i)));
    }

    /** Whether a token is the name of one of them. */
    static boolean isNamed(SqlText text, int i) {
        return writes(text, i) || READING.contains(text.at(i));
    }
}
