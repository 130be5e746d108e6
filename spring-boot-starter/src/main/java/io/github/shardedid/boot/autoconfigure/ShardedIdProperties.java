package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.migration.FlywayProperties;
import io.github.shardedid.boot.migration.LiquibaseProperties;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.spring.id.IdForm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of a sharded cluster. Immutable; {@code toString()} shows no password and no URL.
 *
 * @param epoch Instant of timestamp 0 of an id, in whole milliseconds. Ids last 34.8 years from then: choose a recent
 *     instant, not in the future. Fixed for the life of the cluster. Default: the published 2011-08-24T21:07:01.721Z.
 * @param shards Number of logical shards, far more than databases. They are numbered from 0. Can be raised later, never lowered;
 *     keys stay on the first shards.
 * @param jvmNodes Number of JVM nodes that share the upper half of the sequence: a power of two, or 0 to leave all of it to the
 *     database. Fixed for the life of the cluster.
 * @param jvmIds Ids of entities with strategy JVM.
 * @param layout Layout of the bits of an id. Fixed for the life of the cluster.
 * @param databases Physical databases by name, such as pg1. The name of a database is fixed for its life.
 * @param hikari HikariCP settings for the pools of all databases.
 * @param migrations Locations of the application's Flyway scripts, which run in the schema of every shard. Empty: no scripts.
 * @param flyway Flyway settings for these scripts, and for those of the global schema.
 * @param liquibase Liquibase change logs, instead of Flyway scripts, and settings for them.
 * @param provisioning Provisioning of the databases at start-up.
 * @param commonSchemas Schemas in every search path after that of the shard. Empty: public, and the schemas of extensions.
 * @param deferredBegin Whether to begin a transaction on a database only when it locks or writes something there. Queries
 *     before that run in autocommit and hold no connection in between.
 * @param readPoolSize Maximum number of additional connections to each database, opened when needed, for transactions that read
 *     there while they hold another one. 0: use the pool of the database. Ignored without deferred-begin.
 * @param allShards Queries over several shards.
 * @param global Database of the entities that are not sharded.
 * @param fenceWait Maximum time that a statement waits for a shard that is moving to another database. 0: do not wait.
 * @param map Refreshing of the shard map.
 * @param moves Moves of shards between databases.
 * @param json Ids in JSON and in request parameters.
 * @param health Health indicators.
 * @param repositories Repositories of sharded entities.
 * @param uniqueValues Values that are unique over all shards.
 */
