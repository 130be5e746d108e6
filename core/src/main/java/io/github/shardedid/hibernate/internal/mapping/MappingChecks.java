package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.PersistentClass;

/** What is looked at when a session factory is made: mappings that could not work, or only by chance, are refused. */
public final class MappingChecks {
    private MappingChecks() {}

    /** Reads the mappings, refuses what cannot work, and puts the global entities where they belong. */
    public static ShardedMappings readChecked(Metadata metadata, SessionFactoryImplementor factory, Sharding sharding) {
        ShardedMappings mappings =
                new ShardedMappingReader(metadata, sharding.cluster().layout()).read();
        List<PersistentClass> global = metadata.getEntityBindings().stream()
                .filter(entity -> mappings.isGlobal(entity.getEntityName()))
                .toList();
        if (!global.isEmpty() && sharding.global() == null) {
            throw new ShardedIdMappingException("The id of " + global.get(0).getEntityName()
                    + " has no @ShardedId, so that the entity is global, but there is no global database. Annotate the id,"
                    + " or name the database with sharded-id.global.database, in plain Hibernate with"
                    + " RoutingOptions.withGlobal(GlobalDatabase.on(name)).");
        }
        if (!mappings.isEmpty()) {
            UnshardedLookups.refuse(factory.getSessionFactoryOptions());
        }
        CrossingAssociations.check(metadata, mappings);
        Colocation.check(metadata, mappings);
        new GlobalMappings(metadata, global).move();
        return mappings;
    }
}
