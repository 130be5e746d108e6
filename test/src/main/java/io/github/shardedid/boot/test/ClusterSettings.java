package io.github.shardedid.boot.test;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a cluster. They are part of the key of Spring's context cache. */
record ClusterSettings(int databases, int shards, Servers servers, String image) {
    ClusterSettings {
        if (databases < 1 || shards < databases) {
            throw new IllegalArgumentException("@AutoConfigureShardedCluster(databases = " + databases + ", shards = "
                    + shards + ") is invalid: use at least 1 database, and at least 1 shard per database.");
        }
    }

    static ClusterSettings of(AutoConfigureShardedCluster annotation) {
        return new ClusterSettings(
                annotation.databases(), annotation.shards(), annotation.servers(), annotation.image());
    }

    /** Returns the ranges of shards by database name, in order. */
    Map<String, String> ranges() {
        Map<String, String> ranges = new LinkedHashMap<>();
        for (int i = 0; i < databases; i++) {
            int first = shards * i / databases;
            int last = shards * (i + 1) / databases - 1;
            ranges.put("pg" + (i + 1), first + "-" + last);
        }
        return ranges;
    }
}
