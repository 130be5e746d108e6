package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.ForeignAttributes.Foreign;
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
        List<Foreign> foreign = ForeignAttributes.read(metadata);
        ForeignFetching.prepare(metadata, foreign, options.getDefaultBatchFetchSize());
        ShardedMappings mappings = new ShardedMappingReader(metadata, layout).read();
        List<PersistentClass> global = metadata.getEntityBindings().stream()
                .filter(entity -> mappings.isGlobal(entity.getEntityName()))
                .toList();
        if (!global.isEmpty() && globalDatabase == null) {
            throw new ShardedIdMappingException("The id of " + global.get(0).getEntityName()
                    + " has no @ShardedId, so the entity is global, but there is no global database. Annotate the id, or"
                    + " name the database with sharded-id.global.database; in plain Hibernate, with"
                    + " RoutingOptions.withGlobal(GlobalDatabase.on(name)).");
        }
        if (!mappings.isEmpty()) {
            UnshardedLookups.refuse(options);
        }
        ForeignChecks.checkTargets(foreign, mappings);
        CrossingAssociations.check(metadata, mappings);
        Colocation.check(metadata, mappings);
        new GlobalMappings(metadata, global).move();
        return mappings;
    }
}
