package io.github.shardedid.routing.internal.sql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The analyses of the texts in use, as far as they fit into a number of bytes. Safe for use by several threads.
 *
 * <p>A text is read token by token, and an application executes the same texts again and again, so each is read
 * once. The bound is in bytes, as native SQL with literals has any number of texts.
 */
public final class SqlAnalyses {
    /**
     * The characters of the longest text that is kept. Longer ones are rows and rows of literals, which will
     * not be seen again.
     */
    private static final int LONGEST = 32_768;

    private final Cache<String, SqlAnalysis> analyses;
    private final String replicated;
    private final ColocatedColumns colocated = new ColocatedColumns();

    /**
     * Creates a cache.
     *
     * @param bytes how many are kept at most, by a generous estimate
     * @param global where the global entities are, whose schema is that of replicated tables in all databases; null if there are none
     */
    public SqlAnalyses(long bytes, @Nullable GlobalDatabase global) {
        this.replicated = global == null ? SchemaPlaceholder.OF_REPLICATED : global.schema();
        this.analyses = keptTexts(bytes, (sql, analysis) -> analysis.bytes());
    }

    /**
     * Returns a cache with a limit in bytes. Maintenance runs on the calling thread, as it is little, and the
     * common pool is not used.
     */
    public static <K, V> Cache<K, V> keptTexts(long bytes, Weigher<K, V> weigher) {
        return Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher(weigher)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Returns the analysis of a text, made if it is not kept. Two threads may both make it.
     *
     * @throws io.github.shardedid.routing.UnsupportedStatementException if the text cannot be read
     */
    public SqlAnalysis of(String sql) {
        SqlAnalysis known = analyses.getIfPresent(sql);
        if (known != null) {
            return known;
        }
        SqlAnalysis analysis = SqlAnalysis.of(sql, replicated);
        if (sql.length() <= LONGEST) {
            analyses.put(sql, analysis);
        }
        return analysis;
    }

    /** Adds to the columns that hold ids of the row's own shard. */
    public void declareColocated(Map<String, Set<String>> columns) {
        colocated.add(columns);
    }

    /** Returns the columns that hold ids of the row's own shard. */
    public ColocatedColumns colocated() {
        return colocated;
    }

    /** Returns what is kept now, in bytes. */
    long bytes() {
        analyses.cleanUp();
        return analyses.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }
}
