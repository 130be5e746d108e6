package io.github.shardedid.boot.test;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import java.util.LinkedHashMap;
import java.util.Map;

/** What tests must agree on to share an application context: part of the key of Spring's cache. */
record ClusterSettings(int databases, int shards, Servers servers, String image) {
    ClusterSettings {
        if (databases < 1 || shards < databases) {
            throw new IllegalArgumentException("@AutoConfigureShardedCluster(databases = " + databases + ", shards = "
                    + shards + ") cannot be: there is 1 database or more, and a shard for each.");
        }
    }

    static ClusterSettings of(AutoConfigureShardedCluster annotation) {
        return new ClusterSettings(
                annotation.databases(), annotation.shards(), annotation.servers(), annotation.image());
    }

    /** By the names of the databases, in order: the ranges of their shards. */
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
