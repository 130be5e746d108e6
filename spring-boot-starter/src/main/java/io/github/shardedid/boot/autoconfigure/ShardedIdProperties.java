package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.provisioning.ProvisioningOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is configured of a sharded cluster. Immutable; its text shows no password and no URL.
 *
 * @param epoch What timestamp 0 of an id stands for, a whole number of milliseconds. Ids last 34.8 years from here: choose a
 *     recent one, not in the future. Fixed for the cluster's life. Default: the published 2011-08-24T21:07:01.721Z.
 * @param shards How many logical shards there are, far more than databases, numbered from 0. Fixed for the cluster's life.
 * @param jvmNodes Among how many JVM nodes the upper half of the sequence is divided: 0 (the database has all of it) or a power
 *     of two. What the databases store; changed by change-jvm-nodes-to.
 * @param jvmIds How this JVM makes the ids of entities whose strategy is JVM.
 * @param layout How the bits of an id are divided. Fixed for the cluster's life.
 * @param databases The physical databases by name, such as pg1. A name is fixed for the database's life.
 * @param hikari Settings of HikariCP for the pools of all databases.
 * @param migrations Where the application's Flyway scripts are, which run in the schema of every shard. Empty: none.
 * @param flyway How these scripts are run, those of the global entities included.
 * @param provisioning What is done with the databases at start-up.
 * @param commonSchemas The schemas that are part of every search path beside a shard's own, such as those of extensions. Empty:
 *     public, and the schemas that hold extensions.
 * @param deferredBegin Whether a transaction begins on a database only when it locks or writes something there; plain
 *     queries before that run in autocommit and hold no connection between them.
 * @param readPoolSize How many more connections each database may get for what transactions read there while they hold a
 *     connection elsewhere, opened when needed. 0: such reads use the database's pool. Unused without deferred-begin.
 * @param changeJvmNodesTo A command: changes what the databases store as jvm-nodes, and exits instead of starting the
 *     application.
 * @param reportDrift A command: says in which versions and structures the shards differ, and exits instead of starting the
 *     application.
 * @param repairMigrations A command: repairs the histories of scripts in all shards after one failed outside of a
 *     transaction, and exits instead of starting the application.
 * @param allShards How queries over several shards are sent.
 * @param replicas How the read replicas of the databases are used.
 * @param placement Which shards new rows get that have neither a shard key nor a parent, such as a new user.
 * @param global Where the entities live that are not sharded.
 * @param fenceWait How long a statement waits at most for a shard that is being moved to another database. 0: not at all.
 * @param map How the map of the shards is kept fresh.
 * @param moves How shards are moved between the databases.
 */
