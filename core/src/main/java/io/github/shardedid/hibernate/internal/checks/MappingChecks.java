package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.foreign.ForeignChecks;
import io.github.shardedid.hibernate.internal.foreign.ForeignFetching;
import io.github.shardedid.hibernate.internal.foreign.InverseSides;
import io.github.shardedid.hibernate.internal.mapping.AssumedMappings;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappingReader;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.mapping.UnshardedLookups;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.query.sqm.sql.SqmTranslatorFactory;
import org.jspecify.annotations.Nullable;

/** The checks of a session factory's mappings. */
public final class MappingChecks {
    private MappingChecks() {}

    /**
     * Reads the mappings, collects what cannot work, and moves the tables of global entities to the schema of the global
     * database.
     */
    public static ShardedMappings read(
            Metadata metadata,
            SessionFactoryOptions options,
            IdLayout layout,
            @Nullable GlobalDatabase globalDatabase,
            Class<? extends SqmTranslatorFactory> translator,
            MappingProblems problems) {
        ShardedMappings mappings = new ShardedMappingReader(metadata, layout, problems, AssumedMappings.NONE).read();
        List<Foreign> foreign = ForeignAttributes.of(metadata, mappings);
        List<PersistentClass> global = global(metadata, mappings);
        if (globalDatabase == null) {
            global.forEach(entity -> problems.collect(() -> refuseGlobal(entity)));
        }
        GlobalMappings moved = check(metadata, options, mappings, foreign, translator, problems);
        if (problems.found().isEmpty()) {
            ForeignFetching.prepare(metadata, foreign, mappings, options.getDefaultBatchFetchSize());
        }
        moved.move();
        return mappings.withForeign(!foreign.isEmpty());
    }

    /**
     * What a session factory without shards would be refused for, and what is assumed of it.
     *
     * @param assumptions what is assumed because no entity has {@code @ShardedId}
     */
    public record Rehearsed(ShardedMappings mappings, List<String> problems, List<String> assumptions) {}

    /** Reads the mappings without changing them. */
    public static Rehearsed rehearse(
            Metadata metadata,
            SessionFactoryOptions options,
            IdLayout layout,
            Class<? extends SqmTranslatorFactory> translator) {
        MappingProblems problems = new MappingProblems();
        AssumedMappings assumed = AssumedMappings.of(metadata);
        ShardedMappings mappings = new ShardedMappingReader(metadata, layout, problems, assumed).read();
        List<Foreign> foreign = ForeignAttributes.of(metadata, mappings);
        check(metadata, options, mappings, foreign, translator, problems);
        return new Rehearsed(mappings.withForeign(!foreign.isEmpty()), problems.found(), assumed.sentences());
    }

    private static List<PersistentClass> global(Metadata metadata, ShardedMappings mappings) {
        return metadata.getEntityBindings().stream()
                .filter(entity -> mappings.isGlobal(entity.getEntityName()))
                .toList();
    }

    private static GlobalMappings check(
            Metadata metadata,
            SessionFactoryOptions options,
            ShardedMappings mappings,
            List<Foreign> foreign,
            Class<? extends SqmTranslatorFactory> translator,
            MappingProblems problems) {
        if (!mappings.isEmpty()) {
            problems.collect(() -> UnshardedLookups.refuse(options));
            problems.collect(() -> Translators.refuse(options, translator));
        }
        Set<String> inverse = InverseSides.refuse(metadata, foreign, problems);
        List<Foreign> accepted = ForeignChecks.accepted(metadata, foreign, mappings, problems);
        new CrossingAssociations(mappings, foreign, inverse, problems).check(metadata);
        Colocation.check(metadata, mappings, problems);
        OwnIds.check(metadata, mappings, accepted, problems);
        NaturalIds.check(metadata, mappings, problems);
        AuditLogs.refuse(metadata, mappings, problems);
        return new GlobalMappings(metadata, global(metadata, mappings), problems);
    }

    private static void refuseGlobal(PersistentClass entity) {
        throw new ShardedIdMappingException("The id of " + entity.getEntityName()
                + " has no @ShardedId, so the entity is global, but there is no global database. Annotate the id, or"
                + " name the database with sharded-id.global.database; in plain Hibernate, with"
                + " RoutingOptions.withGlobal(GlobalDatabase.on(name)).");
    }
}
