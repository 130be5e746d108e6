package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.internal.migration.FlywayMigrations;
import io.github.shardedid.provisioning.internal.migration.WantedMigrations;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the fingerprint of this instance's migrations, and finds shards that an instance of a newer version has migrated further. */
public final class MigrationsInspection {
    private final Map<String, ? extends DataSource> databases;
    private final FlywayMigrations migrations;
    private final Duration longest;

    /** Waits for a database for so long, or, if that is zero, without end. */
    public MigrationsInspection(
            Map<String, ? extends DataSource> databases, FlywayMigrations migrations, Duration longest) {
        this.databases = databases;
        this.migrations = migrations;
        this.longest = longest;
    }

    /** Of inspected databases, one or more. */
    public WantedMigrations wanted(Map<String, DatabaseState> states) {
        WantedMigrations own =
                new WantedMigrations(fingerprint(states.keySet().iterator().next()), Set.of());
        Map<String, DataSource> unsure = new TreeMap<>();
        states.forEach((name, state) -> {
            if (own.isUnsure(state.shards())) {
                unsure.putAll(only(name));
            }
        });
        return new EveryDatabase(unsure)
                        .run(
                                longest,
                                EveryDatabase.closingAfter(
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
                .run(longest, EveryDatabase.closingAfter(longest, (name, connection) -> {
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
