package io.github.shardedid.hibernate.internal.queries;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardMap;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.hibernate.sql.exec.spi.JdbcParameterBinder;
import org.hibernate.sql.exec.spi.JdbcParameterBinding;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.jspecify.annotations.Nullable;

/**
 * The targets of statements that require an id or a shard key: known when they are executed. Safe for use by
 * several threads.
 *
 * <p>There is one for each session factory, kept by {@link RoutedJdbcServices}. A query carries its conditions
 * itself (see {@link RoutedSelect}); what Hibernate keeps of a changing statement cannot hold them, so they are
 * noted here.
 *
 * @param changed by the parameters, else the bindings, of a statement that changes rows of one table; by identity, for as long as
 *     Hibernate keeps the translated statement
 */
public record QueryTargets(Sharding sharding, Cache<Object, ChangedRows> changed) {
    /** A number in a text, such as JSON or {@code photo-5}, but not in a UUID. */
    private static final Pattern NUMBER = Pattern.compile("(?<![0-9])[0-9]{1,19}(?![0-9])");

    private static final Pattern UUID_TEXT = Pattern.compile("(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** Creates the targets of a session factory, of which no statement has been translated yet. */
    public QueryTargets(Sharding sharding) {
        this(sharding, Caffeine.newBuilder().weakKeys().build());
    }

    /**
     * Notes the rows that a statement on one table changes, when it is translated, which Hibernate does once for many executions. Hibernate
     * keeps only its parameters with the translation, by which its rows are found again. A statement without parameters could not be found
     * again, so it is refused instead of sent to the open scope.
     */
    public void note(
            ChangedRows rows,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            SqmTranslation<?> translated) {
        if (!parameters.hasParameters()) {
            throw new NoShardException("The shard of the rows of " + rows.entityName()
                    + " that a statement changes is a constant of its text. Pass it as a parameter. Nothing was sent.");
        }
        List<JdbcParameter> sent = translated.getJdbcParamsBySqmParam().values().stream()
                .flatMap(List::stream)
                .flatMap(List::stream)
                .toList();
        // Each of them, since Hibernate may expand one parameter to several, and any may be the one that is bound.
        sent.forEach(parameter -> changed.put(parameter, rows));
        if (sent.isEmpty()) {
            // A list without elements: Hibernate translates its statement for each execution.
            changed.put(bindings, rows);
        }
    }

    /**
     * The rows that a statement changes; null if its condition does not fix them.
     *
     * <p>The bindings of the query come first: for a list without elements, there is no parameter that was sent.
     */
    public @Nullable ChangedRows changedBy(JdbcParameterBindings sent, QueryParameterBindings given) {
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
     * @param rows those that the query requires
     * @return null if an open scope remains
     */
    ShardContext.@Nullable Scope open(RequiredRows rows, ExecutionContext context) {
        if (rows.areByClaim() && remainsWithoutClaim(rows, context.getSession())) {
            return null;
        }
        Set<Integer> shards =
                new RequiredShards(rows, context.getQueryParameterBindings(), context.getSession(), false).find();
        return shards == null || remains(ShardContext.target(), shards, rows) ? null : RoutedScope.open(target(shards));
    }

    /** A scope of all shards has that of each value, so no claim has to be read. While claims are being built, any scope decides. */
    private boolean remainsWithoutClaim(RequiredRows rows, SharedSessionContractImplementor session) {
        return (ShardContext.target() instanceof ShardSet set && isWhole(set))
                || (sharding.target(session) != null && !rows.claimed().allMatch(sharding.uniqueKeys()::isBuilt));
    }

    private boolean isWhole(ShardSet scope) {
        ShardMap map = sharding.cluster().map().get();
        return scope.shards(map).count() == map.shardCount();
    }

    /**
     * Returns whether the scope of several shards remains. For one value of an id, the scope would only add
     * shards without a result; for a list, it is what the application has chosen, such as the shards that are
     * reachable.
     */
    private boolean remains(@Nullable Target scope, Set<Integer> shards, RequiredRows rows) {
        return scope instanceof ShardSet
                && (shards.size() != 1 || rows.areByList() || RequiredShards.isIn(scope, shards, sharding.cluster()));
    }

    /** Opens the scope of the ids in a native query; null if it remains. */
    ShardContext.@Nullable Scope openNative(
            JdbcSelect query, JdbcParameterBindings sent, SharedSessionContractImplementor session) {
        Set<Integer> shards = ShardContext.target() instanceof ShardSet ? null : ofNative(query, sent, false, session);
        return shards == null ? null : RoutedScope.open(target(shards));
    }

    /**
     * Returns the shards of the ids that a native statement requires by its SQL; null if the statement does not require ids of all of its rows, so that it is executed in the open scope.
     *
     * @param change whether the statement changes rows, so that an id that no shard can have generated is an error
     * @throws NoShardException if the open scope is one shard, and may not be that of ids which the statement requires
     */
    @Nullable
    Set<Integer> ofNative(
            JdbcOperation statement,
            JdbcParameterBindings sent,
            boolean change,
            SharedSessionContractImplementor session) {
        List<JdbcParameterBinder> binders = statement.getParameterBinders();
        ComparedIds compared = sharding.dataSource().comparedIds(statement.getSqlString());
        if (compared.doubtful()) {
            requireIdsOfScope(statement.getSqlString(), sent, session);
        }
        // The analysis has counted other parameters than Hibernate, so their numbers do not correspond.
        if (compared.count() != binders.size()) {
            return null;
        }
        return compared.required()
                .map(ids -> shards(ids, binders, sent, change, session))
                .orElse(null);
    }

    /** Returns the shards of ids; null if the ids are not known: one is computed, or is no whole number. */
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
            // A binder that is no parameter writes a value that is not among the bindings, such as that of a
            // filter.
            known &= binding != null;
            RequiredRows.forEachElement(
                    binding == null ? null : binding.getBindValue(), value -> ids.add(EntityRules.id(value)));
        }
        if (!known || ids.contains(null)) {
            RequiredShards.requireScopeOfSeveral(
                    sharding.target(session),
                    "A native statement compares " + required.column()
                            + " with a value that is no id before the database computes it");
            return null;
        }
        Set<Integer> found = new TreeSet<>();
        ids.forEach(RequiredShards.adding(id -> sharding.cluster().shardOf((Long) id), change, found));
        return found;
    }