@ConfigurationProperties("sharded-id")
public record ShardedIdProperties(
        @Nullable Instant epoch,
        @Nullable Integer shards,
        @DefaultValue("64") int jvmNodes,
        @DefaultValue JvmIds jvmIds,
        @DefaultValue Layout layout,
        @DefaultValue Map<String, Database> databases,
        @DefaultValue Map<String, String> hikari,
        @DefaultValue("classpath:db/shard") List<String> migrations,
        @NestedConfigurationProperty @DefaultValue FlywayProperties flyway,
        @NestedConfigurationProperty @DefaultValue LiquibaseProperties liquibase,
        @DefaultValue Provisioning provisioning,
        @DefaultValue List<String> commonSchemas,
        @DefaultValue("true") boolean deferredBegin,
        @DefaultValue("2") int readPoolSize,
        @DefaultValue AllShards allShards,
        @DefaultValue Global global,
        @DefaultValue("10s") Duration fenceWait,
        @DefaultValue ShardMap map,
        @DefaultValue Moves moves,
        @DefaultValue Json json,
        @DefaultValue Health health,
        @DefaultValue Repositories repositories,
        @DefaultValue UniqueValues uniqueValues) {
    @Override
    public String toString() {
        return "ShardedIdProperties[epoch=" + epoch + ", shards=" + shards + ", databases=" + databases.keySet() + "]";
    }

    /**
     * Ids of entities with strategy JVM.
     *
     * @param lease Duration of the lease of a node, 10ms to 5m. The node of a killed JVM stays unused until its lease ends.
     * @param ahead Maximum time that ids of a burst may run ahead of the clock before the database makes them, from 0 to 5m.
     */
    public record JvmIds(@DefaultValue("5m") Duration lease, @DefaultValue("1s") Duration ahead) {}

    /**
     * Layout of the bits of an id: 64 in all, or 32.
     *
     * @param unit Unit of the timestamp: milliseconds or seconds.
     * @param timestampBits Width of the timestamp, including the sign bit.
     * @param shardBits Width of the logical shard.
     * @param sequenceBits Width of the sequence.
     */
    public record Layout(
            @DefaultValue("milliseconds") TimestampUnit unit,
            @DefaultValue("41") int timestampBits,
            @DefaultValue("13") int shardBits,
            @DefaultValue("10") int sequenceBits) {}

    /**
     * A physical database. {@code toString()} shows no password and no URL.
     *
     * @param url JDBC URL of a PostgreSQL database.
     * @param directUrl JDBC URL of the server itself if url is a pooler's, for what needs a session, such as moves. Default: url.
     * @param username User of the database.
     * @param password Password of the user.
     * @param shards Ranges of shards that the database gets when the cluster is first provisioned, such as 0-999. Ignored later.
     * @param hikari HikariCP settings for the pool of this database, in preference to those for all databases.
     * @param replicas Read replicas: hot standbys that stream from this database.
     * @param replication How the servers of other databases connect to this one while a shard moves away from it.
     */
    public record Database(
            @Nullable String url,
            @Nullable String directUrl,
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
     * How the server of another database connects to this one for logical replication. {@code toString()} shows no value.
     *
     * @param host Host name that the other servers can resolve. Default: the host of the database's URL.
     * @param port Port of the server. Default: the port of the database's URL.
     * @param database Name of the database on its server. Default: the name in the database's URL.
     * @param username User with REPLICATION that may read the tables of the shards. Default: the database's user.
     * @param password Password, stored in the subscriptions of other servers: during a move, and as long as copies of replicated tables exist. Default: the database's, unless username is set.
     * @param parameters Further parameters of libpq, with files of the other servers. Default: sslmode as in the database's URL.
     */
    public record Replication(
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String database,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue Map<String, String> parameters) {
        @Override
        public String toString() {
            return "Replication";
        }
    }

    /**
     * Moves of shards between databases.
     *
     * @param concurrent Number of shards of a plan that move at the same time.
     * @param lockTimeout Maximum time that one attempt to fence a shard waits for locks. Later statements queue behind it.
     * @param fenceTimeout Maximum time to attempt to fence a shard again. After that the move remains unfinished.
     * @param catchUpTimeout Maximum time for the target to catch up with writes after the copy.
     * @param recover Whether this instance completes moves, plans and provisioning whose process has died, if its role may.
     */
    public record Moves(
            @DefaultValue("2") int concurrent,
            @DefaultValue("100ms") Duration lockTimeout,
            @DefaultValue("10m") Duration fenceTimeout,
            @DefaultValue("1h") Duration catchUpTimeout,
            @DefaultValue("true") boolean recover) {}

    /**
     * A read replica of a database. {@code toString()} shows no password and no URL.
     *
     * @param url JDBC URL of the replica.
     * @param username User of the replica. Default: the database's user.
     * @param password Password of the user. Default: the database's password.
     * @param hikari HikariCP settings for the pool of this replica, in preference to those of its database and of all databases.
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
     * Provisioning of the databases at start-up.
     *
     * @param enabled Whether to create missing functions, schemas and tables. Otherwise, start-up only checks that they exist.
     * @param checkSequences Whether to fail if the first shard of a database has the table of an entity, but not its sequence, or a plain sequence as the default of its id.
     * @param idConstraints Whether PostgreSQL refuses ids of another shard, by check constraints on ids and on references without a foreign key. Existing ones remain if disabled.
     * @param applicationRole Role of the application, if another role provisions. It may read, write and generate ids.
     * @param readerRole Role that may only read.
     * @param moverRole Role that moves shards. Must be a member of the role that provisions.
     */
    public record Provisioning(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("true") boolean checkSequences,
            @DefaultValue("true") boolean idConstraints,
            @Nullable String applicationRole,
            @Nullable String readerRole,
            @Nullable String moverRole) {}

    /**
     * Queries over several shards.
     *
     * @param shardsPerStatement Number of shards of a database that one statement queries, from 1 to 250.
     * @param concurrentQueries Maximum number of such queries at a time; limited to the connections of the smallest pool.
     * @param longestWait Maximum time that a query waits for others to end before it fails.
     * @param maxRows Maximum number of rows that such a query may return. They are held in memory.
     */
    public record AllShards(
            @DefaultValue("50") int shardsPerStatement,
            @DefaultValue("8") int concurrentQueries,
            @DefaultValue("5s") Duration longestWait,
            @DefaultValue("100000") int maxRows) {}

    /**
     * Database of the entities that are not sharded.
     *
     * @param database Name of the database under sharded-id.databases; it may own shards, too. Not set: such entities are refused.
     * @param schema Schema in that database, which contains nothing else.
     * @param migrations Locations of the application's Flyway scripts, which run in that schema. Empty: no scripts.
     */
    public record Global(
            @Nullable String database,
            @DefaultValue("sharded_global") String schema,
            @DefaultValue("classpath:db/global") List<String> migrations) {}

    /**
     * Refreshing of the shard map.
     *
     * @param poll Interval at which databases are queried for the shards they own, in addition to notifications of changes.
     * @param retry Delay before the first retry after a failure, or while a database is unreachable. It grows to five times this.
     */
    public record ShardMap(@DefaultValue("30s") Duration poll, @DefaultValue("1s") Duration retry) {}

    /**
     * Ids in JSON and in request parameters.
     *
     * @param idsAs Form of written ids: decimal, a text of digits; short-text, as in links; or number, which JavaScript rounds.
     */
    public record Json(@DefaultValue("decimal") IdForm idsAs) {}

    /**
     * Health indicators.
     *
     * @param databaseDown Status of an unreachable database if there are others, and of the shard map if a shard has no owner.
     *     DEGRADED leaves the application's own status alone, as it serves the other shards; DOWN makes it DOWN.
     */
    public record Health(@DefaultValue("DEGRADED") String databaseDown) {}

    /**
     * Repositories of sharded entities.
     *
     * @param unroutableMethods What to do at start-up about declared methods whose calls need a scope, because neither their names
     *     nor their parameters determine a shard: report them in the log, or refuse to start.
     */
    public record Repositories(@DefaultValue("report") Unroutable unroutableMethods) {}

    /**
     * Values that are unique over all shards.
     *
     * @param build Whether to start although existing rows have not claimed their values yet. What is written claims them; queries do not find
     *     rows by them until the command build-claims has succeeded.
     */
    public record UniqueValues(@DefaultValue("false") boolean build) {}

    /** What to do about methods whose calls need a scope. */
    public enum Unroutable {
        /** List them in the log, once. */
        REPORT,
        /** Refuse to start, with the list of them. */
        REFUSE
    }
}