@ConfigurationProperties("sharded-id")
public record ShardedIdProperties(
        @Nullable Instant epoch,
        @Nullable Integer shards,
        @DefaultValue("32") int jvmNodes,
        @DefaultValue JvmIds jvmIds,
        @DefaultValue Layout layout,
        @DefaultValue Map<String, Database> databases,
        @DefaultValue Map<String, String> hikari,
        @DefaultValue("classpath:db/shard") List<String> migrations,
        @DefaultValue Flyway flyway,
        @DefaultValue Provisioning provisioning,
        @DefaultValue List<String> commonSchemas,
        @DefaultValue("true") boolean deferredBegin,
        @DefaultValue("2") int readPoolSize,
        @Nullable Integer changeJvmNodesTo,
        @Nullable Boolean reportDrift,
        @Nullable Boolean repairMigrations,
        @DefaultValue AllShards allShards,
        @DefaultValue Replicas replicas,
        @DefaultValue Placement placement,
        @DefaultValue Global global,
        @DefaultValue("10s") Duration fenceWait,
        @DefaultValue ShardMap map,
        @DefaultValue Moves moves) {

    @Override
    public String toString() {
        return "ShardedIdProperties[epoch=" + epoch + ", shards=" + shards + ", jvmNodes=" + jvmNodes + ", layout="
                + layout + ", databases=" + databases.keySet() + "]";
    }

    /**
     * How this JVM makes the ids of entities whose strategy is JVM.
     *
     * @param lease How long a JVM holds a node of a shard before it must renew the lease, and how long a node stays unused
     *     after a JVM was killed; 10ms to 5m.
     * @param ahead How far ids may run ahead of the clock in a burst before the database makes them; 0 to 5m.
     */
    public record JvmIds(@DefaultValue("5m") Duration lease, @DefaultValue("1s") Duration ahead) {}

    /**
     * How the bits of an id are divided; together 64, or 32.
     *
     * @param unit What one step of the timestamp is worth: milliseconds or seconds.
     * @param timestampBits Width of the timestamp, the sign bit included.
     * @param shardBits Width of the logical shard.
     * @param sequenceBits Width of the sequence.
     */
    public record Layout(
            @DefaultValue("milliseconds") TimestampUnit unit,
            @DefaultValue("41") int timestampBits,
            @DefaultValue("13") int shardBits,
            @DefaultValue("10") int sequenceBits) {}

    /**
     * A physical database. Its text shows no password and no URL.
     *
     * @param url JDBC URL of a PostgreSQL database.
     * @param username User of the database.
     * @param password Password of the user.
     * @param shards Ranges of the logical shards that it gets when the cluster is first provisioned, such as 0-999. Not
     *     looked at later, since the databases know what they own.
     * @param hikari Settings of HikariCP for this database's pool; they count more than those for all databases.
     * @param replicas Its read replicas: hot standbys that stream from it.
     * @param replication How the servers of other databases reach it when a shard moves away from it.
     */
    public record Database(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue List<String> shards,
            @DefaultValue Map<String, String> hikari,
            @DefaultValue List<Replica> replicas,
            @DefaultValue Replication replication) {

        @Override
        public String toString() {
            return "Database[shards=" + String.join(", ", shards) + "]";
        }
    }

    /**
     * How the server of another database reaches this one for logical replication. Its text shows nothing.
     *
     * @param host Host as the other servers resolve it. Default: that of the database's URL.
     * @param port Port of the server. Default: that of the database's URL.
     * @param database Name of the database on its server. Default: that of the database's URL.
     * @param username A user with the attribute REPLICATION who may read the shards' tables. Default: the database's.
     * @param password Password of the user; it is stored in the subscription at the other server while a shard moves.
     *     Default: the database's, if username is not set.
     */
    public record Replication(
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String database,
            @Nullable String username,
            @Nullable String password) {

        @Override
        public String toString() {
            return "Replication";
        }
    }

    /**
     * How shards are moved between the databases.
     *
     * @param concurrent How many shards of a plan are moved at once.
     * @param lockTimeout How long one try to fence a shard waits for locks, while statements that come later wait behind it.
     * @param fenceTimeout How long to try to fence a shard again and again until the move is left unfinished.
     * @param catchUpTimeout How long the target may take to catch up with what is written, after the copy.
     */
    public record Moves(
            @DefaultValue("2") int concurrent,
            @DefaultValue("100ms") Duration lockTimeout,
            @DefaultValue("10m") Duration fenceTimeout,
            @DefaultValue("1h") Duration catchUpTimeout) {}

    /**
     * A read replica of a database. Its text shows no password and no URL.
     *
     * @param url JDBC URL of the replica.
     * @param username User of the replica. Default: the database's.
     * @param password Password of the user. Default: the database's.
     * @param hikari Settings of HikariCP for this replica's pool; they count more than the database's and those for all.
     */
    public record Replica(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue Map<String, String> hikari) {

        @Override
        public String toString() {
            return "Replica";
        }
    }

    /**
     * How the read replicas of the databases are used.
     *
     * @param forReadOnly Whether read-only transactions and connections read from replicas. If not, only what runs in a scope
     *     of ReadsFrom.REPLICA does.
     * @param retryAfter How long a replica that could not be reached is passed over.
     */
    public record Replicas(@DefaultValue("true") boolean forReadOnly, @DefaultValue("10s") Duration retryAfter) {}

    /**
     * What is done with the databases at start-up.
     *
     * @param enabled Whether missing functions, schemas and tables are created. If not, start-up only checks that all is
     *     there.
     * @param checkSequences Whether the start fails if a shard has the table of an entity, but not the sequence of its ids; one
     *     query per database.
     * @param connectionsPerDatabase How many connections to each database make schemas and run migrations at once, 1 to 64; fewer
     *     where the pool is smaller.
     * @param whenBusy What is done about a database in which another instance is at work: wait for it, go-on if every shard
     *     has its schema, or fail.
     * @param idConstraints Whether each shard's table whose ids are made by next_id gets a check constraint that refuses ids of
     *     another shard, whoever writes them. Those that are there stay if this is switched off.
     * @param applicationRole The role as which the application runs, if it is not the one that provisions. It is granted what
     *     reading, writing and making ids needs, in each database.
     * @param readerRole A role that only reads; it is granted what that needs, in each database.
     * @param moverRole A role that moves shards; it must be a member of the role that provisions.
     */
    public record Provisioning(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("true") boolean checkSequences,
            @DefaultValue("2") int connectionsPerDatabase,
            @DefaultValue("wait") ProvisioningOptions.WhenBusy whenBusy,
            @DefaultValue("false") boolean idConstraints,
            @Nullable String applicationRole,
            @Nullable String readerRole,
            @Nullable String moverRole) {}

    /**
     * How Flyway runs the scripts.
     *
     * @param baselineVersion The version at which a shard's schema begins that has tables but no history of scripts, because it
     *     was filled before they were under Flyway. Not set: all scripts run there.
     * @param outOfOrder Whether a script runs whose version is lower than one that has run.
     * @param placeholders What stands for ${name} in the scripts, by name.
     * @param replay Whether the statements that Flyway sends to one shard are recorded and sent to the others with the same history,
     *     which is several times faster for many shards. An imitation of Flyway, for scripts of plain SQL only.
     */
    public record Flyway(
            @Nullable String baselineVersion,
            @DefaultValue("false") boolean outOfOrder,
            @DefaultValue Map<String, String> placeholders,
            @DefaultValue("false") boolean replay) {

        /** Without the placeholders' values, which may be secrets. */
        @Override
        public String toString() {
            return "Flyway[baselineVersion=" + baselineVersion + ", outOfOrder=" + outOfOrder + ", placeholders="
                    + placeholders.keySet() + ", replay=" + replay + "]";
        }
    }

    /**
     * How queries over several shards are sent.
     *
     * @param shardsPerStatement How many shards of a database one statement asks, 1 to 250.
     * @param connectionsPerDatabase How many connections one query takes from each database's pool at most; it goes on with
     *     fewer where the pool has no more to give.
     * @param concurrentQueries How many such queries run at once; a further one waits. No more than the smallest pool has connections for.
     * @param longestWait How long a query waits for its turn until it fails.
     * @param maxRows How many rows such a query may return, which are held in memory.
     */
    public record AllShards(
            @DefaultValue("50") int shardsPerStatement,
            @DefaultValue("1") int connectionsPerDatabase,
            @DefaultValue("8") int concurrentQueries,
            @DefaultValue("5s") Duration longestWait,
            @DefaultValue("100000") int maxRows) {}

    /**
     * Which shards new rows get that have neither a shard key nor a parent.
     *
     * @param weights How many such rows each shard of a database gets for every one that a shard of weight 1 gets, by database
     *     name. 0: none, to empty a database; more than 1: to fill a new one faster. Databases that are not named have weight
     *     1.
     */
    public record Placement(@DefaultValue Map<String, Double> weights) {}

    /**
     * Where the entities live that are not sharded.
     *
     * @param database The name under sharded-id.databases of the one that has them; it may own shards, too. Not set: such
     *     entities are refused at start.
     * @param schema The schema in that database, which holds nothing else.
     * @param migrations Where the application's Flyway scripts are, which run in that schema. Empty: none.
     */
    public record Global(
            @Nullable String database,
            @DefaultValue("sharded_global") String schema,
            @DefaultValue("classpath:db/global") List<String> migrations) {}

    /**
     * How the map of the shards is kept fresh.
     *
     * @param poll How often the databases are asked what they own, although none has notified a change.
     * @param retry How long after a failure they are asked again, at first, and while one cannot be reached; it grows to five
     *     times that.
     */
    public record ShardMap(@DefaultValue("30s") Duration poll, @DefaultValue("1s") Duration retry) {}
}
