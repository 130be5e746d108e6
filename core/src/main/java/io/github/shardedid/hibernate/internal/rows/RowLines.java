package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.hibernate.internal.rows.RootRows.Root;
import io.github.shardedid.topology.Cluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an export. The first line names the layout, the number of shards by which keys are distributed, and the root; the last one the number of lines between, without which a
 * file is not whole. Those are the table and the JSON of a row, which only the database writes and reads.
 */
public final class RowLines {
    private static final Pattern HEADER =
            Pattern.compile("\\{\"layout\":.*\"shard\":(\\d{1,9}),\"entity\":\"(.*)\",\"id\":\"(.*)\"}");

    private RowLines() {}

    /** Returns the first line of an export. Clusters of one layout may differ in their JVM nodes, and in shards that were added. */
    public static String header(Cluster cluster, Root root) {
        return "{\"layout\":\"" + cluster.layout().withJvmNodes(0) + "\",\"keyShards\":" + cluster.keyShards()
                + ",\"shard\":" + root.shard() + ",\"entity\":\"" + root.entity() + "\",\"id\":\"" + root.id() + "\"}";
    }

    static String last(long lines) {
        return "{\"lines\":" + lines + "}";
    }

    /** Returns the shard, the entity and the id in the first line of an export. */
    public static Root root(@Nullable String header) {
        Matcher fields = HEADER.matcher(String.valueOf(header));
        if (!fields.matches()) {
            throw new RowsRefusedException("This is no export of rows: its first line is " + header
                    + ". Nothing was restored. Pass what the export has written, from its beginning.");
        }
        return new Root(fields.group(2), fields.group(3), Integer.parseInt(fields.group(1)), "");
    }

    /** Returns the next line; null at the end. */
    public static @Nullable String read(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(String line, Appendable out) {
        try {
            out.append(line).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
