package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/**
 * Provisioning does not do what was requested. The message says what was found, and what to do. Nothing was changed, unless the
 * {@link Reason} says otherwise.
 */
public class ProvisioningException extends ShardedIdException {
    private final Reason reason;

    /** The cause that has to be corrected before provisioning is requested again. */
    public enum Reason {
        /** A database stores another layout, epoch or number of JVM nodes than configured, or more shards. */
        LAYOUT_MISMATCH,
        /**
         * A configured name leads to the wrong database: one of another cluster, one that was provisioned under another name, or one
         * that another name leads to as well.
         */
        WRONG_DATABASE,
        /**
         * Something that was provisioned is missing or altered: a function of schema {@code sharded_id}, the schema of a shard that the
         * database owns, or that of the global entities. It is not re-created: tables may have ids from the function that is there
         * now, and an empty schema would hide the loss of its rows.
         */
        DAMAGED_DATABASE,
        /** A schema or a role that provisioning needs, and does not create, does not exist in a database. */
        MISSING_OBJECT,
        /** The user of a database lacks a privilege that provisioning needs. */
        MISSING_PRIVILEGE,
        /** The global entities are in another database or schema than configured. */
        DIFFERENT_GLOBAL,
        /** A database is reached through a pooler where a session of its own is needed. */
        DIRECT_CONNECTION_REQUIRED,
        /**
         * A server is older than PostgreSQL 15, or the database was provisioned by another version of this library, whose schema
         * {@code sharded_id} differs.
         */
        UNSUPPORTED_VERSION,
        /** A part of the cluster is not provisioned, and only a check was requested. */
        UNPROVISIONED,
        /**
         * Databases could not be reached that are needed: all of them for a new cluster, for more shards and for a repair of histories,
         * at least one otherwise. A repair has repaired the other databases.
         */
        UNREACHABLE_DATABASE,
        /** A database refused a statement of the provisioner. What was done before stays. */
        FAILED_STATEMENT,
        /**
         * The application's migrations cannot be read, or one of them failed in a shard. What succeeded before stays; after a repair,
         * provisioning continues from there.
         */
        FAILED_MIGRATION,
        /**
         * Migrations are missing in shards that are being moved, whose structure must not change. All other shards have been
         * migrated.
         */
        MOVING_SHARDS
    }

    /**
     * Creates the exception.
     *
     * @param reason what has to be corrected
     * @param message the database, what was found, and what to do
     */
    public ProvisioningException(Reason reason, String message) {
        this(reason, message, null);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param reason what has to be corrected
     * @param message the database, shard and script, what was found, and what to do
     * @param cause what the database, Flyway or Liquibase said, or null
     */
    public ProvisioningException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns what has to be corrected. */
    public Reason reason() {
        return reason;
    }
}
