package io.github.shardedid.routing.internal.sql.names;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Set;

/** PostgreSQL's functions and ours that write: those whose first argument is a sequence, those of large objects, and notifications. */
public final class WritingFunctions {
    private static final Set<String> ADVANCING =
            Set.of("NEXTVAL", "SETVAL", "NEXT_ID", "NEXT_IDS", "NEXT_IDS_AFTER", "NEXT_ID_BLOCK");
    private static final Set<String> READING_SEQUENCES = Set.of("CURRVAL", "PG_SEQUENCE_LAST_VALUE");
    private static final Set<String> OTHERS = SqlKeywords.words(
            """
            PG_NOTIFY PG_LOGICAL_EMIT_MESSAGE LO_CREAT LO_CREATE LO_FROM_BYTEA LO_IMPORT LO_PUT LO_TRUNCATE
            LO_TRUNCATE64 LO_UNLINK LOWRITE
            """);

    private WritingFunctions() {}

    /** Whether a token is the name of one of them; names in quotes, too. */
    public static boolean isNamed(SqlText text, int i) {
        String name = nameOf(text, i);
        return ADVANCING.contains(name) || OTHERS.contains(name);
    }

    /** Whether a token is the name of one that advances a sequence, or reads one. */
    static boolean isOfSequence(SqlText text, int i) {
        String name = nameOf(text, i);
        return ADVANCING.contains(name) || READING_SEQUENCES.contains(name);
    }

    private static String nameOf(SqlText text, int i) {
        return text.isName(i) ? SqlNames.upper(SqlNames.folded(text, i)) : "";
    }
}
