package io.github.shardedid.routing.internal.sql.names;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A placeholder in a SQL text for the name of a schema.
 *
 * @param start where the placeholder begins
 * @param end where it ends, its quotes included
 * @param global whether it stands for the schema of the global entities; else for that of a shard
 */
public record SchemaPlaceholder(int start, int end, boolean global) {
    /** Stands for the schema of a shard. */
    public static final String OF_SHARD = "sharded_id_shard";

    /** Stands for the schema of the global entities. */
    public static final String OF_GLOBAL = "sharded_id_global";

    private static final Kind SHARD = new Kind(OF_SHARD, false);
    private static final Kind GLOBAL = new Kind(OF_GLOBAL, true);

    /** The placeholder that a token is, or begins with within a literal; null if there is none. */
    public static @Nullable SchemaPlaceholder in(SqlText text, int token) {
        SchemaPlaceholder shard = SHARD.in(text, token);
        return shard == null ? GLOBAL.in(text, token) : shard;
    }

    private record Kind(String plain, String quoted, String upper, boolean global) {
        Kind(String plain, boolean global) {
            this(plain, '"' + plain + '"', plain.toUpperCase(Locale.ROOT), global);
        }

        @Nullable
        SchemaPlaceholder in(SqlText text, int i) {
            boolean placeholder =
                    switch (text.kind(i)) {
                        case WORD -> text.is(i, upper) && text.is(i + 1, ".");
                        case QUOTED -> text.raw(i).equals(quoted) && text.is(i + 1, ".");
                        default -> false;
                    };
            if (placeholder) {
                return at(text, text.start(i));
            }
            return isSequenceName(text, i) ? at(text, text.start(i) + 1) : null;
        }

        private SchemaPlaceholder at(SqlText text, int start) {
            int length = text.sql().charAt(start) == '"' ? quoted.length() : plain.length();
            return new SchemaPlaceholder(start, start + length, global);
        }

        /** Hibernate writes {@code nextval('schema.sequence')}: there, and only there, a literal is the name of an object. */
        private boolean isSequenceName(SqlText text, int i) {
            String raw = text.raw(i);
            return (raw.startsWith("'" + plain + ".") || raw.startsWith("'" + quoted + "."))
                    && text.is(i - 1, "(")
                    && WritingFunctions.isOfSequence(text, i - 2);
        }
    }
}
