package io.github.shardedid.hibernate.internal.target;

import io.github.shardedid.hibernate.UnreadableRowException;
import io.github.shardedid.routing.ShardContext;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.OrderingMode;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.exception.GenericJDBCException;
import org.hibernate.exception.JDBCConnectionException;
import org.hibernate.loader.ast.spi.MultiIdLoadOptions;
import org.jspecify.annotations.Nullable;

/**
 * What a routed persister does around Hibernate's own work: opens the scope of the shard that an id names or, for an entity
 * that is not sharded, that of the global database.
 *
 * <p>Safe for use by several threads. A persister is constructed before the mappings are read, hence the look-up by name.
 */
public final class EntityRouting {
    private final Sharding sharding;
    private final String entityName;

    public EntityRouting(Sharding sharding, String entityName) {
        this.sharding = sharding;
        this.entityName = entityName;
    }

    public Sharding sharding() {
        return sharding;
    }

    public String entityName() {
        return entityName;
    }

    public boolean isSharded() {
        return sharding.mappings().find(entityName) != null;
    }

    /** Whether rows of two ids may be loaded by one statement. */
    public boolean inOneShard(Object one, @Nullable Object other) {
        return !isSharded()
                || !(one instanceof Number a && other instanceof Number b)
                || sharding.cluster().layout().shardOf(a.longValue())
                        == sharding.cluster().layout().shardOf(b.longValue());
    }

    /** Reads by an id; null if no shard of this cluster can have made the id, since such a row is not found. */
    public <T> @Nullable T readOrNull(Object id, Supplier<@Nullable T> work) {
        return cannotExist(id) ? null : reading(id, work);
    }

    /** Reads by an id; the given value if no shard of this cluster can have made the id. */
    public <T> T read(Object id, T missing, Supplier<T> work) {
        return cannotExist(id) ? missing : reading(id, work);
    }

    /** Never lets a failure pass for an absent row, as {@code SessionImpl.find} does with these two exceptions. */
    private <T extends @Nullable Object> T reading(Object id, Supplier<T> work) {
        try {
            return atHome(id, work);
        } catch (GenericJDBCException | JDBCConnectionException e) {
            throw new UnreadableRowException(
                    entityName + "#" + id + " could not be read, so whether it exists is not known: " + e.getMessage(),
                    e);
        }
    }

    private boolean cannotExist(Object id) {
        return isSharded() && id instanceof Number number && !sharding.cluster().canHaveMade(number.longValue());
    }

    private <T extends @Nullable Object> T atHome(Object id, Supplier<T> work) {
        Home home = Home.of(sharding, entityName, id);
        return home == null ? work.get() : home.call(work);
    }

    /** Does something other than a read at an id, such as locking; an id of no shard of this cluster is an error. */
    public void at(Object id, Runnable work) {
        atHome(id, () -> {
            work.run();
            return id;
        });
    }

    /** Writes the row of an id, as the transaction's write shard; a new row of a global entity may have none. */
    public <T extends @Nullable Object> T write(
            @Nullable Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        Home home = Home.of(sharding, entityName, id);
        return home == null
                ? work.get()
                : writeTo(home, session, () -> id == null ? "a new " + entityName : Home.row(entityName, id), work);
    }

    /** Writes to a shard, as the transaction's write shard. */
    public <T extends @Nullable Object> T writeTo(
            Home home, SharedSessionContractImplementor session, Supplier<String> what, Supplier<T> work) {
        home.declareWrite(session, what);
        if (!session.isTransactionInProgress()) {
            // Outside a transaction each row may have another shard, but a JDBC batch goes on with its first statement.
            // Hibernate 7.4 makes batches in transactions only; the next one shall not surprise us.
            session.getJdbcCoordinator().executeBatch();
        }
        return home.call(work);
    }

    /** Loads several ids: one call per shard, put together in the order that was asked for. */
    public List<?> readAll(Object[] ids, MultiIdLoadOptions options, Function<Object[], List<?>> load) {
        if (!isSharded()) {
            return Home.GLOBAL.call(() -> load.apply(ids));
        }
        boolean ordered = options.getOrderingMode() == OrderingMode.ORDERED;
        Object[] inOrder = new Object[ids.length];
        List<Object> loose = new ArrayList<>(ids.length);
        indexesByShard(ids).forEach((shard, indexes) -> {
            List<?> part = ShardContext.call(shard, () -> load.apply(pick(ids, indexes)));
            if (ordered) {
                for (int i = 0; i < indexes.size(); i++) {
                    inOrder[indexes.get(i)] = part.get(i);
                }
            } else {
                loose.addAll(part);
            }
        });
        return ordered ? new ArrayList<>(Arrays.asList(inOrder)) : loose;
    }

    private Map<Integer, List<Integer>> indexesByShard(Object[] ids) {
        Map<Integer, List<Integer>> indexes = new LinkedHashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] instanceof Number id && sharding.cluster().canHaveMade(id.longValue())) {
                indexes.computeIfAbsent(sharding.cluster().shardOf(id.longValue()), shard -> new ArrayList<>())
                        .add(i);
            }
        }
        return indexes;
    }

    private static Object[] pick(Object[] ids, List<Integer> indexes) {
        Object[] part = (Object[]) Array.newInstance(ids.getClass().getComponentType(), indexes.size());
        Arrays.setAll(part, i -> ids[indexes.get(i)]);
        return part;
    }
}
