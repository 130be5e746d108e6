package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.schema.StoredGlobal;
import io.github.shardedid.provisioning.DamagedDatabaseException;
import io.github.shardedid.provisioning.DifferentGlobalException;
import io.github.shardedid.provisioning.internal.inspection.DatabaseState;
import io.github.shardedid.provisioning.internal.migration.SchemaMigrations;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of the global entities: its location, and the work on it.
 *
 * @param global the database and the schema
 * @param migrations the application's own scripts for it
 */
public record GlobalWork(GlobalDatabase global, SchemaMigrations migrations) {
    private static final Logger LOG = LoggerFactory.getLogger(GlobalWork.class);

    /** Refuses a second location: an empty one would look like lost rows. */
    void check(Collection<DatabaseState> states) {
        for (DatabaseState state : states) {
            StoredGlobal stored = state.global();
            boolean here = state.name().equals(global.database());
            if (stored != null && !(here && stored.schema().equals(global.schema()))) {
                throw new DifferentGlobalException("The global entities are on database " + state.name()
                        + " in the schema " + stored.schema() + ", not on " + global.database() + " in "
                        + global.schema() + ". Configure sharded-id.global as it is or, after they have been copied,"
                        + " drop the table sharded_id.global_schema of " + state.name()
                        + ". Nothing was changed.");
            }
            if (stored != null && !stored.exists()) {
                throw new DamagedDatabaseException("The schema " + stored.schema() + " of the global entities is gone"
                        + " from database " + state.name() + ". Restore it, or drop the table"
                        + " sharded_id.global_schema there to begin with an empty one. Nothing was changed.");
            }
        }
    }

    /** Whether the schema or a migration is missing in the database that is to have them. */
    boolean isNeeded(Connection connection) throws SQLException {
        StoredGlobal stored = StoredGlobal.read(connection);
        String wanted = migrations.fingerprint(connection);
        return stored == null
                || (wanted != null
                        && !wanted.equals(stored.migrations())
                        && !(stored.migrations() != null && migrations.isComplete(connection, stored.schema())));
    }

    /** One instance at a time; the others find nothing left to do. */
    void run(String database, Connection connection) throws SQLException {
        RunJournal journal = new RunJournal(connection, RunJournal.Kind.GLOBAL, migrations);
        if (!isNeeded(connection) && !journal.isUnfinished()) {
            return;
        }
        try (SessionLock lock = SessionLock.onDatabase(connection)) {
            journal.during(() -> work(database, connection));
        }
    }

    private void work(String database, Connection connection) throws SQLException {
        if (isNeeded(connection)) {
            if (StoredGlobal.read(connection) == null) {
                StoredGlobal.create(connection, global.schema());
            }
            migrations.migrate(connection, global);
            String own = migrations.fingerprint(connection);
            StoredGlobal.remember(
                    connection, own == null ? null : migrations.standing(connection, global.schema(), own));
            LOG.info("Database {}: schema {} of the global entities is up to date", database, global.schema());
        }
    }
}
