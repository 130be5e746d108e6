package io.github.shardedid.boot.test;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The settings of a cluster. They are part of the key of Spring's context cache.
 *
 * @param shards 0 before they are those {@linkplain #in of an application}, if the annotation has no number
 */
record ClusterSettings(int databases, int shards, Servers servers, String image) {
    private static final int MOST_BY_DEFAULT = 8;

    ClusterSettings {
        if (databases < 1 || (shards != 0 && shards < databases)) {
            throw new IllegalArgumentException("@AutoConfigureShardedCluster(databases = " + databases + ", shards = "
                    + shards + ") is invalid: use at least 1 database, and at least 1 shard per database.");
        }
    }

    static ClusterSettings of(AutoConfigureShardedCluster annotation) {
        return new ClusterSettings(
                annotation.databases(), annotation.shards(), annotation.servers(), annotation.image());
    }

    /**
     * The settings for an application: without a number of shards, that of the application if it is small.
     *
     * @throws IllegalArgumentException if the application's layout cannot number so many shards
     */
    ClusterSettings in(Environment environment) {
        Binder properties = Binder.get(environment);
        int bits =
                properties.bind("sharded-id.layout.shard-bits", Integer.class).orElse(13);
        int most = 1 << Math.max(0, Math.min(bits, 30));
        int configured = properties.bind("sharded-id.shards", Integer.class).orElse(MOST_BY_DEFAULT);
        int byDefault = Math.min(most, Math.max(databases, Math.min(configured, MOST_BY_DEFAULT)));
        int number = shards == 0 ? byDefault : shards;
        if (number > most || number < databases) {
            throw new IllegalArgumentException("@AutoConfigureShardedCluster(databases = " + databases + ", shards = "
                    + number + ") does not fit sharded-id.layout.shard-bits = " + bits + ", which number at most "
                    + most
                    + " shards. Correct the annotation of the test.");
        }
        return new ClusterSettings(databases, number, servers, image);
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
