package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.internal.migration.WantedMigrations;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase;
import io.github.shardedid.provisioning.ShardMigrations;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds out what this instance's migrations are, and which shards an instance of a newer version has migrated further. */
public final class MigrationsInspection {
    private final Map<String, ? extends DataSource> databases;
    private final ShardMigrations migrations;
    private final Duration longest;

    /** Waits for a database for so long, or, if that is zero, for ever. */
    public MigrationsInspection(Map<String, ? extends DataSource> databases, ShardMigrations migrations, Duration longest) {
        this.databases = databases;
        this.migrations = migrations;
        this.longest = longest;
    }

    /** Of databases that have been looked at, one or more. */
    public WantedMigrations wanted(Map<String, DatabaseState> looks) {
        WantedMigrations own =
                new WantedMigrations(fingerprint(looks.keySet().iterator().next()), Set.of());
        Map<String, DataSource> unsure = new TreeMap<>();
        looks.forEach((name, state) -> {
            if (own.isUnsure(state.shards())) {
                unsure.putAll(only(name));
            }
        });
        return new EveryDatabase(unsure)
                        .run(
                                longest,
                                EveryDatabase.breakingOffAfter(
                                        longest,
                                        (name, connection) -> own.learn(
                                                connection,
                                                name,
                                                Transaction.read(connection, () -> StoredShard.readAll(connection)),
                                                migrations)))
                        .results()
                        .values()
                        .stream()
                        .reduce(own, WantedMigrations::and);
    }

    private @Nullable String fingerprint(String database) {
        AtomicReference<@Nullable String> fingerprint = new AtomicReference<>();
        EveryDatabase.requireAll(new EveryDatabase(only(database))
                .run(longest, EveryDatabase.breakingOffAfter(longest, (name, connection) -> {
                    fingerprint.set(migrations.fingerprint(connection));
                    return name;
                }))
                .unreachable());
        return fingerprint.get();
    }

    private Map<String, DataSource> only(String name) {
        return Map.of(name, Objects.requireNonNull(databases.get(name)));
    }
}
