package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RequiredIds;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.hibernate.sql.exec.spi.JdbcParameterBinder;
import org.hibernate.sql.exec.spi.JdbcParameterBinding;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;

/** The shards of the ids that a native statement requires by its SQL. */
record NativeTargets(Sharding sharding) {
    Cluster cluster() {
        return sharding.cluster();
    }

    /**
     * The shards; empty if the statement does not require ids.
     *
     * @param change whether the statement changes rows, so that an id that no shard can have generated is an error
     */
    Optional<Set<Integer>> shards(JdbcOperation statement, JdbcParameterBindings sent, boolean change) {
        List<JdbcParameterBinder> binders = statement.getParameterBinders();
        return sharding.dataSource()
                .requiredIds(statement.getSqlString())
                .filter(required -> required.count() == binders.size())
                .flatMap(required -> values(required, binders, sent))
                .map(ids -> shards(ids, change));
    }

    private static Optional<List<Object>> values(
            RequiredIds required, List<JdbcParameterBinder> binders, JdbcParameterBindings sent) {
        List<Object> values = new ArrayList<>(required.numbers());
        for (int number : required.parameters()) {
            JdbcParameterBinding binding =
                    binders.get(number - 1) instanceof JdbcParameter parameter ? sent.getBinding(parameter) : null;
            if (binding == null) {
                return Optional.empty();
            }
            ShardsOfValues.forEachElement(binding.getBindValue(), values::add);
        }
        boolean known = values.stream().allMatch(value -> value instanceof Long || value instanceof Integer);
        return known ? Optional.of(values) : Optional.empty();
    }

    private Set<Integer> shards(List<Object> ids, boolean change) {
        ShardsOfValues found = new ShardsOfValues(change);
        ids.forEach(found.by(id -> sharding.cluster().shardOf(((Number) id).longValue())));
        return found.shards();
    }
}
