package io.github.shardedid.move.internal.comparison;

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
 * Finds the differences between the structures of two copies of a shard: tables with all that belongs to them, views, functions,
 * types, sequences, owners and privileges. Does not compare comments, statistics targets, tablespaces, values of sequences, and
 * the objects of a move: its marker table and the triggers that refuse writes.
 */
public final class StructureComparison {
    private static final String ORDER = "order of columns";
    private static final int LONGEST = 200;
    private static final int CONTEXT = 30;

    private final Map<String, Map<String, String>> source;
    private final Map<String, Map<String, String>> target;
    private final List<String> differences = new ArrayList<>();

    private StructureComparison(Map<String, Map<String, String>> source, Map<String, Map<String, String>> target) {
        this.source = source;
        this.target = target;
    }

    /**
     * Compares two schemas, of one server or of two, which may be of different major versions.
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
        StructureComparison comparison =
                new StructureComparison(read.of(source, sourceSchema), read.of(target, targetSchema));
        return comparison.run(sourceMajor != targetMajor);
    }

    private List<String> run(boolean majorsDiffer) {
        Set<String> objects = new TreeSet<>(source.keySet());
        objects.addAll(target.keySet());
        for (String object : objects) {
            Map<String, String> here = source.get(object);
            Map<String, String> there = target.get(object);
            if (here == null || there == null) {
                differences.add(object + ": missing at the " + (here == null ? "source" : "target"));
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

    private static String line(String object, String aspect, @Nullable String ours, @Nullable String theirs) {
        return (aspect.isEmpty() ? object : object + ": " + aspect) + " is " + shortened(ours, theirs)
                + " at the source, " + shortened(theirs, ours) + " at the target";
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
