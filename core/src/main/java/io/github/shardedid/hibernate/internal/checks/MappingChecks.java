package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.WayOut;
import io.github.shardedid.hibernate.internal.guards.GuardedTranslatorFactory;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.hibernate.internal.mapping.AssumedMappings;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappingReader;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.mapping.Any;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Stateful;
import org.hibernate.mapping.ToOne;
import org.hibernate.persister.state.internal.AuditStateManagement;
import org.hibernate.persister.state.internal.SoftDeleteStateManagement;
import org.hibernate.persister.state.internal.StandardStateManagement;
import org.hibernate.query.sqm.sql.SqmTranslatorFactory;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a session factory's mappings:
 *
 * <ol>
 *   <li>The mappings are read; what cannot work is collected, so that one exception names all of it.
 *   <li>What Hibernate would do with them and the settings is refused where it knows no shard: lookups by other values than the id, caches,
 *       joins of rows in different databases.
 *   <li>{@link #apply} changes the boot model: the tables of global entities are in the schema of the global database, and references to rows
 *       of other databases are read by their ids.
 * </ol>
 *
 * <p>Each check throws, and {@link MappingProblems} collects: an application that is being adapted sees all that is
 * left to do at one start.
 */
public final class MappingChecks {
    private static final Set<Class<?>> KNOWN_STATES =
            Set.of(StandardStateManagement.class, SoftDeleteStateManagement.class);

    private final Metadata metadata;
    private final SessionFactoryOptions options;
    private final MappingProblems problems;
    private final ShardedMappings mappings;
    private final ForeignAttributes foreign;
    /** The global entities, in the order of the boot model. */
    private final List<PersistentClass> global;

    private final GlobalMappings globalMappings;

    /**
     * Reads the mappings without changing them, and collects what cannot work.
     *
     * @param assumed what is assumed of entities without annotations
     * @param replicates whether the databases have the tables of entities that are declared to be replicated; else these are global like
     *     others
     */
    public MappingChecks(
            Metadata metadata,
            SessionFactoryOptions options,
            IdLayout layout,
            AssumedMappings assumed,
            boolean replicates,
            MappingProblems problems) {
        this.metadata = metadata;
        this.options = options;
        this.problems = problems;
        ShardedMappings read = new ShardedMappingReader(metadata, layout, problems, assumed).read();
        this.global = metadata.getEntityBindings().stream()
                .filter(entity -> read.isGlobal(entity.getEntityName()))
                .toList();
        this.mappings = read.replicating(replicates ? ReplicatedEntities.names(global) : Set.of());
        this.foreign = new ForeignAttributes(metadata, mappings, problems);
        ReplicatedEntities.check(metadata, problems);
        if (!mappings.isEmpty()) {
            refuseQueryCache();
            refuseTranslator();
        }
        refuseLookups();
        foreign.check();
        new AssociationChecks(mappings, foreign, problems).check(metadata);
        refuseHistories();
        this.globalMappings = new GlobalMappings(metadata, global, mappings, problems);
    }

    /** Returns the mappings. */
    public ShardedMappings mappings() {
        return mappings;
    }

    /** Returns the names of the tables of global entities, or of those of the others. */
    public Set<String> tables(boolean ofGlobal) {
        return globalMappings.tables(ofGlobal);
    }

    /**
     * Changes the boot model, and refuses global entities if there is no global database. References are changed
     * only if no problem was found, since the change assumes that they are what they have to be.
     *
     * @param globalDatabase null if the application has none
     */
    public void apply(@Nullable GlobalDatabase globalDatabase) {
        if (globalDatabase == null) {
            global.forEach(entity -> problems.add("The id of " + entity.getEntityName()
                    + " has no @ShardedId, so the entity is global, but there is no global database. Annotate the id, or"
                    + " name the database with " + WayOut.GLOBAL_DATABASE.of() + "."));
        }
        if (problems.found().isEmpty()) {
            foreign.prepare(options.getDefaultBatchFetchSize());
        }
        globalMappings.move();
    }

    /**
     * Refuses a translator of the application, which would replace the one that checks and routes queries.
     */
    private void refuseTranslator() {
        SqmTranslatorFactory given = options.getCustomSqmTranslatorFactory();
        if (!(given instanceof GuardedTranslatorFactory)) {
            problems.add(QuerySettings.SEMANTIC_QUERY_TRANSLATOR + " is "
                    + (given == null ? "empty" : given.getClass().getName())
                    + ", so queries by id or shard key would be executed in the scope that is open, not in the shard"
                    + " of the value, and nothing would check what statements join and change. Remove the setting, or"
                    + " let the class extend GuardedTranslatorFactory and call its methods.");
        }
    }

    /**
     * Refuses the histories of Hibernate itself, not those of Envers: Hibernate writes the rows of an audit log before the commit, and reads
     * them past the persisters, so both would be in the scope that happens to be open. Earlier states ({@code @Temporal}) have tables that
     * nothing else here knows. Entities of queries, which are neither sharded nor global, are left alone.
     */
    private void refuseHistories() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity instanceof RootClass root) {
                refuseHistory(root, root, root.getEntityName());
            }
        }
        metadata.getCollectionBindings().forEach(each -> refuseHistory(each, each.getOwner(), each.getRole()));
    }

    private void refuseHistory(Stateful mapped, PersistentClass owner, String path) {
        Class<?> state = mapped.getStateManagementType();
        String entity = owner.getEntityName();
        if (state != null
                && !KNOWN_STATES.contains(state)
                && (mappings.find(entity) != null || mappings.isGlobal(entity))) {
            problems.add(path + " has "
                    + (state == AuditStateManagement.class ? "@Audited" : "@Temporal")
                    + " of Hibernate (org.hibernate.annotations), whose history knows no shard: its rows could be written to and"
                    + " read from the scope that is open, not the shard of " + entity
                    + ". Audit it with Hibernate Envers (org.hibernate.envers.Audited), or remove the annotation.");
        }
    }

    /**
     * Refuses mappings with which Hibernate finds rows by another value than their id. Such a value knows no shard: it would find a row of one
     * shard in another one, or another row in the database to which a shard has moved.
     *
     * <p>The loads of a persister are routed by id, and those of queries by their conditions; for the lookups here,
     * Hibernate has neither. An entity that is global has one database, in which these values are unique.
     */
    private void refuseLookups() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (isSharded(entity)) {
                refuseRowId(entity);
                refuseNaturalId(entity);
            }
        }
        for (MappedValue<ToOne> toOne : Associations.toOnes(metadata)) {
            if (isSharded(toOne.owner()) && isByAnotherAttribute(toOne.value())) {
                refuseByAnotherAttribute(toOne + " refers to " + toOne.value().getReferencedEntityName());
            }
        }
        for (MappedValue<Any> any : Associations.anys(metadata)) {
            if (!mappings.isEmpty()) {
                problems.add(any.owner().getEntityName()
                        + " has an @Any or @ManyToAny, but only the rows say to which entities it refers, so neither its"
                        + " shard nor its database is known. Map a @ManyToOne for each of the entities, or keep the id and"
                        + " the kind of the other row in plain attributes.");
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            // The attribute on the other side of an inverse collection is refused.
            if (isSharded(collection.getOwner())
                    && !collection.isInverse()
                    && collection.getReferencedPropertyName() != null) {
                refuseByAnotherAttribute(
                        "The rows of " + collection.getRole() + " refer to " + collection.getOwnerEntityName());
            }
        }
    }

    /** Refuses an association by another attribute than the id, with both ways out. */
    private void refuseByAnotherAttribute(String what) {
        problems.add(
                what + " by another attribute than its id, which names no shard: each shard may have a row with that"
                        + " value. Refer to the id: remove referencedColumnName from @JoinColumn. Or, to read rows of the same shard,"
                        + " in which the value is unique, let the database find the id: replace @JoinColumn by"
                        + " @JoinFormula(\"(select o.id from other o where o.code = code)\").");
    }

    /** Not the inverse side of a one-to-one association: it refers to the other side's association, which contains this side's id. */
    private static boolean isByAnotherAttribute(ToOne toOne) {
        return toOne instanceof ManyToOne
                && toOne.getReferencedPropertyName() != null
                && !toOne.isReferenceToPrimaryKey();
    }

    private void refuseRowId(PersistentClass entity) {
        if (entity.getTable().getRowId() != null) {
            problems.add(entity.getEntityName()
                    + " has @RowId: Hibernate would update and delete its rows by their physical location (ctid). When"
                    + " the shard moves, a row gets another one, and its former one is that of another row. Remove"
                    + " @RowId.");
        }
    }

    private void refuseNaturalId(PersistentClass entity) {
        if (entity == entity.getRootClass() && entity.hasNaturalId()) {
            problems.add(entity.getEntityName()
                    + " has @NaturalId and is sharded: Hibernate caches the ids of rows by their natural ids alone, and would"
                    + " return a row of one shard for another one. Remove @NaturalId, and query for the values. To keep them"
                    + " unique, use @UniqueAcrossShards, or a unique constraint that contains the shard key.");
        }
    }

    private boolean isSharded(PersistentClass entity) {
        return mappings.find(entity.getEntityName()) != null;
    }

    private void refuseQueryCache() {
        if (options.isQueryCacheEnabled()) {
            problems.add("hibernate.cache.use_query_cache is true, but entities are sharded:"
                    + " the query cache knows no shard, and would return one shard's result in another one. Set it to"
                    + " false; the second-level cache of entities and collections can stay enabled.");
        }
    }
}
