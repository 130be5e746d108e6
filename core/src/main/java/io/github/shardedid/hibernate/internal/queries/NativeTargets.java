package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RequiredIds;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.hibernate.sql.exec.spi.JdbcParameterBinder;
import org.hibernate.sql.exec.spi.JdbcParameterBinding;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;

/** The ids that a statement requires by its SQL, as of a native query: where no scope is open, they tell the shards. */
record NativeTargets(Sharding sharding) {
    /** The ids; empty if a scope is open, or the statement does not require them. */
    Optional<List<Long>> ids(JdbcOperation statement, JdbcParameterBindings sent) {
        if (ShardContext.target() != null) {
            return Optional.empty();
        }
        List<JdbcParameterBinder> binders = statement.getParameterBinders();
        return sharding.dataSource()
                .requiredIds(statement.getSqlString())
                .filter(required -> required.count() == binders.size())
                .flatMap(required -> values(required, binders, sent));
    }

    private static Optional<List<Long>> values(
            RequiredIds required, List<JdbcParameterBinder> binders, JdbcParameterBindings sent) {
        List<Object> values = new ArrayList<>(required.numbers());
        for (int number : required.parameters()) {
            JdbcParameterBinding binding =
                    binders.get(number - 1) instanceof JdbcParameter parameter ? sent.getBinding(parameter) : null;
            if (binding == null) {
                return Optional.empty();
            }
            if (binding.getBindValue() != null) {
                ShardsOfValues.forEachElement(binding.getBindValue(), values::add);
            }
        }
        boolean known = values.stream().allMatch(value -> value instanceof Long || value instanceof Integer);
        return known
                ? Optional.of(
                        values.stream().map(id -> ((Number) id).longValue()).toList())
                : Optional.empty();
    }

    /** The shards of ids, among which those of no row may be. */
    Target target(List<Long> ids) {
        ShardsOfValues found = new ShardsOfValues(id -> sharding.cluster().shardOf((Long) id));
        ids.forEach(found);
        return found.target();
    }

    /**
     * The shards of rows that are to be changed.
     *
     * @throws io.github.shardedid.topology.UnknownShardException if no shard can have generated one of the ids
     * @throws io.github.shardedid.id.MalformedIdException likewise
     */
    SortedSet<Integer> changed(List<Long> ids) {
        return ids.stream().map(sharding.cluster()::shardOf).collect(Collectors.toCollection(TreeSet::new));
    }
}
