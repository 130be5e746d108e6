package io.github.shardedid.operations.internal;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the differences between the structures of two schemas of shards: tables with all that belongs to them, views, functions,
 * types, sequences, owners and privileges. Does not compare comments, statistics targets, tablespaces, values of sequences, and
 * the objects of a move: its marker table and the triggers that refuse writes.
 */
public record StructureComparison(Side source, Side target, boolean majorsDiffer) {
    private static final String ORDER = "order of columns";
    private static final int LONGEST = 200;
    private static final int CONTEXT = 30;
    private static final String STRUCTURE = Sql.load(StructureComparison.class, "structure.sql");
    private static final String SETTINGS = Sql.load(StructureComparison.class, "structure_settings.sql");
    private static final String SCHEMA = "{schema}";
    private static final Pattern WORDS =
            Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\\w[\\w$]*|[^\\s\\w'\"(),;.:]+");
    private static final Pattern QUALIFIER =
            Pattern.compile("(?:\\b[a-zA-Z_][\\w$]*|\"(?:[^\"]|\"\")*\")\\.(?=[\\w\"*])");
    private static final Set<String> FILLING = Set.of("from", "for", "both", "as", "in");

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
        int lowest = Math.min(sourceMajor, targetMajor);
        return new StructureComparison(
                        new Side(read(source, sourceSchema, lowest, identities), "at the source"),
                        new Side(read(target, targetSchema, lowest, identities), "at the target"),
                        sourceMajor != targetMajor)
                .differences().stream()
                        .filter(difference -> !difference.contains(": " + ORDER + " is "))
                        .toList();
    }

    /** Reads the schema of a shard to compare it with those of other shards: its functions without the number of the shard. */
    public static Map<String, Map<String, String>> ofShard(Connection connection, int shard, int lowestMajor)
            throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        Map<String, Map<String, String>> objects = read(connection, schema, lowestMajor, Set.of());
        Pattern number = Pattern.compile("(?<=\\(\\$1, )" + shard + "(?=[,)])");
        objects.forEach((object, aspects) -> {
            if (object.startsWith("function next_id")) {
                aspects.replaceAll((aspect, text) -> number.matcher(text).replaceAll("{shard}"));
            }
        });
        return objects;
    }

    /** Returns all differences, ordered by object. */
    public List<String> differences() {
        return Stream.of(source, target)
                .flatMap(side -> side.structure.keySet().stream())
                .distinct()
                .sorted()
                .flatMap(object -> compare(object, source.structure.get(object), target.structure.get(object)))
                .toList();
    }

    private Stream<String> compare(
            String object, @Nullable Map<String, String> here, @Nullable Map<String, String> there) {
        if (here == null || there == null) {
            return Stream.of(object + ": missing " + (here == null ? source : target).where);
        }
        Set<String> aspects = new TreeSet<>(here.keySet());
        aspects.addAll(there.keySet());
        aspects.removeIf(aspect -> alike(here.get(aspect), there.get(aspect)));
        // A missing column is reported by itself.
        if (aspects.stream()
                .anyMatch(aspect ->
                        aspect.startsWith("column ") && !(here.containsKey(aspect) && there.containsKey(aspect)))) {
            aspects.remove(ORDER);
        }
        return aspects.stream()
                .map(aspect -> (aspect.isEmpty() ? object : object + ": " + aspect) + " is "
                        + shortened(here.get(aspect), there.get(aspect)) + " " + source.where + ", "
                        + shortened(there.get(aspect), here.get(aspect)) + " " + target.where);
    }

    private boolean alike(@Nullable String ours, @Nullable String theirs) {
        return Objects.equals(ours, theirs)
                || (majorsDiffer
                        && ours != null
                        && theirs != null
                        && essence(ours).equals(essence(theirs)));
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
        int same = other == null
                ? 0
                : Arrays.mismatch(line.toCharArray(), oneLine(other).toCharArray());
        int from = Math.max(0, same - CONTEXT);
        int to = Math.min(line.length(), from + LONGEST);
        return (from == 0 ? "" : "… ") + line.substring(from, to) + (to == line.length() ? "" : " …");
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
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
                .map(word -> word.group().startsWith("'")
                        ? word.group()
                        : word.group().replaceAll("^\"(\\w+)\"$", "$1").toLowerCase(Locale.ROOT))
                .filter(word -> !FILLING.contains(word))
                .sorted()
                .toList();
    }

    /**
     * Reads a schema, which must exist, in the caller's transaction if there is one. Its name is replaced by a placeholder.
     *
     * @param lowestMajor the lowest major version of the servers; privileges that it does not know are not read
     * @param identities tables whose replica identity is not read
     * @return for each object, such as "table photo", its aspects, such as "column caption", with their values as text
     */
    private static Map<String, Map<String, String>> read(
            Connection connection, String schema, int lowestMajor, Set<String> identities) throws SQLException {
        Pattern names = Pattern.compile("\"%1$s\"|\\b%1$s\\b".formatted(Pattern.quote(schema)));
        Map<String, Map<String, String>> objects = new TreeMap<>();
        Sql.Work read = () -> {
            Sql.execute(connection, SETTINGS.formatted(Sql.name(schema)));
            for (List<@Nullable String> row :
                    Sql.rows(connection, STRUCTURE, schema, List.copyOf(identities), lowestMajor)) {
                List<String> texts = row.stream()
                        .map(text -> text == null ? "" : names.matcher(text).replaceAll(SCHEMA))
                        .toList();
                objects.computeIfAbsent(texts.get(0), object -> new TreeMap<>()).put(texts.get(1), texts.get(2));
            }
        };
        if (connection.getAutoCommit()) {
            Transaction.run(connection, read);
        } else {
            read.run();
        }
        return objects;
    }
}
