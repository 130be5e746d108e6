package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.Generator;
import org.hibernate.generator.OnExecutionGenerator;
import org.hibernate.id.IncrementGenerator;
import org.hibernate.id.enhanced.DatabaseStructure;
import org.hibernate.id.enhanced.SequenceStructure;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.hibernate.id.enhanced.TableGenerator;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IdentifierCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the generators of ids, of parts of ids and of the rows of collections, that are unique within a shard, by generators for each
 * shard, in Hibernate's boot model.
 */
final class OwnIdGenerators {
    private OwnIdGenerators() {}

    static void replace(Metadata metadata, ShardedMappings mappings) {
        replaceOfCollections(metadata, mappings);
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = entity == entity.getRootClass() ? mappings.find(entity.getEntityName()) : null;
            if (mapping == null) {
                continue;
            }
            if (mapping.ownId() == ShardedMapping.Uniqueness.SHARD) {
                replace(entity.getIdentifier(), mapping.entityName(), false);
            } else if (mapping.idPart() != null && entity.getIdentifier() instanceof Component id) {
                for (Property part : id.getProperties()) {
                    replace(part.getValue(), mapping.entityName(), true);
                }
            }
        }
    }

    /** The rows of collections with {@code @CollectionId}. */
    private static void replaceOfCollections(Metadata metadata, ShardedMappings mappings) {
        for (Collection collection : metadata.getCollectionBindings()) {
            if (collection instanceof IdentifierCollection identified
                    && mappings.find(collection.getOwnerEntityName()) != null) {
                replace(identified.getIdentifier(), collection.getRole(), true);
            }
        }
    }

    private static void replace(Value value, String owner, boolean part) {
        if (value instanceof SimpleValue id
                && id.getCustomIdGeneratorCreator() != null
                && !id.getCustomIdGeneratorCreator().isAssigned()) {
            var creator = id.getCustomIdGeneratorCreator();
            id.setCustomIdGeneratorCreator(context -> PerShardIds.of(creator.createGenerator(context), owner, part));
        }
    }

    /**
     * Generates ids that are unique within a shard by a sequence of that shard. Hibernate keeps the values that it has reserved by tenant, so
     * each shard is a tenant here: a value of one shard's sequence is not used in another one. Safe for use by several threads.
     *
     * @param part whether the value is a part of a composite id, or the id of a collection's row, so that the open scope is that of the
     *     row
     */
    private record PerShardIds(SequenceStyleGenerator sequence, boolean part) implements BeforeExecutionGenerator {
        /**
         * Wraps the generator of ids, or of a part of ids, that are unique within a shard.
         *
         * @param entity the entity, or the collection whose rows have the ids
         * @throws ShardedIdMappingException if its ids could be the same for two rows of a shard
         */
        static Generator of(Generator generator, String entity, boolean part) {
            DatabaseStructure structure =
                    generator instanceof SequenceStyleGenerator sequence ? sequence.getDatabaseStructure() : null;
            if (generator instanceof TableGenerator
                    || generator instanceof IncrementGenerator
                    || (structure != null && !(structure instanceof SequenceStructure))) {
                throw new ShardedIdMappingException(
                        "The ids of " + entity + ", which are unique within a shard, are generated by "
                                + generator.getClass().getSimpleName()
                                + ", which does not know the shards. Use GenerationType.SEQUENCE, IDENTITY or UUID.");
            }
            return generator instanceof SequenceStyleGenerator sequence && !(generator instanceof OnExecutionGenerator)
                    ? new PerShardIds(sequence, part)
                    : generator;
        }

        @Override
        public Object generate(
                SharedSessionContractImplementor session,
                Object owner,
                @Nullable Object currentValue,
                EventType eventType) {
            int shard = part
                    ? Sharding.require(session.getFactory()).shard(session).orElseThrow(PerShardIds::noScope)
                    : ShardChoice.shardOfNew(Sharding.require(session.getFactory()), owner, session);
            return RoutedScope.call(
                    shard, () -> sequence.generate(OfShard.of(session, shard), owner, currentValue, eventType));
        }

        private static NoShardException noScope() {
            return new NoShardException(
                    "No shard is known for a generated part of a composite id: a stateless session takes it from"
                            + " the sequence of the open scope. Insert the row in ShardContext.run(shard, …).");
        }

        @Override
        public EnumSet<EventType> getEventTypes() {
            return sequence.getEventTypes();
        }

        @Override
        public boolean allowAssignedIdentifiers() {
            return sequence.allowAssignedIdentifiers();
        }

        /** A session whose tenant is a shard. */
        private record OfShard(SharedSessionContractImplementor session, String tenant) implements InvocationHandler {
            static SharedSessionContractImplementor of(SharedSessionContractImplementor session, int shard) {
                String tenant = session.getTenantIdentifier();
                return (SharedSessionContractImplementor) Proxy.newProxyInstance(
                        OfShard.class.getClassLoader(),
                        new Class<?>[] {SharedSessionContractImplementor.class},
                        new OfShard(session, tenant == null ? "shard " + shard : tenant + ", shard " + shard));
            }

            @Override
            public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                    throws Throwable {
                if (method.getName().equals("getTenantIdentifier")) {
                    return tenant;
                }
                try {
                    return method.invoke(session, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause() == null ? e : e.getCause();
                }
            }
        }
    }
}
