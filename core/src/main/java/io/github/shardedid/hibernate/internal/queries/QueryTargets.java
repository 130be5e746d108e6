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
import java.util.stream.Stream;
import org.hibernate.query.spi.QueryParameterBinding;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.spi.QueryParameterImplementor;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.query.sqm.tree.expression.JpaCriteriaParameter;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.ast.tree.select.SelectStatement;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.jspecify.annotations.Nullable;

/**
 * The targets of statements that require an id or a shard key: known when their parameters are bound. Which parameters
 * decide is noted when a statement is translated, which Hibernate does once for many executions. Safe for use by several threads.
 */
public final class QueryTargets {
    private final NativeTargets byText;

    /** By identity, for as long as Hibernate keeps the translated query. */
    private final Cache<JdbcParameter, ShardRule> deciding =
            Caffeine.newBuilder().weakKeys().build();

    /** Lists without elements, by the bindings of their queries, which Hibernate translates for each execution. */
    private final Cache<QueryParameterBindings, QueryParameterImplementor<?>> empty =
            Caffeine.newBuilder().weakKeys().build();

    /** By the parameters, else the bindings, of a statement that changes rows of one table. */
    private final Cache<Object, ChangedRows> changed =
            Caffeine.newBuilder().weakKeys().build();

    QueryTargets(NativeTargets byText) {
        this.byText = byText;
    }

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

    /** Notes the rows that a statement changes, if its parameters decide where they are. */
    public void note(
            SqmDmlStatement<?> statement,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            SqmTranslation<?> translated,
            EntityShardRules shards) {
        String entity = statement.getTarget().getEntityName();
        ChangedRows.of(statement, entity, parameters, shards).ifPresent(rows -> {
            List<JdbcParameter> sent = rows.required().values().stream()
                    .map(value -> asTranslated((SqmParameter<?>) value, parameters))
                    .flatMap(value -> columns(value, parameters, translated))
                    .flatMap(List::stream)
                    .toList();
            sent.forEach(parameter -> changed.put(parameter, rows));
            if (sent.isEmpty()) {
                changed.put(bindings, rows);
            }
        });
    }

    /** The rows that a statement changes; null if its parameters do not decide where they are. */
    @Nullable
    ChangedRows changedBy(JdbcParameterBindings sent, QueryParameterBindings given) {
        ChangedRows[] rows = {changed.getIfPresent(given)};
        sent.visitBindings((parameter, binding) -> {
            if (rows[0] == null) {
                rows[0] = changed.getIfPresent(parameter);
            }
        });
        return rows[0];
    }

    static SqmParameter<?> asTranslated(SqmParameter<?> parameter, DomainParameterXref parameters) {
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
        List<List<JdbcParameter>> columns =
                columns(parameter, parameters, translated).toList();
        return columns.stream().allMatch(each -> each.size() == 1)
                ? columns.stream().flatMap(List::stream).toList()
                : List.of();
    }

    private static Stream<List<JdbcParameter>> columns(
            SqmParameter<?> parameter, DomainParameterXref parameters, SqmTranslation<?> translated) {
        List<SqmParameter<?>> elements = new ArrayList<>(parameters.getExpansions(parameter));
        elements.add(parameter);
        return elements.stream()
                .flatMap(element -> translated.getJdbcParamsBySqmParam().getOrDefault(element, List.of()).stream());
    }

    /**
     * Opens the scope of the shards to which the parameters of a query belong. As in a repository, the scope of several shards
     * remains if it is open, and that of another single shard does not.
     *
     * @return null if the parameters do not decide, or an open scope remains
     */
    ShardContext.@Nullable Scope open(JdbcOperation query, JdbcParameterBindings sent, QueryParameterBindings given) {
        return ShardContext.target() instanceof ShardSet
                ? null
                : of(sent, given)
                        .or(() -> byText.ids(query, sent).map(ids -> target(byText.shards(ids))))
                        .map(ShardContext::open)
                        .orElse(null);
    }

    /**
     * In a rehearsal, opens a scope that says whether the parameters of a query determine one shard or several. The number of the shard
     * means nothing, as the rows have ids without shards.
     *
     * @return null if the parameters do not decide, or an open scope remains
     */
    ShardContext.@Nullable Scope rehearse(JdbcParameterBindings sent, QueryParameterBindings given) {
        if (ShardContext.target() instanceof ShardSet) {
            return null;
        }
        return values(sent, given)
                .map(values -> values.stream()
                        .flatMap(each -> ShardsOfValues.elements(each.value()))
                        .count())
                .<Target>map(values -> values > 1 ? ShardSet.all() : Target.shard(0))
                .map(ShardContext::open)
                .orElse(null);
    }

    private Optional<Target> of(JdbcParameterBindings sent, QueryParameterBindings given) {
        return values(sent, given).map(values -> target(ShardsOfValues.of(values.stream())));
    }

    /** The values that decide; empty if none does. */
    private Optional<List<ShardsOfValues.Value>> values(JdbcParameterBindings sent, QueryParameterBindings given) {
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
        return decides[0] || isEmpty(given) ? Optional.of(values) : Optional.empty();
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
