package io.github.shardedid.hibernate.internal.unroutable;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.routing.NoShardException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The rule of a reference to an entity whose id names no shard: the statement has that id only, and the shard is what is known of the row.
 *
 * @param entityName for messages
 * @param session null outside of any, as in a rule that is kept with a translated statement
 */
record RowRule(
        Sharding sharding,
        String entityName,
        SessionFactoryImplementor factory,
        @Nullable SharedSessionContractImplementor session)
        implements UnroutableIds.SessionRule {
    @Override
    public ShardRule in(SharedSessionContractImplementor of) {
        return new RowRule(sharding, entityName, factory, of);
    }

    @Override
    public int shardOf(Object value) {
        String name = sharding.mappings()
                .of(ShardChoice.typeOf(value))
                .filter(mapping -> !mapping.idNamesShard())
                .map(ShardedMapping::entityName)
                .orElseThrow(() -> NoShardException.ofValue("The value " + value + " names no shard: the shard key of "
                        + entityName + " does. Pass the entity, or call this in ShardContext.run(shard, …)."));
        ShardChoice choice = new ShardChoice(sharding, factory, session);
        Integer shard = choice.byId(name, value);
        if (shard == null) {
            throw NoShardException.ofValue("No shard is known for " + RowTargets.row(name, choice.idOf(name, value))
                    + ", whose id names none: its shard key is not loaded, or not set. Load it, in"
                    + " ShardContext.run(shard, …). Nothing was sent.");
        }
        return shard;
    }

    @Override
    public boolean accepts(Class<?> type) {
        return sharding.mappings().of(type).isPresent();
    }
}
