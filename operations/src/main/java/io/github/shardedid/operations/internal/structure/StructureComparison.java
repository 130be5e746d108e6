package io.github.shardedid.operations.internal.structure;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

    private final Side source;
    private final Side target;
    private final List<String> differences = new ArrayList<>();

    private StructureComparison(Side source, Side target) {
        this.source = source;
        this.target = target;
    }

    /**
     * One of the two.
     *
     * @param structure as {@link StructureRead} returns it
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

    /** Those that are more than another order of columns. */
    public static List<String> withoutOrder(List<String> differences) {
        return differences.stream()
                .filter(difference -> !difference.contains(": " + ORDER + " is "))
                .toList();
    }

    /** All differences of two structures; {@code majorsDiffer} if servers of different major versions have printed them. */
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
                        && PrintedSql.essence(ours).equals(PrintedSql.essence(theirs)));
    }

    private String line(String object, String aspect, @Nullable String ours, @Nullable String theirs) {
        return (aspect.isEmpty() ? object : object + ": " + aspect) + " is " + shortened(ours, theirs) + " "
                + source.where + ", " + shortened(theirs, ours) + " " + target.where;
    }

    /** Of a long text, the part from shortly before its first difference from the other text. */
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
}
