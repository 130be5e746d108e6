package io.github.shardedid.routing.internal.sql;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
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
 * @param schemas whose schema it stands for
 * @param generated whether it is written as only Hibernate and this library write it, into texts that name the
 *     schemas of their tables
 */
public record SchemaPlaceholder(int start, int end, NamedSchemas schemas, boolean generated) {
    /** Stands for the schema of a shard. */
    public static final String OF_SHARD = "sharded_id_shard";

    /** Stands for the schema of the global entities. */
    public static final String OF_GLOBAL = "sharded_id_global";

    /** Stands for the schema of the global entities in each database: that of the replicated tables. */
    public static final String OF_REPLICATED = "sharded_id_replicated";

    /**
     * The beginning of the schema of a session's tenant: with the number of a shard, its shard's; without one,
     * that of a tenant of no shard.
     */
    public static final String OF_TENANT = "sharded_id_tenant_";

    private static final Set<String> GENERATED =
            Set.of(generated(OF_SHARD), generated(OF_GLOBAL), generated(OF_REPLICATED));

    private static final Pattern SPELLING = Pattern.compile("(?i:sharded_id_(?:shard|global|replicated))"
            + "|\"(?:sharded_id_(?:shard|global|replicated)|Sharded_Id_(?:Shard|Global|Replicated))\"");

    /**
     * Returns the placeholder that a token is, or begins with within a literal; null if there is none. A word is
     * compared without regard to case, as PostgreSQL does.
     */
    public static @Nullable SchemaPlaceholder in(SqlText text, int i) {
        boolean literal = text.isLiteral(i) && namesRelation(text, i);
        if (!literal && !(text.isName(i) && text.is(i + 1, "."))) {
            return null;
        }
        Matcher found = SPELLING.matcher(text.sql()).region(text.start(i) + (literal ? 1 : 0), text.end(i));
        if (!found.lookingAt() || (literal ? text.sql().charAt(found.end()) != '.' : found.end() < text.end(i))) {
            return null;
        }
        String name = found.group().replace("\"", "");
        return new SchemaPlaceholder(found.start(), found.end(), schemas(name), GENERATED.contains(name));
    }

    private static NamedSchemas schemas(String name) {
        return name.equalsIgnoreCase(OF_SHARD)
                ? NamedSchemas.SHARD
                : name.equalsIgnoreCase(OF_GLOBAL) ? NamedSchemas.GLOBAL : NamedSchemas.REPLICATED;
    }

    /** Returns whether the table behind the placeholder at a token is written or locked, not only read. */
    static boolean isWritten(SqlText text, int i) {
        int before = text.is(i - 1, "ONLY") ? i - 2 : i - 1;
        return text.is(before, "INTO")
                || text.is(before, "UPDATE")
                || (text.is(before, "FROM") && text.is(before - 1, "DELETE"))
                || text.is(0, "TRUNCATE")
                || isLocked(text, i);
    }

    /**
     * Returns whether the table behind the schema at a token is locked. A lock counts for all tables, or for those that it names, by their
     * aliases as Hibernate does, or by that of the subselect which has them, but not for those outside of its own subselect. Quoted names are
     * taken for equal.
     */
    static boolean isLocked(SqlText text, int i) {
        Set<String> names = new HashSet<>(List.of(text.at(i + 2), text.at(text.is(i + 3, "AS") ? i + 4 : i + 3)));
        int depth = 0;
        int lowest = 0;
        for (int lock = i + 3; lock < text.size(); lock++) {
            depth += text.depthChange(lock);
            if (depth < lowest) {
                lowest = depth;
                names.add(text.at(text.is(lock + 1, "AS") ? lock + 2 : lock + 1));
            }
            if (depth == lowest
                    && (text.is(lock, "UPDATE") || text.is(lock, "SHARE"))
                    && (text.is(lock - 1, "FOR") || text.is(lock - 1, "KEY"))) {
                int name = lock + 2;
                while (text.is(name + 1, ",") && !names.contains(text.at(name))) {
                    name += 2;
                }
                if (!text.is(lock + 1, "OF") || names.contains(text.at(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Hibernate writes {@code nextval('schema.sequence')}, and this library the same for its functions: there, and
     * only there, a literal is the name of an object.
     */
    private static boolean namesRelation(SqlText text, int i) {
        return text.is(i - 1, "(") && TextScan.takesRelation(text, i - 2);
    }

    /** Returns the same placeholder as it is written into generated texts: {@code Sharded_Id_Shard}. */
    public static String generated(String placeholder) {
        return Pattern.compile("(?<![a-z])[a-z]").matcher(placeholder).replaceAll(letter -> letter.group()
                .toUpperCase(Locale.ROOT));
    }

    /** Returns whether a name, as PostgreSQL compares it, is a placeholder. */
    public static boolean is(String placeholder, String folded) {
        return folded.equalsIgnoreCase(placeholder) && (folded.equals(placeholder) || GENERATED.contains(folded));
    }
}
