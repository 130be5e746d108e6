package io.github.shardedid.hibernate.internal.unroutable;

import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import java.util.Map;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.jspecify.annotations.Nullable;

/** Installs what serves the entities whose ids name no shard. Other applications do without it. */
public final class UnroutableEntities implements UnroutableIds {
    private final KnownRows known;
    private final Map<String, RowShards> rows;
    private final UnroutableResults results;

    private UnroutableEntities(Sharding sharding) {
        this.known = new KnownRows(sharding);
        this.rows = sharding.mappings().all().stream()
                .filter(mapping -> !mapping.idNamesShard())
                .collect(Collectors.toUnmodifiableMap(
                        ShardedMapping::entityName, mapping -> new RowShards(known, mapping)));
        this.results = new UnroutableResults(sharding, rows);
    }

    /**
     * Checks the mappings, and makes the entities known to a session factory.
     *
     * @return null if the ids of all entities name their shards
     */
    public static @Nullable UnroutableEntities install(Sharding sharding, Metadata metadata, MappingProblems problems) {
        UnroutableEntities entities = new UnroutableEntities(sharding);
        if (entities.rows.isEmpty()) {
            return null;
        }
        new UnroutableIdChecks(entities.rows.keySet(), problems).check(metadata, sharding.mappings());
        sharding.setUnroutableIds(entities);
        return entities;
    }

    /** Registers the listeners, which are called for each row. */
    public void register(EventListenerRegistry listeners) {
        new SessionRowsListener(known, rows).register(listeners);
    }

    @Override
    public @Nullable Rows of(@Nullable String entityName) {
        return entityName == null ? null : rows.get(entityName);
    }

    @Override
    public <T, R> ResultsConsumer<T, R> checked(ResultsConsumer<T, R> next) {
        return results.checked(next);
    }
}
