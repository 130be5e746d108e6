package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.foreign.ForeignChecks;
import io.github.shardedid.hibernate.internal.foreign.ForeignFetching;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappingReader;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.mapping.UnshardedLookups;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/** The checks of a session factory's mappings. */
public final class MappingChecks {
    private MappingChecks() {}

    /**
     * Reads the mappings, refuses those that cannot work, and moves the tables of global entities to the schema of the global
     * database.
     */
    public static ShardedMappings readChecked(
            Metadata metadata,
            SessionFactoryOptions options,
            IdLayout layout,
            @Nullable GlobalDatabase globalDatabase) {
        MappingProblems problems = new MappingProblems();
        List<Foreign> foreign = ForeignAttributes.read(metadata, problems);
        ForeignFetching.prepare(metadata, foreign, options.getDefaultBatchFetchSize());
        ShardedMappings mappings = new ShardedMappingReader(metadata, layout, problems).read(!foreign.isEmpty());
        List<PersistentClass> global = metadata.getEntityBindings().stream()
                .filter(entity -> mappings.isGlobal(entity.getEntityName()))
                .toList();
        if (globalDatabase == null) {
            global.forEach(entity -> problems.collect(() -> refuseGlobal(entity)));
        }
        if (!mappings.isEmpty()) {
            problems.collect(() -> UnshardedLookups.refuse(options));
        }
        ForeignChecks.checkTargets(foreign, mappings, problems);
        CrossingAssociations.check(metadata, mappings, problems);
        Colocation.check(metadata, mappings, problems);
        GlobalMappings moved = new GlobalMappings(metadata, global, problems);
        problems.refuse();
        moved.move();
        return mappings;
    }

    private static void refuseGlobal(PersistentClass entity) {
        throw new ShardedIdMappingException("The id of " + entity.getEntityName()
                + " has no @ShardedId, so the entity is global, but there is no global database. Annotate the id, or"
                + " name the database with sharded-id.global.database; in plain Hibernate, with"
                + " RoutingOptions.withGlobal(GlobalDatabase.on(name)).");
    }
}
