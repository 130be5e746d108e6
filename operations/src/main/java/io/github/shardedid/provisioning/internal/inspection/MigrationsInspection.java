package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.internal.migration.SchemaMigrations;
import io.github.shardedid.provisioning.internal.migration.WantedMigrations;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase.Answers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the fingerprint of this instance's migrations, and finds shards that an instance of a newer version has migrated further. */
public final class MigrationsInspection {
    private final EveryDatabase databases;
    private final SchemaMigrations migrations;
    private final Duration longest;

    /** Waits for a database for so long, or, if that is zero, without end. */
    public MigrationsInspection(EveryDatabase databases, SchemaMigrations migrations, Duration longest) {
        this.databases = databases;
        this.migrations = migrations;
        this.longest = longest;
    }

    /** Of inspected databases, one or more. */
    public WantedMigrations wanted(Map<String, DatabaseState> states) {
        WantedMigrations own =
                new WantedMigrations(fingerprint(states.keySet().iterator().next()), Set.of());
        List<String> unsure = states.values().stream()
                .filter(state -> own.isUnsure(state.shards()))
                .map(DatabaseState::name)
                .toList();
        return databases
                .only(unsure)
                .runClosing(
                        longest,
                        (name, connection) -> own.learn(
                                connection,
                                name,
                                Transaction.read(connection, () -> StoredShard.readAll(connection)),
                                migrations))
                .results()
                .values()
                .stream()
                .reduce(own, WantedMigrations::and);
    }

    private @Nullable String fingerprint(String database) {
        Answers<Optional<String>> answers = databases
                .only(Set.of(database))
                .runClosing(longest, (name, connection) -> Optional.ofNullable(migrations.fingerprint(connection)));
        EveryDatabase.requireAll(answers.unreachable());
        return answers.results().values().iterator().next().orElse(null);
    }
}
