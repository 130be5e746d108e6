package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The parameter with {@link ShardKey} of a repository method. */
record ShardKeyParameter(MethodName name, int index, Class<?> references) {
    /**
     * Finds the parameter.
     *
     * @throws ShardedIdMappingException if there is more than one, since only one can decide
     */
    static Optional<ShardKeyParameter> in(MethodName name) {
        Parameter[] parameters = name.method().getParameters();
        List<ShardKeyParameter> found = IntStream.range(0, parameters.length)
                .boxed()
                .flatMap(i -> Stream.of(parameters[i].getAnnotationsByType(ShardKey.class))
                        .map(annotation -> new ShardKeyParameter(name, i, annotation.references())))
                .toList();
        if (found.size() > 1) {
            throw new ShardedIdMappingException(
                    name + " has more than one parameter with @ShardKey. One decides the shard; annotate that one.");
        }
        return found.stream().findFirst();
    }

    /**
     * Returns the route by the value of the parameter.
     *
     * @param uses what the query compares its arguments with, as far as known
     * @throws ShardedIdMappingException if the type of the parameter, or what it is compared with, does not determine a shard
     */
    MethodRoute route(Class<?> entity, EntityShards shards, List<ArgumentUse> uses) {
        List<ArgumentUse> own =
                uses.stream().filter(use -> use.index() == index).toList();
        ShardRule rule = rule(entity, shards, own);
        Class<?> type = name.typeOf(index);
        if (!rule.accepts(type)) {
            throw refused("is of type " + type.getName() + ", whose values do not determine a shard."
                    + " Declare it with the very type of the shard key of " + entity.getSimpleName()
                    + ", or as a sharded entity; for a sharded id, say of which entity: @ShardKey(references = …).");
        }
        return name.byArgument(index, "its parameter with @ShardKey", rule, name.writes());
    }

    private ShardRule rule(Class<?> entity, EntityShards shards, List<ArgumentUse> uses) {
        if (references != void.class && !shards.isSharded(references)) {
            throw new ShardedIdMappingException("The parameter with @ShardKey of " + name + " refers to "
                    + references.getName() + ", which has no @ShardedId. Name the sharded entity whose id it is.");
        }
        ShardRule meant = references == void.class
                ? shards.byKey(entity).orElseGet(() -> entityOnly(shards))
                : shards.byId(references);
        if (uses.isEmpty()) {
            return meant; // In a function or an INSERT, for instance: who has written it knows.
        }
        List<ShardRule> rules = uses.stream()
                .flatMap(use -> Stream.ofNullable(use.rule()))
                .distinct()
                .toList();
        if (rules.size() == 1 && (references == void.class || rules.contains(meant))) {
            return rules.get(0);
        }
        throw refused("is compared with "
                + uses.stream().map(ArgumentUse::path).distinct().collect(Collectors.joining(" and "))
                + (rules.isEmpty()
                        ? ", which does not tell the shard of the rows. Annotate the parameter that is compared with the id,"
                                + " the shard key or a parent by equality, or call the method in ShardContext.run(shard, …)"
                                + " without the annotation."
                        : ", which tell the shard in different ways. Pass two parameters, and annotate one of them with what"
                                + " it is."));
    }

    private ShardedIdMappingException refused(String why) {
        return new ShardedIdMappingException("The parameter with @ShardKey of " + name + " " + why);
    }

    private static ShardRule entityOnly(EntityShards shards) {
        return new ShardRule() {
            @Override
            public int shardOf(Object value) {
                return shards.byId().shardOf(value);
            }

            @Override
            public boolean accepts(Class<?> type) {
                return shards.isSharded(type);
            }
        };
    }
}
