package io.github.shardedid.routing.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The analyses of the texts seen lately. Bounded: when the younger half is full it becomes the older one, whose
 * predecessor is dropped; what is still in use moves over. Safe for use by several threads, without a lock.
 */
final class SqlAnalyses {
    private static final int LONGEST = 32_768;

    private final int half;
    private volatile Halves halves = new Halves(new ConcurrentHashMap<>(), Map.of());

    SqlAnalyses(int capacity) {
        this.half = capacity / 2;
    }

    SqlAnalysis of(String sql) {
        Halves now = halves;
        SqlAnalysis known = now.younger.get(sql);
        if (known != null) {
            return known;
        }
        SqlAnalysis older = now.older.get(sql);
        SqlAnalysis analysis = older == null ? SqlAnalysis.of(sql) : older;
        if (sql.length() <= LONGEST) {
            keep(now, sql, analysis);
        }
        return analysis;
    }

    int size() {
        return halves.younger.size() + halves.older.size();
    }

    private void keep(Halves now, String sql, SqlAnalysis analysis) {
        if (now.younger.size() >= half) {
            Map<String, SqlAnalysis> fresh = new ConcurrentHashMap<>();
            fresh.put(sql, analysis);
            halves = new Halves(fresh, now.younger);
        } else {
            now.younger.put(sql, analysis);
        }
    }

    private record Halves(Map<String, SqlAnalysis> younger, Map<String, SqlAnalysis> older) {}
}
