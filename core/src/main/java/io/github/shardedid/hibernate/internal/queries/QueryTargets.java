package io.github.shardedid.hibernate.internal.queries;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.Set;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.results.ResultSetMapping;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcOperationQueryMutation;
import org.hibernate.sql.exec.spi.JdbcParameterBinder;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.jspecify.annotations.Nullable;

/** The targets of statements that require an id or a shard key: known when they are executed. Safe for use by several threads. */
public final class QueryTargets {
    private final NativeTargets byText;

    /**
     * By the parameters, else the bindings, of a statement that changes rows of one table; by identity, for as long as Hibernate keeps
     * the translated statement.
     */
    private final Cache<Object, ChangedRows> changed =
            Caffeine.newBuilder().weakKeys().build();

    QueryTargets(NativeTargets byText) {
        this.byText = byText;
    }

    /** Notes the rows that a statement changes, when it is translated, which Hibernate does once for many executions. */
    public void note(ChangedRows rows, QueryParameterBindings bindings, SqmTranslation<?> translated) {
        List<JdbcParameter> sent = translated.getJdbcParamsBySqmParam().values().stream()
                .flatMap(List::stream)
                .flatMap(List::stream)
                .toList();
        sent.forEach(parameter -> changed.put(parameter, rows));
        if (sent.isEmpty()) {
            // A list without elements: Hibernate translates its statement for each execution.
            changed.put(bindings, rows);
        }
    }

    /** The rows that a statement changes; null if its condition does not fix them. */
    @Nullable
    ChangedRows changedBy(
            JdbcOperationQueryMutation statement, JdbcParameterBindings sent, QueryParameterBindings given) {
        for (JdbcParameterBinder each : statement.getParameterBinders()) {
            if (each instanceof ChangedRows.SentConstant constant) {
                return constant.rows();
            }
        }
        ChangedRows[] rows = {changed.getIfPresent(given)};
        sent.visitBindings((parameter, binding) -> {
            if (rows[0] == null) {
                rows[0] = changed.getIfPresent(parameter);
            }
        });
        return rows[0];
    }

    /**
     * Opens the scope of the shards to which the rows of a query belong, as in a repository: the scope of several shards remains for a
     * list, or if it contains the shard; that of another single shard does not.
     *
     * @return null if the query does not require an id or a shard key of all of its rows, or an open scope remains
     */
    ShardContext.@Nullable Scope open(JdbcSelect query, JdbcParameterBindings sent, ExecutionContext context) {
        RequiredRows rows = RoutedSelect.rows(query);
        if (rows == null) {
            return openNative(query, sent, context.getSession());
        }
        Set<Integer> shards = new RequiredShards(
                        rows, context.getQueryParameterBindings(), context.getSession(), byText.cluster(), false)
                .find();
        return shards == null || remains(ShardContext.target(), shards, rows) ? null : RoutedScope.open(target(shards));
    }

    private boolean remains(@Nullable Target scope, Set<Integer> shards, RequiredRows rows) {
        return scope instanceof ShardSet
                && (shards.size() != 1 || rows.areByList() || RequiredShards.isIn(scope, shards, byText.cluster()));
    }

    private ShardContext.@Nullable Scope openNative(
            JdbcSelect query, JdbcParameterBindings sent, SharedSessionContractImplementor session) {
        boolean isNative = query.getJdbcValuesMappingProducer() instanceof ResultSetMapping;
        return !isNative || ShardContext.target() instanceof ShardSet
                ? null
                : byText.shards(query, sent, false, session)
                        .map(shards -> RoutedScope.open(target(shards)))
                        .orElse(null);
    }

    /** Any shard knows that there are no rows without values, and what the query returns then. */
    private static Target target(Set<Integer> shards) {
        return shards.size() > 1
                ? ShardSet.of(shards)
                : Target.shard(shards.isEmpty() ? 0 : shards.iterator().next());
    }

    /**
     * In a rehearsal, opens a scope that says whether a query requires rows of one shard or of several. The number of the shard means
     * nothing, as the rows have ids without shards.
     *
     * @return null if the query does not require an id or a shard key of all of its rows, or an open scope remains
     */
    ShardContext.@Nullable Scope rehearse(JdbcSelect query, QueryParameterBindings given) {
        RequiredRows rows = ShardContext.target() instanceof ShardSet ? null : RoutedSelect.rows(query);
        if (rows == null || rows.loose() != null) {
            return null;
        }
        return RoutedScope.open(rows.haveSeveralValues(given) ? ShardSet.all() : Target.shard(0));
    }
}
