package io.github.shardedid.routing.internal.sql;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names that the catalogs of the databases have, as of the time when they were read. Of several objects of
 * one name, the least harmless counts, since a text does not tell which one it means. Immutable.
 *
 * <p>What a text means is decided by what is known to be right, not by a list of what is known to be wrong: a
 * call counts as plain only if the catalog has its name as that of a plain function.
 */
public final class KnownNames {
    /** The names before anything was read. */
    public static final KnownNames NONE = new KnownNames(Set.of());

    /**
     * The operators that PostgreSQL looks up for words, too: IN, BETWEEN, NULLIF, CASE, USING, LIKE, SIMILAR
     * TO.
     */
    private static final Set<String> COMPARISONS =
            Set.of("=", "<>", "<", ">", "<=", ">=", "~~", "!~~", "~~*", "!~~*", "~", "!~");

    private final Map<Kind, Set<String>> names = new EnumMap<>(Kind.class);

    /**
     * The properties of a name; "own" is what is neither PostgreSQL's nor this library's. A name may have
     * several.
     */
    public enum Kind {
        /**
         * Without a schema it depends on the path: an object of a schema that is not a common one, or a type
         * that looks names up.
         */
        BARE,
        /** A relation of a common schema. */
        COMMON,
        /** An own function, unless it is known to read nothing but its arguments. */
        FUNCTION,
        /** Such a function that {@code x.f} may call, or a type that looks names up. */
        FIELD,
        /** An operator that depends on the path, or calls such a function. */
        OPERATOR,
        /** A bare name that depends on the path, but for those of relations; and a function of such a schema. */
        OF_SHARD,
        /** A function that looks names up, or may do so, and is no extension's. */
        BY_PATH,
        /** A relation that runs code that depends on the path, when it is read. */
        READ,
        /** A relation that runs code that depends on the path, when it is written to. */
        WRITTEN,
        /** A relation that runs own code when it is read, which may write. */
        ACTING,
        /** A relation that runs own code when it is read or written to. */
        CODED,
        /** A function of PostgreSQL, or a word of SQL, that depends neither on the path nor on the transaction. */
        PLAIN,
        /** One that does not depend on the path. */
        PATHLESS,
        /** Any other function of PostgreSQL. */
        OTHER,
        /** One that is not plain, and that {@code x.f} may call. */
        OTHER_FIELD
    }

    /**
     * The consequences for a text.
     *
     * @param by the names by which it was judged
     * @param needsPath whether its schema must be in the path
     * @param shadowed whether it may mean a relation of a common schema where the schema in the path does not exist
     * @param ofShard whether a query over several shards, whose tables have their schema, means something else in the path of each
     * @param plain whether all that it runs does the same inside and outside of a transaction
     * @param harmless whether nothing that it calls or reads writes, or changes the session
     * @param triggers whether what it writes to may run own code
     */
    public record Verdict(
            KnownNames by,
            boolean needsPath,
            boolean shadowed,
            boolean ofShard,
            boolean plain,
            boolean harmless,
            boolean triggers) {}

    /** Joins what is known of several databases, since a text may go to any of them. */
    public KnownNames(Collection<Map<Kind, Set<String>>> databases) {
        for (Map<Kind, Set<String>> database : databases) {
            database.forEach((kind, more) ->
                    names.computeIfAbsent(kind, unseen -> new HashSet<>()).addAll(more));
        }
    }

    /**
     * Judges a text by its names.
     *
     * @param writes whether the text writes, so that the code of the tables that it writes to counts, too
     */
    Verdict judge(TextNames text, boolean writes) {
        boolean operators = any(text.operators, Kind.OPERATOR) || any(COMPARISONS, Kind.OPERATOR);
        boolean own = any(text.calls, Kind.FUNCTION) || any(text.fields, Kind.FIELD) || operators;
        // A name behind a point may be a table of a common schema, which generated texts do not name.
        boolean coded = any(text.fields, Kind.READ) || (writes && any(text.fields, Kind.WRITTEN));
        boolean looksUp = !text.isReadable()
                || (coded && !text.isGenerated())
                || own
                || any(text.calls, Kind.OTHER)
                || any(text.tables, Kind.READ)
                || (writes && any(text.tables, Kind.WRITTEN));
        boolean depends = looksUp || any(text.bare, Kind.BARE);
        boolean known = text.isReadable()
                && !own
                && !any(text.tables, Kind.ACTING)
                && !any(text.bare, Kind.ACTING)
                && !any(text.fields, Kind.ACTING);
        return new Verdict(
                this,
                !text.setting && (depends || !(text.isGenerated() || all(text.bare, Kind.PLAIN, Kind.PATHLESS))),
                areShadowed(looksUp ? of(Kind.COMMON) : text.bare),
                operators
                        || any(text.calls, Kind.BY_PATH)
                        || any(text.fields, Kind.BY_PATH)
                        || any(text.bare, Kind.OF_SHARD)
                        || any(text.tables, Kind.READ),
                known && all(text.calls, Kind.PLAIN) && (text.isGenerated() || !any(text.fields, Kind.OTHER_FIELD)),
                text.setting || (known && all(text.calls, Kind.PLAIN, Kind.PATHLESS)),
                writes && (any(text.tables, Kind.CODED) || any(text.bare, Kind.CODED) || any(text.fields, Kind.CODED)));
    }

    /**
     * Returns whether one of some names is that of a relation of a shard and of a common schema. PostgreSQL leaves out a schema of the path that
     * does not exist, such as that of a shard that has left: the second one would be taken for the first one.
     */
    private boolean areShadowed(Set<String> some) {
        return some.stream().anyMatch(name -> all(Set.of(name), Kind.COMMON) && all(Set.of(name), Kind.BARE));
    }

    /** Returns whether one of some names is of a kind. */
    private boolean any(Set<String> some, Kind kind) {
        return !Collections.disjoint(some, of(kind));
    }

    /** Returns whether each of some names is of one of some kinds. */
    private boolean all(Set<String> some, Kind... kinds) {
        return some.stream().allMatch(name -> Stream.of(kinds).anyMatch(kind -> of(kind).contains(name)));
    }

    private Set<String> of(Kind kind) {
        return names.getOrDefault(kind, Set.of());
    }
}
