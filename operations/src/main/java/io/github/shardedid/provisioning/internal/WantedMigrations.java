package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fingerprints of schemas that are up to date for this instance. Immutable.
 *
 * @param fingerprint of its own scripts, or null if it has none
 * @param beyond fingerprints of schemas that others have migrated further, where Flyway finds nothing to do and nothing wrong: an
 *     instance of an older version leaves them alone
 */
public record WantedMigrations(@Nullable String fingerprint, Set<String> beyond) {
    /** Nothing is wanted. */
    public static final WantedMigrations NONE = new WantedMigrations(null, Set.of());

    /** Begins what is stored of a shard, instead of a fingerprint, while Flyway migrates it; the number of the shard follows. */
    static final String UNFINISHED = "unfinished in shard ";

    private static final Logger LOG = LoggerFactory.getLogger(WantedMigrations.class);

    /** Returns whether a schema with this stored fingerprint is up to date. */
    public boolean isAt(@Nullable String stored) {
        return fingerprint == null || (stored != null && (fingerprint.equals(stored) || beyond.contains(stored)));
    }

    /** Returns whether Flyway must be asked about a shard. */
    boolean isUnsure(StoredShard shard) {
        return shard.served() && shard.schemaExists() && shard.migrations() != null && !isAt(shard.migrations());
    }

    /** Asks Flyway about one shard of each fingerprint that is not known. Changes nothing in the database. */
    public WantedMigrations learn(
            Connection connection, String database, List<StoredShard> shards, SchemaMigrations migrations)
            throws SQLException {
        Set<String> asked = new HashSet<>();
        Set<String> more = new HashSet<>(beyond);
        for (StoredShard shard : shards) {
            String stored = shard.migrations();
            String schema = ShardSchema.nameOf(shard.shard());
            if (stored != null
                    && isUnsure(shard)
                    && asked.add(stored)
                    && migrations.history(connection, schema).complete()) {
                more.add(stored);
                LOG.info(
                        "Database {}: shard {} and others have scripts that are not known here, and are left as they are",
                        database,
                        shard.shard());
            }
        }
        return new WantedMigrations(fingerprint, Set.copyOf(more));
    }

    /** Returns the migrations that a run wants that migrates: what another one left unfinished is finished, and gets its fingerprint. */
    public WantedMigrations finishing() {
        return new WantedMigrations(
                fingerprint,
                beyond.stream()
                        .filter(stored -> !stored.startsWith(UNFINISHED))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns both together. */
    public WantedMigrations and(WantedMigrations other) {
        Set<String> both = new HashSet<>(beyond);
        both.addAll(other.beyond);
        return new WantedMigrations(fingerprint, Set.copyOf(both));
    }
}