    /** Returns a value as it may be written in SQL; nothing for one that is no number and has none, though its text has digits. */
    @SuppressWarnings("JavaUtilDate") // only asked for its type
    private static String text(@Nullable Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        return value instanceof Temporal || value instanceof Date || value instanceof Calendar
                ? ""
                : String.valueOf(value);
    }

    /**
     * Refuses an open scope of one shard if a statement has a number that is no id of it: the statement may ask for rows by it, and would
     * return nothing for an id of another shard, without an error. Numbers that are smaller than any id are passed over.
     */
    private void requireIdsOfScope(String sql, JdbcParameterBindings sent, SharedSessionContractImplementor session) {
        if (!(sharding.target(session) instanceof Target.Shard scope)) {
            return;
        }
        List<String> texts = new ArrayList<>(List.of(sql));
        sent.visitBindings((parameter, binding) ->
                RequiredRows.forEachElement(binding.getBindValue(), value -> texts.add(text(value))));
        IdLayout layout = sharding.cluster().layout();
        long least = layout.encode(1, 0, 0);
        texts.stream()
                .flatMap(text ->
                        NUMBER.matcher(UUID_TEXT.matcher(text).replaceAll(" ")).results())
                .map(found -> new BigInteger(found.group()))
                .filter(number -> number.bitLength() < Long.SIZE)
                .mapToLong(BigInteger::longValue)
                .filter(id -> id >= least && (!layout.isId(id) || layout.shardOf(id) != scope.number()))
                .findFirst()
                .ifPresent(id -> {
                    throw new NoShardException(
                            "A native statement has the number " + id + ", which is no id of the open scope, "
                                    + scope + (layout.isId(id) ? ", but may be one of shard " + layout.shardOf(id) : "")
                                    + ". Its form (such as WITH, UNION, RETURNING, a subselect or a table without a schema) does not say"
                                    + " whether its rows must have that id. Write {h-schema} before each table, and tie them by ids; call"
                                    + " it in ShardContext.run(<the id's shard>, …); or, if the number is no id of its rows, use"
                                    + " JdbcTemplate or Session.doWork. Nothing was sent.");
                });
    }

    /** Any shard knows that there are no rows without values, and what the query returns then. */
    private static Target target(Set<Integer> shards) {
        return shards.size() > 1
                ? ShardSet.of(shards)
                : Target.shard(shards.isEmpty() ? 0 : shards.iterator().next());
    }
}
