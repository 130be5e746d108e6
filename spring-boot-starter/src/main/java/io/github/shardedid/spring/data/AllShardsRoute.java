package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.jpa.domain.UpdateSpecification;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.query.Procedure;

/** The route of a method with {@link AllShards}. */
final class AllShardsRoute {
    private static final Set<String> BY_ID = Set.of("findById", "existsById", "getReferenceById", "getById", "getOne");

    /** Number of rows of a statement that a {@code Stream} fetches at a time, unless a hint or the scope says otherwise. */
    private static final int FETCH_SIZE = 500;

    private AllShardsRoute() {}

    /**
     * Returns the route.
     *
     * @throws ShardedIdMappingException if the method writes, or determines a shard
     */
    static MethodRoute of(MethodName name, boolean hasShardKey) {
        String method = name.method().getName();
        boolean writes = AnnotatedElementUtils.hasAnnotation(name.method(), Modifying.class)
                || AnnotatedElementUtils.hasAnnotation(name.method(), Procedure.class)
                || Stream.of(name.method().getParameterTypes()).anyMatch(UpdateSpecification.class::equals)
                || Stream.of("save", "delete", "remove", "flush").anyMatch(method::startsWith);
        if (writes) {
            throw new ShardedIdMappingException(name + " has @AllShards, but it writes, and a transaction writes to one"
                    + " shard. Call it for each shard, in ShardContext.run(shard, …).");
        }
        if (hasShardKey || BY_ID.contains(method)) {
            throw new ShardedIdMappingException(
                    name + " has @AllShards, but " + (hasShardKey ? "a parameter with @ShardKey" : "its id")
                            + " determines the only shard that can contain the row. Remove @AllShards.");
        }
        AllShards annotation = AnnotatedElementUtils.findMergedAnnotation(name.method(), AllShards.class);
        boolean perShard = annotation != null && annotation.perShard();
        boolean streams = Stream.class.isAssignableFrom(name.method().getReturnType());
        return MethodRoute.of(
                RouteKind.ALL_SHARDS,
                arguments -> target(ShardContext.currentSet().orElse(null), perShard, streams));
    }

    private static CallTarget target(@Nullable ShardSet current, boolean perShard, boolean streams) {
        ShardSet shards = current == null ? ShardSet.all() : current;
        if (perShard) {
            shards = shards.perShard();
        }
        if (streams && shards.fetchSize() == 0) {
            shards = shards.withFetchSize(FETCH_SIZE);
        }
        return shards.equals(current) ? CallTarget.AS_IT_IS : new CallTarget.To(shards);
    }
}
