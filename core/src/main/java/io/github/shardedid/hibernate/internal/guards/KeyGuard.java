package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a row whose shard key names another shard than its id: queries by the key would look for it there. The
 * {@link AssociationGuard} checks keys that are associations.
 *
 * @param shard the shard that the id names, or that was chosen for a new row whose id the database generates
 * @param id null for such a row
 * @param state what is about to be written
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KeyGuard(
        Sharding sharding,
        SharedSessionContractImplementor session,
        EntityPersister persister,
        int shard,
        @Nullable Object id,
        @Nullable Object[] state) {
    /** Checks a row that is about to be inserted, or written as a whole. Hibernate sets the id of a tenant later than that. */
    public void check() {
        ShardKeyAttribute key = key();
        if (key == null) {
            return;
        }
        int index = RowState.index(persister, key.name());
        if (isWritten(index)) {
            Object value = RowState.valueAt(persister, state, index, key.name());
            check(key, value == null ? ShardChoice.tenant(key, session) : value);
        }
    }

    /** Otherwise another attribute writes the column, and this attribute's value is never sent. */
    private boolean isWritten(int index) {
        return persister.getPropertyInsertability()[index] || persister.getPropertyUpdateability()[index];
    }

    /** Checks a row that is about to be updated, if the key is among the changed attributes. */
    public void checkDirty(int @Nullable [] dirty) {
        ShardKeyAttribute key = key();
        if (dirty == null || key == null) {
            return;
        }
        int index = RowState.index(persister, key.name());
        for (int changed : dirty) {
            if (changed == index) {
                check(key, RowState.valueAt(persister, state, index, key.name()));
            }
        }
    }

    /** Checks a row that is about to be updated, unless the old state shows that its key is unchanged. */
    public void checkUpdate(@Nullable Object @Nullable [] old) {
        ShardKeyAttribute key = key();
        if (key == null || !persister.getPropertyUpdateability()[RowState.index(persister, key.name())]) {
            return;
        }
        Object value = RowState.value(persister, state, key.name());
        boolean unchanged = old != null && Objects.equals(RowState.value(persister, old, key.name()), value);
        if (!unchanged) {
            check(key, value);
        }
    }

    private @Nullable ShardKeyAttribute key() {
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null || mapping.isKeyInId() ? null : mapping.key();
        boolean byAssociation = key != null && key.kind() == ShardKeyAttribute.Kind.PARENT;
        return mapping != null && byAssociation && mapping.idNamesShard() ? null : key;
    }

    private void check(ShardKeyAttribute key, @Nullable Object value) {
        if (value == null) {
            if (sharding.mappings().findOwnId(persister.getEntityName()) == null || key.tenant()) {
                return; // names no shard, and no query looks for the row by it; or is not changed by an update
            }
            throw new ShardKeyMismatchException(row() + " is in shard " + shard
                    + ", but its shard key " + key
                    + " is null, and its id names no shard: nothing would say where it is."
                    + " Give the key a value of shard " + shard + ". Nothing of the row was sent.");
        } else if (key.kind() == ShardKeyAttribute.Kind.PARENT) {
            return;
        }
        String reason;
        try {
            int other = key.rule(sharding.cluster()).shardOf(value);
            if (other == shard) {
                return;
            }
            reason = "names shard " + other + ", where queries by it look for the row";
        } catch (UnknownShardException | MalformedIdException e) {
            reason = "names no shard of this cluster (" + e.getMessage() + ")";
        }
        throw new ShardKeyMismatchException(
                id == null
                        ? row() + " is about to be inserted into shard " + shard + ", but the shard key " + key + " = "
                                + value + " " + reason
                                + ". Set the shard key before the entity is saved, not in a listener or interceptor."
                                + " Nothing of the row was sent."
                        : row() + ": the id names shard " + shard + ", but the shard key " + key + " = " + value + " "
                                + reason + ". A row stays in the shard of its id: give the key a value of shard "
                                + shard
                                + ", or save a new row without an id and delete this one. Nothing of the row was"
                                + " sent.");
    }

    private String row() {
        return id == null ? "A new " + persister.getEntityName() : RowTargets.row(persister.getEntityName(), id);
    }
}
