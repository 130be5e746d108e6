package io.github.shardedid.provisioning;

import io.github.shardedid.provisioning.internal.GlobalWork;
import io.github.shardedid.provisioning.internal.Provisioning;
import io.github.shardedid.provisioning.internal.RunJournal;
import io.github.shardedid.provisioning.internal.Setup;
import io.github.shardedid.topology.GlobalDatabase;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the databases of a cluster for an application. Safe for use by several threads.
 *
 * <ol>
 *   <li>All databases are inspected in parallel, and what they store is compared with the configuration. Nothing is
 *       changed if anything differs. One exception is thrown; those of other differences are suppressed in it.
 *   <li>If no database is provisioned yet, a cluster id is generated under a lock, and each database stores it
 *       together with the layout and its initial shards. All databases must be reachable for this.
 *   <li>Otherwise the contents of the databases decide: a new database joins the cluster and owns nothing, one that
 *       cannot be reached is skipped with a warning. If more shards are configured than stored, the others are added, where the
 *       configuration says or evenly, unless a database cannot be reached.
 *   <li>Each database creates the schemas of its shards and runs the migrations in them, one instance at a time; the
 *       global database, if there is one, those of the global entities.
 * </ol>
 *
 * <p>A run can be killed at any point: the next one continues.
 */
public final class Provisioner {
    private final Setup setup;
    private final RunJournal journal;

    /**
     * The outcome of {@link #provisionFirst}. Immutable.
     *
     * @param shard the shard that has been migrated; null if no others lack migrations
     * @param failure why a script failed in it, or in the global schema; null if none did
     * @param skipped the databases that could not be reached, each with the reason
     */
    public record FirstShard(
            @Nullable Integer shard, @Nullable ProvisioningException failure, Map<String, String> skipped) {
        /** Copies the map. */
        public FirstShard {
            skipped = Map.copyOf(skipped);
        }
    }

    /**
     * Creates a provisioner; no database is asked yet.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by the names of the definition. Connections may be pooled, one per pool is enough;
     *     they are returned with their settings restored. Their users need CREATE on the database while schemas are created.
     *     Session-level advisory locks must work: no transaction pooling in between
     * @param migrations the application's own scripts
     * @throws IllegalArgumentException if the names are not those of the definition
     */
    public Provisioner(
            ClusterDefinition definition, Map<String, ? extends DataSource> databases, ShardMigrations migrations) {
        this(definition, databases, migrations, InstantSource.system());
    }

    /**
     * Creates a provisioner with another clock, for tests.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by the names of the definition
     * @param migrations the application's own scripts
     * @param clock tells whether the layout can express the present
     * @throws IllegalArgumentException if the names are not those of the definition
     */
    public Provisioner(
            ClusterDefinition definition,
            Map<String, ? extends DataSource> databases,
            ShardMigrations migrations,
            InstantSource clock) {
        this(new Setup(
                definition, new TreeMap<>(databases), migrations.runner(), null, clock, ProvisioningOptions.DEFAULT));
    }

    private Provisioner(Setup setup) {
        this.setup = setup;
        this.journal = new RunJournal(setup);
    }

    /**
     * Returns a provisioner that also creates the schema of the global entities, in one of the databases.
     *
     * @param database the database and the schema; an existing schema is used as it is
     * @param scripts the application's own scripts for that schema; each runs once, whatever the number of shards
     * @return a new provisioner, otherwise as this one
     * @throws IllegalArgumentException if the cluster has no database of that name
     */
    public Provisioner withGlobal(GlobalDatabase database, ShardMigrations scripts) {
        if (!setup.databases().containsKey(database.database())) {
            throw new IllegalArgumentException("The global entities are configured for database " + database.database()
                    + ", but the cluster's databases are " + setup.databases().keySet() + ".");
        }
        return with(new GlobalWork(database, scripts.runner()), setup.options());
    }

    /**
     * Returns a provisioner with other options.
     *
     * @param other the number of connections, constraints and roles
     * @return a new provisioner, otherwise as this one
     */
    public Provisioner withOptions(ProvisioningOptions other) {
        return with(setup.global(), other);
    }

    private Provisioner with(@Nullable GlobalWork global, ProvisioningOptions options) {
        return new Provisioner(
                new Setup(setup.definition(), setup.databases(), setup.migrations(), global, setup.clock(), options));
    }

    /**
     * Returns a provisioner that knows further columns, which get constraints on ids.
     *
     * @param columns as {@link ProvisioningOptions#withColocated} has them
     * @return a new provisioner, otherwise as this one
     */
    public Provisioner withColocated(Map<String, Set<String>> columns) {
        return withOptions(setup.options().withColocated(columns));
    }

    /**
     * Creates and migrates what is missing. If nothing is missing, sends one query per database. If the cluster is not new, a
     * database that has not answered 2 seconds after the first one is skipped.
     *
     * @return the databases that were skipped, each with the reason: provision again when they can be reached, see
     *     {@link io.github.shardedid.provisioning.UnavailableDatabases}
     * @throws io.github.shardedid.ClusterConfigurationException if the cluster is new and the initial shards do not
     *     cover it
     * @throws ProvisioningException if something has to be corrected first; its reason says what. After a migration that fails,
     *     databases other than that one are completed
     * @throws io.github.shardedid.ClusterConfigurationException if the layout cannot express the present
     */
    public Map<String, String> provision() {
        return provisioning().run();
    }

    /**
     * Creates what is missing, but migrates one shard only; none if one has all migrations
     * already: for an application that compares it with its mappings before {@link #provision()} migrates the others. Adds no
     * constraints on ids: {@link #constrain(Set)} does.
     *
     * @return the shard
     * @throws io.github.shardedid.ShardedIdException as {@link #provision()} does
     */
    public FirstShard provisionFirst() {
        return provisioning().runFirst();
    }

    /**
     * Adds missing constraints on ids, and nothing else, as {@link #provision()} does at its end. Databases that cannot be reached are
     * left out. If nothing is missing, sends one query per database.
     *
     * @param skipped names of databases that are not asked, since they could not be reached shortly before
     */
    public void constrain(Set<String> skipped) {
        provisioning().constrain(skipped);
    }

    /**
     * Checks that nothing is missing, for applications whose users may not create anything. Databases that
     * cannot be reached are skipped with a warning, unless none can be reached.
     *
     * @return the databases that were skipped, each with the reason
     * @throws ProvisioningException if the cluster, a database of it, a schema or a migration is missing
     * @throws io.github.shardedid.ShardedIdException as {@link #provision()} does, if the databases do not match the configuration
     */
    public Map<String, String> check() {
        return provisioning().check();
    }

    /**
     * Inspects the version of each shard, scripts that have failed in it, and how its structure differs from that of
     * most shards. Changes nothing.
     *
     * @return the report; without the shards of databases that cannot be reached, unless none can be reached
     * @throws io.github.shardedid.ShardedIdException as {@link #provision()} does, if the databases do not match the
     *     configuration
     */
    public DriftReport drift() {
        return provisioning().drift();
    }

    /**
     * Completes what processes that have died have left: runs of provisioners with the same scripts as this one. Runs with other
     * scripts, such as those of a newer version of the application, are left alone. Does nothing
     * about databases that do not answer within 2 seconds, whose schema {@code sharded_id} the user does not own, or in which
     * another process is at work.
     *
     * @return why that has failed; empty if it has not
     */
    public List<String> completeAbandoned() {
        return journal.complete(this::provision);
    }

    private Provisioning provisioning() {
        return new Provisioning(setup);
    }
}
