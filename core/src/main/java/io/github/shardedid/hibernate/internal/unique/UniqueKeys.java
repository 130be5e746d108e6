package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.hibernate.internal.mapping.UniqueAttributes;
import io.github.shardedid.hibernate.internal.unique.UniqueKey.StoredColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** What is unique over all shards, by entity. Safe for use by several threads. */
public final class UniqueKeys {
    public static final UniqueKeys NONE = new UniqueKeys(List.of());

    /** Between two queries of whether a build has ended: at most one call in this time has a round trip more. */
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(5);

    private final Map<String, List<UniqueAttributes>> declared;
    /** Created when first needed, because the runtime model, which has the columns, is complete only then. */
    private final Map<String, List<UniqueKey>> keys = new ConcurrentHashMap<>();

    /** The names of the keys of which some rows may have no claim. */
    private volatile Set<String> unbuilt = Set.of();

    private volatile @Nullable ClaimStates states;
    private volatile long asked;

    public UniqueKeys(List<UniqueAttributes> declared) {
        this.declared = declared.stream().distinct().collect(Collectors.groupingBy(UniqueAttributes::entityName));
    }

    /** Returns whether nothing is unique over all shards, so that nothing has to be looked for. */
    public boolean isEmpty() {
        return declared.isEmpty();
    }

    /** Returns the names of the entities with such attributes, inherited ones included. */
    public Set<String> entities() {
        return declared.keySet();
    }

    /** Returns the keys of an entity, inherited ones included; empty if it has none. */
    public List<UniqueKey> of(EntityPersister persister) {
        List<UniqueAttributes> own = declared.get(persister.getEntityName());
        return own == null
                ? List.of()
                : keys.computeIfAbsent(persister.getEntityName(), name -> own.stream()
                        .map(each -> new UniqueKey(each, persister))
                        .toList());
    }

    /**
     * Returns the claims of a row that is about to be written.
     *
     * @param dirty the indexes of the attributes that are updated; null for all of them
     */
    public List<Claim> claims(
            EntityPersister persister,
            Object id,
            @Nullable Object[] state,
            int @Nullable [] dirty,
            SharedSessionContractImplementor session) {
        List<UniqueKey> own = of(persister);
        List<Claim> claims = own.isEmpty() ? List.of() : new ArrayList<>();
        for (UniqueKey key : own) {
            String text = dirty == null || key.isIn(dirty) ? key.textOfState(state, session) : null;
            if (text != null) {
                claims.add(new Claim(key, text, ((Number) id).longValue()));
            }
        }
        return claims;
    }

    /** Returns the keys by name: of those that a subclass has inherited, one, since their claims and tables are the same. */
    List<UniqueKey> all(SessionFactoryImplementor factory) {
        Map<String, UniqueKey> byName = new TreeMap<>();
        declared.keySet().stream().sorted().forEach(entity -> of(factory.getMappingMetamodel()
                        .getEntityDescriptor(entity))
                .forEach(key -> byName.putIfAbsent(key.name(), key)));
        return List.copyOf(byName.values());
    }

    /** Returns the columns of all keys, also of those that subclasses have inherited: a subclass may be inserted in another way. */
    List<StoredColumn> columns(SessionFactoryImplementor factory) {
        return declared.keySet().stream()
                .sorted()
                .flatMap(entity -> of(factory.getMappingMetamodel().getEntityDescriptor(entity)).stream())
                .flatMap(UniqueKey::storedColumns)
                .toList();
    }

    void setUnbuilt(Set<String> names, ClaimStates by) {
        states = by;
        asked = System.nanoTime();
        unbuilt = Set.copyOf(names);
    }

    ClaimStates states() {
        return Objects.requireNonNull(states, "no session factory");
    }

    /** Returns the names of the keys of which some rows may have no claim. Queries no database. */
    public Set<String> unbuilt() {
        return unbuilt;
    }

    /** Returns whether each row has claimed its value, so that a row without a claim is none. If it had not, this is asked again now and then. */
    public boolean isBuilt(UniqueKey key) {
        if (unbuilt.contains(key.name()) && System.nanoTime() - asked > INTERVAL) {
            refresh();
        }
        return !unbuilt.contains(key.name());
    }

    /** Reads which builds have ended. */
    void refresh() {
        asked = System.nanoTime();
        try {
            var stored = states().read();
            unbuilt = unbuilt.stream()
                    .filter(name ->
                            stored.get(name) == null || !stored.get(name).ready())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SQLException e) {
            // The shard's database is down still: asked again later.
        }
    }
}
