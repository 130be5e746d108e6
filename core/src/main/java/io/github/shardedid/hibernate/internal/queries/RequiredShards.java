package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.WayOut;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.queries.UniqueValues.ByClaim;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.unique.Claims;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.hibernate.query.spi.QueryParameterBindings;
import org.jspecify.annotations.Nullable;

/**
 * The shards of the rows that a statement requires, by the values with which it is executed.
 *
 * <p>The values are combined as follows:
 *
 * <ol>
 *   <li>Within a group, all conditions hold for each row: the shards are those that all of them name.
 *   <li>A single group, with all rows of the statement, is executed in its shards, be they one, several or none.
 *   <li>Several groups are rows that are not tied to each other, such as the two parts of a UNION: they have to be
 *       in one shard.
 *   <li>If there are other rows, the open scope decides where they are, and has to contain the shards of all
 *       values.
 * </ol>
 *
 * @param change whether the statement changes rows, so that an id that no shard can have generated is an error
 * @param rows the conditions of the statement
 * @param given the values of the parameters
 * @param session the session, which may know rows whose ids name no shard
 */
record RequiredShards(
        RequiredRows rows, QueryParameterBindings given, SharedSessionContractImplementor session, boolean change) {
    /**
     * The shards in which the statement is to be executed; none if no row has the values.
     *
     * @return null if it has other rows, too, and so is executed in the open scope
     * @throws NoShardException if the values name several shards that no statement can join, or the open scope is not their shard
     */
    @Nullable
    Set<Integer> find() {
        if (rows.computed() != null) {
            requireScopeOfSeveral(
                    sharding().target(session),
                    "A statement compares " + rows.computed() + " with a value that the database computes");
        }
        List<Set<Integer>> groups = rows.groups().stream().map(this::ofGroup).toList();
        String loose = rows.loose();
        if (groups.size() == 1 && loose == null) {
            return groups.get(0).isEmpty() ? ofNone(rows.groups().get(0).get(0)) : groups.get(0);
        }
        Set<Integer> all = new TreeSet<>();
        groups.forEach(all::addAll);
        if (loose != null) {
            rows.compared().forEach(condition -> all.addAll(of(condition)));
            requireScope(all, loose);
            return null;
        } else if (all.size() > 1) {
            throw new NoShardException("A statement has rows of several shards: it requires " + values()
                    + ". It is executed in one shard, with its joins, its subselects, and all parts of a UNION. Query each"
                    + " shard by itself, and combine what they return, or pass it as parameters. Nothing was sent.");
        }
        return all;
    }

    /**
     * Returns where a statement is executed that no row fulfils: anywhere, but for unique values in the shard that has just
     * said so, since the database of another one may be down.
     */
    private Set<Integer> ofNone(RequiredRows.Condition condition) {
        String claim =
                condition.rule() instanceof ByClaim unique ? unique.key().textOf(condition.each(given), session) : null;
        return claim == null
                ? Set.of()
                : Set.of(UniqueKey.shardOf(claim, sharding().cluster().keyShards()));
    }

    /**
     * Returns the shards that all conditions of a group name. None is a result: no row fulfils them, and the
     * statement is executed in any shard.
     */
    private Set<Integer> ofGroup(List<RequiredRows.Condition> group) {
        Set<Integer> common = of(group.get(0));
        group.subList(1, group.size()).forEach(condition -> common.retainAll(of(condition)));
        return common;
    }

    private Set<Integer> of(RequiredRows.Condition condition) {
        // Ascending, which keeps messages and the order of execution stable.
        Set<Integer> found = new TreeSet<>();
        if (condition.rule() instanceof ByClaim unique) {
            requireBuilt(unique.key());
            new Claims(sharding().dataSource(), session)
                    .ownersOf(unique.key(), condition.each(given))
                    .forEach(owner -> found.add(sharding().cluster().shardOf(owner)));
            return found;
        }
        condition.forEach(given, adding(EntityRules.in(session, condition.rule()), change, found));
        return found;
    }

    /** Otherwise a row that has not claimed its value yet would not be found. */
    private void requireBuilt(UniqueKey key) {
        if (!sharding().uniqueKeys().isBuilt(key)) {
            throw new NoShardException("A query has no shard: it requires a value of " + key
                    + ", which is @UniqueAcrossShards, but the claims of existing rows are being built, or could not be read."
                    + " Run it in ShardContext.run(<its shard>, …) or, to ask all shards, with @AllShards, until "
                    + WayOut.BUILD_CLAIMS.of() + " has succeeded. Nothing was sent.");
        }
    }

    /**
     * Refuses a statement without a shard of its own, unless several shards are asked: a scope of one shard would decide in place of a
     * value that is given, so that rows are not found.
     *
     * @param unknown a sentence about the value, without its end
     */
    static void requireScopeOfSeveral(@Nullable Target scope, String unknown) {
        if (scope == null || scope instanceof Target.Shard) {
            throw new NoShardException(unknown + ", so its shard is not known"
                    + (scope == null ? "." : ", and may be another one than the open scope, which is " + scope + ".")
                    + " Compute the value in Java, and pass it as a parameter. Nothing was sent.");
        }
    }

    private Sharding sharding() {
        return Sharding.require(session.getFactory());
    }

    /** Nothing else than the scope says where the other rows are: it is to be that of the values. */
    private void requireScope(Set<Integer> shards, String loose) {
        Target scope = sharding().target(session);
        if (!shards.isEmpty() && !isIn(scope, shards, sharding().cluster())) {
            throw new NoShardException("A statement requires " + values() + ", but also has rows of " + loose
                    + ", which no id or shard key ties to them"
                    + (scope == null
                            ? ", so no shard is known to have all of its rows."
                            : ", so it would be executed in the open scope, which is " + scope
                                    + ", where none has these values.")
                    + " Compare an id or a shard key of " + loose
                    + " with such a value, or with that of the other rows;"
                    + " or, if only rows of one shard are meant, call this in ShardContext.run("
                    + (shards.size() == 1 ? shards.iterator().next() : "shard") + ", …). Nothing was sent.");
        }
    }

    /** The scope of the global database is one in which the statement is refused. */
    static boolean isIn(@Nullable Target scope, Set<Integer> shards, Cluster cluster) {
        if (scope instanceof ShardSet set) {
            return set.shards(cluster.map().get()).boxed().toList().containsAll(shards);
        }
        return scope instanceof Target.Shard one ? shards.equals(Set.of(one.number())) : scope != null;
    }

    /**
     * Returns what is required, and the shards of the values, for messages. Evaluates the rules again, since the
     * message is for the rare failure; the usual path keeps no texts.
     */
    private String values() {
        return Stream.concat(rows.groups().stream().flatMap(List::stream), rows.compared().stream())
                .map(this::describe)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /** An entity by its name and id. */
    private Object printed(Object value) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(value);
        if (reference != null) {
            return reference.getEntityName() + "#" + reference.getInternalIdentifier();
        }
        EntityPersister entity = session.getFactory().getMappingMetamodel().findEntityDescriptor(value.getClass());
        return entity == null ? value : entity.getEntityName() + "#" + entity.getIdentifier(value, session);
    }

    private String describe(RequiredRows.Condition values) {
        StringBuilder text = new StringBuilder(values.attribute());
        if (values.rule() instanceof ByClaim) {
            return text.append(" = ")
                    .append(Arrays.toString(values.each(given)))
                    .toString();
        }
        values.forEach(given, value -> {
            Set<Integer> found = new TreeSet<>();
            adding(EntityRules.in(session, values.rule()), false, found).accept(value);
            text.append(text.length() == values.attribute().length() ? " = " : ", ")
                    .append(printed(value))
                    .append(
                            found.isEmpty()
                                    ? ""
                                    : " of shard " + found.iterator().next());
        });
        return text.toString();
    }

    /**
     * Adds the shards of values to a set.
     *
     * @param strict whether an id that no shard can have generated is an error; else it is that of no row
     */
    static Consumer<Object> adding(ShardRule rule, boolean strict, Set<Integer> shards) {
        return value -> {
            try {
                shards.add(rule.shardOf(value));
            } catch (UnknownShardException | MalformedIdException noSuchRow) {
                if (strict) {
                    throw noSuchRow;
                }
            }
        };
    }
}
