package io.github.shardedid.routing.internal.sql;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A placeholder in a SQL text for the name of a schema.
 *
 * <p>Hibernate writes the default schema before each table, and is given the placeholder as default schema. So
 * the text is the same for all shards, and is translated once; the schema is written when the statement is
 * prepared, which needs no {@code SET search_path} and no round trip.
 *
 * @param start where the placeholder begins
 * @param end where it ends, its quotes included
 * @param global whether it stands for the schema of the global entities; else for that of a shard
 * @param generated whether it is written as only Hibernate and this library write it, into texts that name the
 *     schemas of their tables
 */
public record SchemaPlaceholder(int start, int end, boolean global, boolean generated) {
    /** Stands for the schema of a shard. */
    public static final String OF_SHARD = "sharded_id_shard";

    /** Stands for the schema of the global entities. */
    public static final String OF_GLOBAL = "sharded_id_global";

    /**
     * The beginning of the schema of a session's tenant: with the number of a shard, its shard's; without one,
     * that of a tenant of no shard.
     */
    public static final String OF_TENANT = "sharded_id_tenant_";

    private static final Kind SHARD = new Kind(OF_SHARD, false);
    private static final Kind GLOBAL = new Kind(OF_GLOBAL, true);

    /** Returns the placeholder that a token is, or begins with within a literal; null if there is none. */
    public static @Nullable SchemaPlaceholder in(SqlText text, int token) {
        SchemaPlaceholder shard = SHARD.in(text, token);
        return shard == null ? GLOBAL.in(text, token) : shard;
    }

    /** Returns the same placeholder as it is written into generated texts: {@code Sharded_Id_Shard}. */
    public static String generated(String placeholder) {
        return Pattern.compile("(?<![a-z])[a-z]").matcher(placeholder).replaceAll(letter -> letter.group()
                .toUpperCase(Locale.ROOT));
    }

    /** Returns whether a name, as PostgreSQL compares it, stands for the schema of a shard. */
    public static boolean isOfShard(String folded) {
        return SHARD.spellings.contains(folded);
    }

    /** The spellings of one placeholder: plain, quoted, and both as only generated texts have them. */
    private record Kind(List<String> spellings, String upper, boolean global) {
        Kind(String plain, boolean global) {
            this(
                    List.of(plain, quoted(plain), generated(plain), quoted(generated(plain))),
                    plain.toUpperCase(Locale.ROOT),
                    global);
        }

        private static String quoted(String name) {
            return '"' + name + '"';
        }

        /**
         * Returns the placeholder that a token is; null if there is none. A word is compared without regard to
         * case, as PostgreSQL does.
         */
        @Nullable
        SchemaPlaceholder in(SqlText text, int i) {
            String raw = text.raw(i);
            boolean word = text.isWord(i) && text.is(i, upper);
            boolean literal = text.isLiteral(i) && isOfSequence(text, i);
            if (word && text.is(i + 1, ".")) {
                return at(text.start(i), raw);
            }
            for (String spelling : spellings) {
                if (raw.equals(spelling) && text.is(i + 1, ".")) {
                    return at(text.start(i), spelling);
                } else if (literal && raw.startsWith("'" + spelling + ".")) {
                    return at(text.start(i) + 1, spelling);
                }
            }
            return null;
        }

        /** Returns the placeholder at a position. The last two spellings are those of generated texts. */
        private SchemaPlaceholder at(int start, String spelling) {
            return new SchemaPlaceholder(start, start + spelling.length(), global, spellings.indexOf(spelling) >= 2);
        }

        /**
         * Hibernate writes {@code nextval('schema.sequence')}: there, and only there, a literal is the name of
         * an object.
         */
        private static boolean isOfSequence(SqlText text, int i) {
            return text.is(i - 1, "(") && SqlTraits.isOfSequence(text, i - 2);
        }
    }
}
