package io.github.shardedid.hibernate.internal.queries;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hibernate.query.spi.QueryParameterBinding;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.spi.QueryParameterImplementor;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.query.sqm.tree.expression.JpaCriteriaParameter;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.ast.tree.select.SelectStatement;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.jspecify.annotations.Nullable;

/**
 * The targets of HQL and criteria queries that require an id or a shard key: known when their parameters are bound. Which parameters
 * decide is noted when a query is translated, which Hibernate does once for many executions. Safe for use by several threads.
 */
public final class QueryTargets {
    /** By identity, for as long as Hibernate keeps the translated query. */
    private final Cache<JdbcParameter, ShardRule> deciding =
            Caffeine.newBuilder().weakKeys().build();

    /** Lists without elements, by the bindings of their queries, which Hibernate translates for each execution. */
    private final Cache<QueryParameterBindings, QueryParameterImplementor<?>> empty =
            Caffeine.newBuilder().weakKeys().build();

    /** Notes the parameters that decide where a query goes, if there are any. */
    public void note(
            SqmSelectStatement<?> query,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            SqmTranslation<SelectStatement> translated,
            EntityShardRules shards) {
        RequiredValues required =
                RequiredValues.of(query, shards, SqmParameter.class::isInstance).orElse(null);
        // Of an entity, the statement has only the id.
        if (required == null || EntityShardRules.isByRow(required.rule())) {
            return;
        }
        List<SqmParameter<?>> values = new ArrayList<>();
        required.values().forEach(value -> values.add(asTranslated((SqmParameter<?>) value, parameters)));
        List<List<JdbcParameter>> sent = values.stream()
                .map(value -> sent(value, parameters, translated))
                .toList();
        if (sent.stream().noneMatch(List::isEmpty)) {
            sent.forEach(each -> each.forEach(parameter -> deciding.put(parameter, required.rule())));
        } else if (required.byList() && values.size() == 1) {
            empty.put(bindings, parameters.getQueryParameter(values.get(0)));
        }
    }

    private static SqmParameter<?> asTranslated(SqmParameter<?> parameter, DomainParameterXref parameters) {
        SqmParameter<?> ofCriteria = parameter instanceof JpaCriteriaParameter<?>
                ? parameters
                        .getParameterResolutions()
                        .getJpaCriteriaParamResolutions()
                        .get(parameter)
                : null;
        return ofCriteria == null ? parameter : ofCriteria;
    }

    /**
     * The parameters of the statement by which a parameter of the query is sent: one for each element of its list. None for a
     * composite id, of which each column has a parameter: none of them has a value that the rule knows.
     */
    private static List<JdbcParameter> sent(
            SqmParameter<?> parameter, DomainParameterXref parameters, SqmTranslation<SelectStatement> translated) {
        List<SqmParameter<?>> elements = new ArrayList<>(parameters.getExpansions(parameter));
        elements.add(parameter);
        List<List<JdbcParameter>> columns = elements.stream()
                .flatMap(element -> translated.getJdbcParamsBySqmParam().getOrDefault(element, List.of()).stream())
                .toList();
        return columns.stream().allMatch(each -> each.size() == 1)
                ? columns.stream().flatMap(List::stream).toList()
                : List.of();
    }

    /**
     * Opens the scope of the shards to which the parameters of a query belong. As in a repository, the scope of several shards
     * remains if it is open, and that of another single shard does not.
     *
     * @return null if the parameters do not decide, or an open scope remains
     */
    ShardContext.@Nullable Scope open(JdbcParameterBindings sent, QueryParameterBindings given) {
        return ShardContext.target() instanceof ShardSet
                ? null
                : of(sent, given).map(ShardContext::open).orElse(null);
    }

    private Optional<Target> of(JdbcParameterBindings sent, QueryParameterBindings given) {
        List<ShardsOfValues.Value> values = new ArrayList<>();
        boolean[] decides = new boolean[1];
        sent.visitBindings((parameter, binding) -> {
            ShardRule rule = deciding.getIfPresent(parameter);
            if (rule != null) {
                decides[0] = true;
                if (binding.getBindValue() != null) {
                    values.add(new ShardsOfValues.Value(rule, binding.getBindValue()));
                }
            }
        });
        return decides[0] || isEmpty(given)
                ? Optional.of(target(ShardsOfValues.of(values.stream())))
                : Optional.empty();
    }

    private boolean isEmpty(QueryParameterBindings given) {
        QueryParameterImplementor<?> list = empty.getIfPresent(given);
        QueryParameterBinding<?> elements = list == null ? null : given.getBinding(list);
        return elements != null
                && elements.isMultiValued()
                && elements.getBindValues().isEmpty();
    }

    /** Any shard knows that there are no such rows, and what the query returns then. */
    private static Target target(Set<Integer> shards) {
        return switch (shards.size()) {
            case 0 -> Target.shard(0);
            case 1 -> Target.shard(shards.iterator().next());
            default -> ShardSet.of(shards);
        };
    }
}
