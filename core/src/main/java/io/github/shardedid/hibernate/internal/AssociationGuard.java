package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** Refuses a row that refers to one of another shard, by comparing the bits of the two ids. */
final class AssociationGuard {
    private AssociationGuard() {}

    /** Checks the to-one associations in the state of a row that is about to be written to a shard. */
    static void check(
            Sharding sharding,
            EntityPersister persister,
            int shard,
            Object row,
            @Nullable Object[] state,
            SharedSessionContractImplementor session) {
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        if (mapping == null || mapping.parents().isEmpty()) {
            return;
        }
        mapping.parents().forEach((path, target) -> {
            Object value = RowState.value(persister, state, path);
            if (value != null) {
                Object id = ShardChoice.idOf(target, value, session);
                checkPair(sharding, persister.getEntityName() + "." + path, row, shard, target, id);
            }
        });
    }

    static void checkPair(
            Sharding sharding, String role, Object row, int shard, @Nullable String target, @Nullable Object id) {
        if (!(id instanceof Number number)) {
            return;
        }
        int other = sharding.cluster().shardOf(number.longValue());
        if (other != shard) {
            throw new AssociationAcrossShardsException(role + ": the row " + row + " is in shard " + shard
                    + ", but refers to " + target + "#" + id + " in shard " + other
                    + ". Associations stay within a shard:"
                    + " give the new row the other's shard by @ShardKey, or keep only its id in a plain Long. Nothing was"
                    + " sent.");
        }
    }
}
