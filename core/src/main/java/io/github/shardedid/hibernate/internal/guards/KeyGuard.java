package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.target.RowState;
import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Objects;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a row whose shard key says another shard than its id: queries by the key would look for it there. A key that is
 * an association is the {@link AssociationGuard}'s business.
 */
public final class KeyGuard {
    private KeyGuard() {}

    /** Checks the shard key in the state of a row that is about to be inserted, or written as a whole. */
    public static void check(Sharding sharding, EntityPersister persister, int shard, Object id, @Nullable Object[] state) {
        ShardKeyAttribute key = keyOf(sharding, persister);
        if (key != null && isWritten(persister, RowState.index(persister, key.name()))) {
            check(sharding, persister, key, shard, id, state);
        }
    }

    /** Else it mirrors a column that another attribute writes, and what it holds is never sent. */
    private static boolean isWritten(EntityPersister persister, int index) {
        return persister.getPropertyInsertability()[index] || persister.getPropertyUpdateability()[index];
    }

    /** The same for a row that is about to be updated, where nothing is to be looked at unless the key is changed. */
    public static void checkDirty(
            Sharding sharding,
            EntityPersister persister,
            int shard,
            Object id,
            @Nullable Object[] state,
            int @Nullable [] dirty) {
        ShardKeyAttribute key = keyOf(sharding, persister);
        if (dirty == null || key == null) {
            return;
        }
        int index = RowState.index(persister, key.name());
        for (int changed : dirty) {
            if (changed == index) {
                check(sharding, persister, key, shard, id, state);
            }
        }
    }

    /** The same where the old state is perhaps known. */
    public static void checkUpdate(
            Sharding sharding,
            EntityPersister persister,
            int shard,
            Object id,
            @Nullable Object[] state,
            @Nullable Object @Nullable [] old) {
        ShardKeyAttribute key = keyOf(sharding, persister);
        if (key == null || !persister.getPropertyUpdateability()[RowState.index(persister, key.name())]) {
            return;
        }
        boolean unchanged = old != null
                && Objects.equals(
                        RowState.value(persister, old, key.name()), RowState.value(persister, state, key.name()));
        if (!unchanged) {
            check(sharding, persister, key, shard, id, state);
        }
    }

    private static @Nullable ShardKeyAttribute keyOf(Sharding sharding, EntityPersister persister) {
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null ? null : mapping.key();
        return key == null || key.kind() == ShardKeyAttribute.Kind.PARENT ? null : key;
    }

    private static void check(
            Sharding sharding,
            EntityPersister persister,
            ShardKeyAttribute key,
            int shard,
            Object id,
            @Nullable Object[] state) {
        Object value = RowState.value(persister, state, key.name());
        if (value == null) {
            return; // It says no shard, and no query looks for it in one.
        }
        String said;
        try {
            int other = key.rule(sharding.cluster()).shardOf(value);
            if (other == shard) {
                return;
            }
            said = "says shard " + other + ", where queries by it look for the row";
        } catch (UnknownShardException | MalformedIdException e) {
            said = "says no shard of this cluster (" + e.getMessage() + ")";
        }
        throw new ShardKeyMismatchException(persister.getEntityName() + "#" + id + ": the id says shard " + shard
                + ", but the shard key " + key + " = " + value + " " + said
                + ". A row stays where its id says: give the key a value of shard " + shard
                + ", or save a new row without an id, which the key places, and delete this one."
                + " Nothing of the row was sent.");
    }
}
