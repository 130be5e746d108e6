package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.hibernate.sql.exec.spi.JdbcParameterBinder;
import org.hibernate.sql.exec.spi.JdbcParameterBinding;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.jspecify.annotations.Nullable;

/** The shards of the ids that a native statement requires by its SQL. */
record NativeTargets(Sharding sharding) {
    Cluster cluster() {
        return sharding.cluster();
    }

    /**
     * The shards; empty if the statement does not require ids of all of its rows, so that it is executed in the open scope.
     *
     * @param change whether the statement changes rows, so that an id that no shard can have generated is an error
     * @throws NoShardException if the open scope is one shard, and may not be that of ids which the statement requires
     */
    Optional<Set<Integer>> shards(
            JdbcOperation statement,
            JdbcParameterBindings sent,
            boolean change,
            SharedSessionContractImplementor session) {
        List<JdbcParameterBinder> binders = statement.getParameterBinders();
        ComparedIds compared = sharding.dataSource().comparedIds(statement.getSqlString());
        if (compared.count() != binders.size()) {
            return Optional.empty();
        }
        for (ComparedIds.Ids ids : compared.ofSome()) {
            requireScope(ids, shards(ids, binders, sent, false, session), session);
        }
        return compared.required().map(ids -> shards(ids, binders, sent, change, session));
    }

    /** Null if the ids are not known. */
    private @Nullable Set<Integer> shards(
            ComparedIds.Ids required,
            List<JdbcParameterBinder> binders,
            JdbcParameterBindings sent,
            boolean change,
            SharedSessionContractImplementor session) {
        List<@Nullable Long> ids = new ArrayList<>(required.numbers());
        boolean known = !required.isComputed();
        for (int number : required.parameters()) {
            JdbcParameterBinding binding =
                    binders.get(number - 1) instanceof JdbcParameter parameter ? sent.getBinding(parameter) : null;
            known &= binding != null;
            ShardsOfValues.forEachElement(
                    binding == null ? null : binding.getBindValue(), value -> ids.add(EntityRules.id(value)));
        }
        if (!known || ids.contains(null)) {
            requireScopeOfSeveral(required, sharding.target(session));
            return null;
        }
        ShardsOfValues found = new ShardsOfValues(change);
        ids.forEach(found.by(id -> sharding.cluster().shardOf((Long) id)));
        return found.shards();
    }

    /** As for HQL: the scope of one shard would decide in place of ids that are given. */
    private static void requireScopeOfSeveral(ComparedIds.Ids required, @Nullable Target scope) {
        if (scope == null || scope instanceof Target.Shard) {
            throw new NoShardException("A native statement compares " + required.column()
                    + " with a value that is no id before the database computes it, so its shard is not known"
                    + (scope == null ? "." : ", and may be another one than the open scope, which is " + scope + ".")
                    + " Compute the id in Java, and pass it as a parameter. Nothing was sent.");
        }
    }

    private void requireScope(
            ComparedIds.Ids required, @Nullable Set<Integer> shards, SharedSessionContractImplementor session) {
        if (shards != null
                && !shards.isEmpty()
                && sharding.target(session) instanceof Target.Shard scope
                && !shards.equals(Set.of(scope.number()))) {
            throw new NoShardException("A native statement compares " + required.column() + " with ids of "
                    + (shards.size() == 1 ? "shard " + shards.iterator().next() : "the shards " + shards)
                    + ", but would be executed in the open scope, which is " + scope
                    + ", because other rows of it are not tied to these by ids, or because tables have no schema."
                    + " Tie them, and write {h-schema} before each table;"
                    + " or, if only rows of one shard are meant, call this in ShardContext.run("
                    + (shards.size() == 1 ? shards.iterator().next() : "shard") + ", …). Nothing was sent.");
        }
    }
}
