package io.github.shardedid.hibernate.internal.mapping;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sharded and the global entities of a session factory. Immutable.
 *
 * <p>Asked for each row and each statement, so that all lookups are by hash.
 */
public final class ShardedMappings {
    public static final ShardedMappings NONE =
            new ShardedMappings(Map.of(), Set.of(), Set.of(), Set.of(), false, AuditTables.NONE);

    private final Map<String, ShardedMapping> byName;
    private final Map<Class<?>, ShardedMapping> byClass;
    private final Set<String> savedByCascade;
    private final Set<String> global;
    private final Set<String> replicated;
    private final boolean foreign;
    private final AuditTables auditTables;

    ShardedMappings(
            Map<String, ShardedMapping> byName,
            Set<String> savedByCascade,
            Set<String> global,
            Set<String> replicated,
            boolean foreign,
            AuditTables auditTables) {
        this.foreign = foreign;
        this.auditTables = auditTables;
        this.savedByCascade = Set.copyOf(savedByCascade);
        this.global = Set.copyOf(global);
        this.replicated = Set.copyOf(replicated);
        this.byName = Map.copyOf(byName);
        this.byClass = byName.values().stream()
                // Two entities may have one class, with names of their own; the class alone then means either.
                .collect(Collectors.toUnmodifiableMap(ShardedMapping::javaClass, Function.identity(), (a, b) -> a));
    }

    /** Returns whether no entity is sharded, so that no check of sharded entities is needed. */
    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** The mapping of an entity, or null if it is not sharded. */
    @Nullable
    public ShardedMapping find(@Nullable String entityName) {
        return entityName == null ? null : byName.get(entityName);
    }

    /** The mappings of all sharded entities. */
    public Collection<ShardedMapping> all() {
        return byName.values();
    }

    /** Returns whether an entity is in the global database. */
    public boolean isGlobal(@Nullable String entityName) {
        return entityName != null && global.contains(entityName);
    }

    /** Returns the same with entities whose rows are read in all databases. */
    public ShardedMappings replicating(Set<String> entities) {
        return entities.isEmpty()
                ? this
                : new ShardedMappings(byName, savedByCascade, global, entities, foreign, auditTables);
    }

    /** Returns whether an entity is global, and its rows are read in all databases. */
    public boolean isReplicated(@Nullable String entityName) {
        return entityName != null && replicated.contains(entityName);
    }

    /** Returns the replicated entities. */
    public Set<String> replicated() {
        return replicated;
    }

    /** The audit tables in the shards. */
    public AuditTables auditTables() {
        return auditTables;
    }

    /** The mapping of a class or of the closest superclass that is a sharded entity. */
    public Optional<ShardedMapping> of(Class<?> javaClass) {
        for (Class<?> type = javaClass; type != null; type = type.getSuperclass()) {
            ShardedMapping mapping = byClass.get(type);
            if (mapping != null) {
                return Optional.of(mapping);
            }
        }
        return Optional.empty();
    }

    /** Returns whether any attribute refers to rows of other databases. If not, queries need no check of what they join. */
    public boolean hasForeign() {
        return foreign;
    }

    /** Returns whether a collection may save an entity without a shard key by cascade. */
    public boolean mayBeSavedByCascade(String entityName) {
        return savedByCascade.contains(entityName);
    }
}
