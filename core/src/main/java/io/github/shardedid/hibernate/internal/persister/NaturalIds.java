package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.hibernate.OrderingMode;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.exception.GenericJDBCException;
import org.hibernate.exception.JDBCConnectionException;
import org.hibernate.loader.ast.spi.MultiNaturalIdLoadOptions;
import org.hibernate.loader.ast.spi.MultiNaturalIdLoader;
import org.hibernate.loader.ast.spi.NaturalIdLoadOptions;
import org.hibernate.loader.ast.spi.NaturalIdLoader;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.SingularAttributeMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** Runs Hibernate's lookups by a natural id in the shard that one of its attributes names, whatever scope is open. */
record NaturalIds(EntityRouting routing, RoutedEntity entity, EntityPersister persister) {
    /** Reads by a natural id; null, as for a row that is not found, if it names no shard of this cluster. */
    private <T> @Nullable T read(
            @Nullable Object naturalId, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        Target.Single target = target(naturalId, session);
        try {
            return target == null ? null : RoutedScope.<@Nullable T>call(target, work);
        } catch (GenericJDBCException | JDBCConnectionException e) {
            throw EntityRouting.unreadable(text(naturalId), e);
        }
    }

    /** Returns where to look for a row; null if it can be in no shard of this cluster. */
    private Target.@Nullable Single target(@Nullable Object naturalId, SharedSessionContractImplementor session) {
        ShardedMapping mapping = routing.mapping();
        if (mapping == null) {
            return Target.global();
        }
        List<String> attributes = persister.getNaturalIdMapping().getNaturalIdAttributes().stream()
                .map(SingularAttributeMapping::getAttributeName)
                .toList();
        String path = Objects.requireNonNull(routing.sharding().mappings().naming(mapping, attributes));
        Object value = value(naturalId, attributes, path);
        try {
            Integer shard = value == null ? null : shardOf(mapping, path, value, session);
            if (shard == null) {
                throw new NoShardException(text(naturalId) + " cannot be found: " + path
                        + ", which names the shard, is null, or an entity without an id. Pass the value of a row.");
            }
            return Target.shard(shard);
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            return null;
        }
    }

    private @Nullable Object value(@Nullable Object naturalId, List<String> attributes, String path) {
        int dot = path.indexOf('.');
        int index = attributes.indexOf(dot < 0 ? path : path.substring(0, dot));
        return RowState.within(
                persister,
                attributes.size() > 1 && naturalId instanceof Object[] values ? values[index] : naturalId,
                path);
    }

    private @Nullable Integer shardOf(
            ShardedMapping mapping, String path, Object value, SharedSessionContractImplementor session) {
        String parent = mapping.parents().get(path);
        ShardKeyAttribute key = mapping.key();
        if (key != null && key.name().equals(path)) {
            if (key.kind() != ShardKeyAttribute.Kind.PARENT) {
                return key.rule(routing.sharding().cluster()).shardOf(value);
            }
            parent = key.target();
        }
        return RowTargets.shardOf(routing.sharding(), parent, ShardChoice.idOf(parent, value, session));
    }

    private String text(@Nullable Object naturalId) {
        return "The row of " + persister.getEntityName() + " with the natural id "
                + (naturalId instanceof Object[] values ? Arrays.toString(values) : naturalId);
    }

    /** Loads rows by natural ids in the shards that these name, and the natural ids of rows in the shards that their ids name. */
    record Loader<T>(NaturalIdLoader<T> target, NaturalIds ids) implements NaturalIdLoader<T> {
        @Override
        @Deprecated // Hibernate still calls it
        public @Nullable T load(
                @Nullable Object naturalId, NaturalIdLoadOptions options, SharedSessionContractImplementor session) {
            ids.entity.checkGraph(session);
            return ids.read(naturalId, session, () -> target.load(naturalId, options, session));
        }

        @Override
        public @Nullable T load(@Nullable Object naturalId, Options options, SharedSessionContractImplementor session) {
            ids.entity.checkGraph(session);
            return ids.read(naturalId, session, () -> target.load(naturalId, options, session));
        }

        @Override
        public @Nullable Object resolveNaturalIdToId(
                @Nullable Object naturalId, SharedSessionContractImplementor session) {
            return ids.read(naturalId, session, () -> target.resolveNaturalIdToId(naturalId, session));
        }

        @Override
        public @Nullable Object resolveIdToNaturalId(Object id, SharedSessionContractImplementor session) {
            return ids.routing.readOrNull(id, session, () -> target.resolveIdToNaturalId(id, session));
        }

        @Override
        public EntityMappingType getLoadable() {
            return target.getLoadable();
        }
    }

    /** Loads rows by several natural ids: once in each shard that these name. */
    record MultiLoader<E>(MultiNaturalIdLoader<E> target, NaturalIds ids) implements MultiNaturalIdLoader<E> {
        @Override
        @SuppressWarnings("unchecked")
        public <K> List<E> multiLoad(
                K[] naturalIds, MultiNaturalIdLoadOptions options, SharedSessionContractImplementor session) {
            ids.entity.checkGraph(session);
            return (List<E>) EntityRouting.loadByTarget(
                    naturalIds,
                    options.getOrderingMode() == OrderingMode.ORDERED,
                    naturalId -> ids.target(naturalId, session),
                    part -> target.multiLoad(part, options, session));
        }

        @Override
        public EntityMappingType getLoadable() {
            return target.getLoadable();
        }
    }
}
