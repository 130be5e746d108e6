package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.NaturalIdRouting;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.loader.ast.spi.NaturalIdLoadOptions;
import org.hibernate.loader.ast.spi.NaturalIdLoader;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.jspecify.annotations.Nullable;

/** Loads rows by natural ids in the shards that these name, and the natural ids of rows in the shards that their ids name. */
record RoutedNaturalIdLoader<T>(NaturalIdLoader<T> target, NaturalIdRouting routing, RoutedEntity entity)
        implements NaturalIdLoader<T> {
    @Override
    @Deprecated // Hibernate still calls it
    public @Nullable T load(
            @Nullable Object naturalId, NaturalIdLoadOptions options, SharedSessionContractImplementor session) {
        entity.checkGraph(session);
        return routing.read(naturalId, session, () -> target.load(naturalId, options, session));
    }

    @Override
    public @Nullable T load(@Nullable Object naturalId, Options options, SharedSessionContractImplementor session) {
        entity.checkGraph(session);
        return routing.read(naturalId, session, () -> target.load(naturalId, options, session));
    }

    @Override
    public @Nullable Object resolveNaturalIdToId(@Nullable Object naturalId, SharedSessionContractImplementor session) {
        return routing.read(naturalId, session, () -> target.resolveNaturalIdToId(naturalId, session));
    }

    @Override
    public @Nullable Object resolveIdToNaturalId(Object id, SharedSessionContractImplementor session) {
        return routing.routing().readOrNull(id, session, () -> target.resolveIdToNaturalId(id, session));
    }

    @Override
    public EntityMappingType getLoadable() {
        return target.getLoadable();
    }
}
