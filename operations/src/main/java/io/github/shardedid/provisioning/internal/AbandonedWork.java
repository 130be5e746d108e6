package io.github.shardedid.provisioning.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.internal.RunJournal.Kind;
import io.github.shardedid.provisioning.internal.RunJournal.Unfinished;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes what processes that have died have left: runs that create or migrate schemas, if this instance has the same scripts.
 * Nothing is undone: PostgreSQL has rolled back the script that was interrupted, and those before it stay.
 */
public final class AbandonedWork {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedWork.class);
    private static final Duration WAIT = Duration.ofSeconds(2);

    /** Returns false also if there is no cluster. */
    private static final String OWNED = "SELECT coalesce((SELECT pg_catalog.pg_has_role(c.relowner, 'USAGE')"
            + " FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass('sharded_id.cluster')), false)";

    private final Map<String, DataSource> databases;
    private final Map<Kind, SchemaMigrations> migrations = new EnumMap<>(Kind.class);
    private final Map<Kind, String> fingerprints = new EnumMap<>(Kind.class);
    private final Inquiry<List<Run>> inquiry = Inquiry.pinned(WAIT, this::find);

    /** Asks no database yet. */
    public AbandonedWork(Map<String, DataSource> databases, SchemaMigrations migrations, @Nullable GlobalWork global) {
        this.databases = databases;
        this.migrations.put(Kind.SHARDS, migrations);
        if (global != null) {
            this.migrations.put(Kind.GLOBAL, global.migrations());
        }
    }

    private record Run(Unfinished journal, boolean ours) {}

    /**
     * Completes what it can. Databases that cannot be asked are asked the next time.
     *
     * @param provision creates and migrates what is missing
     * @return what was not completed, a text each with what to do
     */
    public synchronized List<String> complete(Runnable provision) {
        List<String> problems = new ArrayList<>();
        boolean ours = false;
        for (Map.Entry<String, List<Run>> each :
                inquiry.ask(databases).results().entrySet()) {
            for (Run run : each.getValue()) {
                if (run.ours && run.journal.failure() == null) {
                    ours = true;
                } else {
                    problems.add(problem(each.getKey(), run));
                }
            }
        }
        if (ours) {
            attempt(provision, problems);
        }
        return problems;
    }

    private static void attempt(Runnable provision, List<String> problems) {
        LOG.info("Provisioning was abandoned by its process; resuming it");
        try {
            provision.run();
            LOG.info("Provisioning is complete");
        } catch (ShardedIdException e) {
            LOG.warn("Provisioning could not be completed yet: {}", FailureReason.of(e));
            problems.add("Provisioning, whose process has died, could not be completed yet: " + FailureReason.of(e));
        }
    }

    private static String problem(String database, Run run) {
        String what = run.journal.kind() == Kind.GLOBAL ? "the global schema" : "shards";
        String failure = run.journal.failure();
        return "Database " + database + ": the run of " + run.journal.started() + " that creates or migrates " + what
                + (failure == null
                        ? " has not ended, and its process has died. This instance has other scripts, and leaves the"
                                + " schemas as they are."
                        : " has failed: " + failure)
                + " Start an instance with the scripts of that run; or, if they are no longer wanted, run"
                + " --sharded-id.repair-migrations=true and compare the shards with --sharded-id.report-drift=true.";
    }

    private List<Run> find(String name, Connection connection) throws SQLException {
        if (!Sql.is(connection, OWNED)) {
            return List.of();
        }
        List<Run> runs = new ArrayList<>();
        List<Unfinished> unfinished = RunJournal.read(connection);
        if (!unfinished.isEmpty() && !SessionLock.isHeldOnDatabase(connection)) {
            for (Unfinished run : unfinished) {
                runs.add(new Run(run, run.fingerprint().equals(fingerprint(connection, run.kind()))));
            }
        }
        return runs;
    }

    /** Returns null if this instance has no scripts of that kind. */
    private @Nullable String fingerprint(Connection connection, Kind kind) throws SQLException {
        synchronized (fingerprints) {
            SchemaMigrations own = migrations.get(kind);
            if (own != null && !fingerprints.containsKey(kind)) {
                fingerprints.put(kind, own.scriptSet(connection).fingerprint());
            }
            return fingerprints.get(kind);
        }
    }
}
