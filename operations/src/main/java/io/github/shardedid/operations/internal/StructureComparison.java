package io.github.shardedid.operations.internal;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the differences between the structures of two schemas of shards: tables with all that belongs to them, views, functions,
 * types, sequences, owners and privileges. Does not compare comments, statistics targets, tablespaces, values of sequences, and
 * the objects of a move: its marker table and the triggers that refuse writes.
 */
public final class StructureComparison {
    private static final String ORDER = "order of columns";
    private static final int LONGEST = 200;
    private static final int CONTEXT = 30;
    private static final Pattern WORDS =
            Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\\w[\\w$]*|[^\\s\\w'\"(),;.:]+");
    private static final Pattern QUALIFIER =
            Pattern.compile("(?:\\b[a-zA-Z_][\\w$]*|\"(?:[^\"]|\"\")*\")\\.(?=[\\w\"*])");
    private static final Set<String> FILLING = Set.of("from", "for", "both", "as", "in");

    private final Side source;
    private final Side target;
    private final List<String> differences = new ArrayList<>();

    private StructureComparison(Side source, Side target) {
        this.source = source;
        this.target = target;
    }

    /**
     * One of the two structures that are compared.
     *
     * @param structure as {@link #ofShard} returns it
     * @param where it was read, as a part of a sentence
     */
    public record Side(Map<String, Map<String, String>> structure, String where) {}

    /**
     * Compares the copies of a shard in two databases, of one server or of two, which may be of different major versions. The order of
     * columns is no difference for them: their rows are copied and replicated by the names of columns.
     *
     * @param identities tables whose replica identities are not compared, since the move has changed them at the source
     * @return a line for each difference, ordered by object; empty if there is none
     */
    public static List<String> differences(
            Connection source, String sourceSchema, Connection target, String targetSchema, Set<String> identities)
            throws SQLException {
        int sourceMajor = source.getMetaData().getDatabaseMajorVersion();
        int targetMajor = target.getMetaData().getDatabaseMajorVersion();
        StructureRead read =
                new StructureRead(List.of(sourceSchema, targetSchema), Math.min(sourceMajor, targetMajor), identities);
        return withoutOrder(between(
                new Side(read.of(source, sourceSchema), "at the source"),
                new Side(read.of(target, targetSchema), "at the target"),
                sourceMajor != targetMajor));
    }

    /** Reads the schema of a shard to compare it with those of other shards: its functions without the number of the shard. */
    public static Map<String, Map<String, String>> ofShard(Connection connection, int shard, int lowestMajor)
            throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        Map<String, Map<String, String>> objects =
                new StructureRead(List.of(schema), lowestMajor, Set.of()).of(connection, schema);
        Pattern number = Pattern.compile("(?<=\\(\\$1, )" + shard + "(?=[,)])");
        objects.forEach((object, aspects) -> {
            if (object.startsWith("function next_id")) {
                aspects.replaceAll((aspect, text) -> number.matcher(text).replaceAll("{shard}"));
            }
        });
        return objects;
    }

    /** Returns those differences that are more than another order of columns. */
    public static List<String> withoutOrder(List<String> differences) {
        return differences.stream()
                .filter(difference -> !difference.contains(": " + ORDER + " is "))
                .toList();
    }

    /** Returns all differences of two structures; {@code majorsDiffer} if servers of different major versions have printed them. */
    public static List<String> between(Side source, Side target, boolean majorsDiffer) {
        return new StructureComparison(source, target).run(majorsDiffer);
    }

    private List<String> run(boolean majorsDiffer) {
        Set<String> objects = new TreeSet<>(source.structure.keySet());
        objects.addAll(target.structure.keySet());
        for (String object : objects) {
            Map<String, String> here = source.structure.get(object);
            Map<String, String> there = target.structure.get(object);
            if (here == null || there == null) {
                differences.add(object + ": missing " + (here == null ? source : target).where);
            } else {
                compare(object, here, there, majorsDiffer);
            }
        }
        return List.copyOf(differences);
    }

    private void compare(String object, Map<String, String> here, Map<String, String> there, boolean majorsDiffer) {
        Set<String> aspects = new TreeSet<>(here.keySet());
        aspects.addAll(there.keySet());
        boolean columnsDiffer = false;
        for (String aspect : aspects) {
            String ours = here.get(aspect);
            String theirs = there.get(aspect);
            if (aspect.startsWith("column ") && (ours == null || theirs == null)) {
                columnsDiffer = true;
            }
            // A missing column has been reported already: "column …" comes before "order …".
            boolean said = aspect.equals(ORDER) && columnsDiffer;
            if (!said && !alike(ours, theirs, majorsDiffer)) {
                differences.add(line(object, aspect, ours, theirs));
            }
        }
    }

    private static boolean alike(@Nullable String ours, @Nullable String theirs, boolean majorsDiffer) {
        return Objects.equals(ours, theirs)
                || (majorsDiffer
                        && ours != null
                        && theirs != null
                        && essence(ours).equals(essence(theirs)));
    }

    private String line(String object, String aspect, @Nullable String ours, @Nullable String theirs) {
        return (aspect.isEmpty() ? object : object + ": " + aspect) + " is " + shortened(ours, theirs) + " "
                + source.where + ", " + shortened(theirs, ours) + " " + target.where;
    }

