package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.UnsupportedStatementException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.jpa.repository.Modifying;

/** A repository method in messages: {@code PhotoRepository.findByCaption(String)}. */
record MethodName(Class<?> repository, Method method) {
    private static final String WAYS =
            "fix the id, the shard key or what is @UniqueAcrossShards by equality, as in findByAuthorId(Long id); put"
                    + " @ShardKey on the parameter whose value decides; or call it in ShardContext.run(shard, …). ";
    private static final String OF_READS = WAYS + "To ask all shards, put @AllShards on the method.";
    private static final String OF_WRITES = WAYS + "To change rows of all shards, call it so for each shard, 0 to"
            + " Cluster.shardCount() - 1, in a transaction of its own; or read the entities by a method with @AllShards, and"
            + " pass them to deleteAll(entities) or saveAll(entities) outside of a transaction.";

    NoShardException unroutable(String why) {
        return NoShardException.ofValue("The call of " + this + " determines no shard: " + why
                + " Nothing was sent. Ways to name a shard: " + ways());
    }

    /** Returns the message of {@link #unroutable} for the start. */
    String needsScope(String why) {
        return this + " determines no shard: " + why
                + " Its calls outside of a scope are refused. Ways to name a shard: " + ways();
    }

    /** A write cannot go to all shards: {@code @AllShards} is refused on it. */
    private String ways() {
        return writes() ? OF_WRITES : OF_READS;
    }

    /** A query that would join rows of other shards. */
    String refused(UnsupportedStatementException problem) {
        return "The query of " + this + " cannot work: " + problem.getMessage();
    }

    /** The declared type of a parameter, with type variables resolved by the repository. */
    Class<?> typeOf(int index) {
        Class<?> type =
                ResolvableType.forMethodParameter(method, index, repository).resolve();
        return type == null ? Object.class : type;
    }

    /** Returns whether the method is declared to write. */
    boolean writes() {
        return AnnotatedElementUtils.hasAnnotation(method, Modifying.class)
                || method.getName().startsWith("delete")
                || method.getName().startsWith("remove");
    }

    /** The route by one argument. The argument must not be null. */
    MethodRoute byArgument(int index, String meaning, ShardRule rule, boolean write) {
        return arguments -> {
            Object value = arguments[index];
            if (value == null) {
                throw NoShardException.ofValue(this + " was called with null for " + meaning
                        + ", which determines no shard. Pass a value, or call a query for null in ShardContext.run(shard, …)."
                        + " Nothing was sent.");
            }
            return CallTarget.to(MethodRoute.shardOf(rule, value, write));
        };
    }

    @Override
    public String toString() {
        return repository.getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
