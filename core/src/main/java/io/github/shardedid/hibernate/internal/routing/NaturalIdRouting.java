package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.SingularAttributeMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** Runs Hibernate's lookups by a natural id in the shard that one of its attributes names, whatever scope is open. */
public record NaturalIdRouting(EntityRouting routing, EntityPersister persister) {
    /** Reads by a natural id; null, as for a row that is not found, if it names no shard of this cluster. */
    public <T> @Nullable T read(
            @Nullable Object naturalId, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        Target.Single target = target(naturalId, session);
        return target == null ? null : routing.readAt(target, () -> text(naturalId), work);
    }

    /** Reads by several natural ids with one call per target. */
    public List<?> readAll(
            Object[] naturalIds,
            boolean ordered,
            SharedSessionContractImplementor session,
            Function<Object[], List<?>> work) {
        return LoadsByTarget.load(naturalIds, ordered, naturalId -> target(naturalId, session), work);
    }

    /** Where to look for a row; null if it can be in no shard of this cluster. */
    private Target.@Nullable Single target(@Nullable Object naturalId, SharedSessionContractImplementor session) {
        ShardedMapping mapping = routing.sharding().mappings().find(routing.entityName());
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
        return IdShards.shardOf(routing.sharding(), parent, ShardChoice.idOf(parent, value, session));
    }

    private String text(@Nullable Object naturalId) {
        return "The row of " + routing.entityName() + " with the natural id "
                + (naturalId instanceof Object[] values ? Arrays.toString(values) : naturalId);
    }
}