    /** Returns, of a long text, the part from shortly before its first difference from the other text. */
    private static String shortened(@Nullable String text, @Nullable String other) {
        if (text == null) {
            return "missing";
        }
        String line = oneLine(text);
        if (line.length() <= LONGEST) {
            return line;
        }
        int from = other == null ? 0 : Math.max(0, commonPrefix(line, oneLine(other)) - CONTEXT);
        int to = Math.min(line.length(), from + LONGEST);
        return (from == 0 ? "" : "… ") + line.substring(from, to) + (to == line.length() ? "" : " …");
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static int commonPrefix(String one, String other) {
        int same = 0;
        while (same < one.length() && same < other.length() && one.charAt(same) == other.charAt(same)) {
            same++;
        }
        return same;
    }

    /**
     * Returns the sorted words of an expression or a view, without words that only some versions print: major versions of PostgreSQL print
     * the same one in different ways, since 14 {@code (now() AT TIME ZONE 'UTC')} for {@code timezone('UTC', now())}, since 16 {@code id}
     * for {@code photo.id}. Different expressions rarely have the same words.
     */
    private static List<String> essence(String text) {
        String plain = QUALIFIER
                .matcher(text)
                .replaceAll("")
                .replaceAll("(?i)AT TIME ZONE", "timezone")
                .replaceAll("\\bbtrim\\b", "trim");
        return WORDS.matcher(plain)
                .results()
                .map(word -> word(word.group()))
                .filter(word -> !FILLING.contains(word))
                .sorted()
                .toList();
    }

    private static String word(String printed) {
        if (printed.startsWith("'")) {
            return printed;
        }
        Matcher quoted = Pattern.compile("\"(\\w+)\"").matcher(printed);
        return (quoted.matches() ? quoted.group(1) : printed).toLowerCase(Locale.ROOT);
    }

    /** Reads the structures of schemas that are to be compared. The names of the schemas are replaced by a placeholder. */
    private static final class StructureRead {
        private static final int SQL_BODIES_SINCE = 14;
        private static final int MAINTAIN_SINCE = 17;
        private static final String SCHEMA = "{schema}";

        private final Pattern names;
        private final int lowestMajor;
        private final Set<String> identities;

        /**
         * Prepares to read.
         *
         * @param schemas the names of the schemas to be compared
         * @param lowestMajor the lowest major version of the servers; privileges that it does not know are not read
         * @param identities tables whose replica identity is not read
         */
        StructureRead(Collection<String> schemas, int lowestMajor, Set<String> identities) {
            // The longer name first, because it may begin with the other.
            String either = schemas.stream()
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|"));
            this.names = Pattern.compile("\"(?:" + either + ")\"|\\b(?:" + either + ")\\b");
            this.lowestMajor = lowestMajor;
            this.identities = Set.copyOf(identities);
        }

        /**
         * Reads a schema, which must exist. Restores the settings of the session.
         *
         * @return for each object, such as "table photo", its aspects, such as "column caption", with their values as text
         */
        Map<String, Map<String, String>> of(Connection connection, String schema) throws SQLException {
            List<@Nullable String> before = Sql.rows(
                            connection,
                            "SELECT current_setting('search_path'), current_setting('quote_all_identifiers')")
                    .get(0);
            set(connection, Sql.name(schema), "off");
            try {
                return read(connection, schema);
            } finally {
                set(connection, before.get(0), before.get(1));
            }
        }

        private static void set(Connection connection, @Nullable String searchPath, @Nullable String quoting)
                throws SQLException {
            Sql.rows(
                    connection,
                    "SELECT set_config('search_path', ?, false), set_config('quote_all_identifiers', ?, false)",
                    searchPath,
                    quoting);
        }

        private Map<String, Map<String, String>> read(Connection connection, String schema) throws SQLException {
            Map<String, Map<String, String>> objects = new TreeMap<>();
            for (List<@Nullable String> row : Sql.rows(connection, sql(connection, schema))) {
                objects.computeIfAbsent(anonymous(row.get(0)), object -> new TreeMap<>())
                        .put(anonymous(row.get(1)), anonymous(row.get(2)));
            }
            return objects;
        }

        private String sql(Connection connection, String schema) throws SQLException {
            int major = connection.getMetaData().getDatabaseMajorVersion();
            String tables =
                    identities.stream().map(Sql::literal).collect(Collectors.joining(", ", "ARRAY[", "]::name[]"));
            return Sql.load(StructureComparison.class, "structure.sql")
                    .replace("${schema}", "(SELECT oid FROM pg_namespace WHERE nspname = " + Sql.literal(schema) + ")")
                    .replace("${identities}", tables)
                    .replace("${sqlbody}", major >= SQL_BODIES_SINCE ? "pg_get_function_sqlbody(proc.oid)" : "NULL")
                    .replace("${maintain}", Boolean.toString(lowestMajor >= MAINTAIN_SINCE));
        }

        private String anonymous(@Nullable String text) {
            return text == null ? "" : names.matcher(text).replaceAll(Matcher.quoteReplacement(SCHEMA));
        }
    }
}
