package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.NaturalIdRouting;
import java.util.List;
import org.hibernate.OrderingMode;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.loader.ast.spi.MultiNaturalIdLoadOptions;
import org.hibernate.loader.ast.spi.MultiNaturalIdLoader;
import org.hibernate.metamodel.mapping.EntityMappingType;

/** Loads rows by several natural ids: once in each shard that these name. */
record RoutedMultiNaturalIdLoader<E>(MultiNaturalIdLoader<E> target, NaturalIdRouting routing, RoutedEntity entity)
        implements MultiNaturalIdLoader<E> {
    @Override
    @SuppressWarnings("unchecked")
    public <K> List<E> multiLoad(
            K[] naturalIds, MultiNaturalIdLoadOptions options, SharedSessionContractImplementor session) {
        entity.checkGraph(session);
        return (List<E>) routing.readAll(
                naturalIds,
                options.getOrderingMode() == OrderingMode.ORDERED,
                session,
                part -> target.multiLoad(part, options, session));
    }

    @Override
    public EntityMappingType getLoadable() {
        return target.getLoadable();
    }
}
