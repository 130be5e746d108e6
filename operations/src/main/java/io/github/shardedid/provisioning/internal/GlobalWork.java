package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.StoredGlobal;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
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

    /** Stored instead of a fingerprint while scripts run, which commit one by one: the process may be killed between them. */
    private static final String UNFINISHED = "unfinished";

    /** Refuses a second location: an empty one would look like lost rows. */
    void check(Collection<DatabaseState> states) {
        for (DatabaseState state : states) {
            StoredGlobal stored = state.global();
            boolean here = state.name().equals(global.database());
            if (stored != null && !(here && stored.schema().equals(global.schema()))) {
                throw new ProvisioningException(
                        Reason.DIFFERENT_GLOBAL,
                        "The global entities are on database " + state.name()
                                + " in the schema " + stored.schema() + ", not on " + global.database() + " in "
                                + global.schema()
                                + ". Configure the global database as it is or, after they have been copied,"
                                + " drop the table sharded_id.global_schema of " + state.name()
                                + ". Nothing was changed.");
            }
            if (stored != null && !stored.exists()) {
                throw new ProvisioningException(
                        Reason.DAMAGED_DATABASE,
                        "The schema " + stored.schema() + " of the global entities is gone"
                                + " from database " + state.name() + ". Restore it, or drop the table"
                                + " sharded_id.global_schema there to begin with an empty one. Nothing was changed.");
            }
        }
    }

    /** Returns whether the schema or a migration is missing in the database that is to have them. */
    boolean isNeeded(Connection connection) throws SQLException {
        return isBehind(connection, StoredGlobal.read(connection), false);
    }

    /** A run that migrates also finishes what another one left unfinished, which gets its fingerprint. */
    private boolean isBehind(Connection connection, @Nullable StoredGlobal stored, boolean finishes)
            throws SQLException {
        if (stored == null) {
            return true;
        }
        String wanted = migrations.fingerprint(connection);
        if (wanted == null || wanted.equals(stored.migrations())) {
            return false;
        }
        return stored.migrations() == null
                || (finishes && stored.migrations().equals(UNFINISHED))
                || !migrations.history(connection, stored.schema()).complete();
    }

    /** Does the work. One instance at a time; the others find nothing left to do. */
    void run(String database, Connection connection) throws SQLException {
        if (isBehind(connection, StoredGlobal.read(connection), true)
                || RunJournal.isUnfinished(connection, RunJournal.Kind.GLOBAL, migrations)) {
            try (SessionLock lock = SessionLock.take(database, connection, SessionLock.DATABASE)) {
                RunJournal.during(connection, RunJournal.Kind.GLOBAL, migrations, () -> work(database, connection));
            }
        }
    }

    private void work(String database, Connection connection) throws SQLException {
        StoredGlobal stored = StoredGlobal.read(connection);
        if (isBehind(connection, stored, true)) {
            if (stored == null) {
                StoredGlobal.create(connection, global.schema());
            } else if (stored.migrations() != null) {
                StoredGlobal.remember(connection, UNFINISHED);
            }
            migrations.migrate(
                    connection, global.schema(), "the global schema " + global.schema() + " of database " + database);
            String own = migrations.fingerprint(connection);
            String standing = own == null
                    ? null
                    : migrations.history(connection, global.schema()).standing(own);
            StoredGlobal.remember(connection, standing);
            LOG.info("Database {}: schema {} of the global entities is up to date", database, global.schema());
        }
    }
}
