package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.rehearsal.Rehearsal;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.RouteKind;
import io.github.shardedid.spring.data.UnroutedCalls;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInvocation;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notifies of the calls of the repositories of an application without shards that would be refused. All calls proceed.
 *
 * @param refused receives the method and the message
 */
record RehearsedCalls(BiConsumer<String, String> refused) implements UnroutedCalls {
    @Override
    public Optional<EntityShards> shardsOf(SessionFactory factory) {
        return Rehearsal.of(factory).map(Rehearsal::shards);
    }

    @Override
    public @Nullable Object proceed(MethodInvocation call, String method, RouteKind kind, Runnable determination)
            throws Throwable {
        String refusal = refusal(kind, determination);
        if (refusal != null) {
            refused.accept(method, refusal);
        }
        Target scope = scope(kind, refusal != null);
        try (ShardContext.Scope opened = scope == null ? null : RoutedScope.open(scope)) {
            return call.proceed();
        }
    }

    /** The scope of the statements of a call: which shard it is means nothing. A call that would be refused has none to judge. */
    private static @Nullable Target scope(RouteKind kind, boolean refused) {
        return switch (kind) {
            case GLOBAL -> Target.global();
            case ALL_SHARDS, SHARDS_OF_LIST, SHARDS_OF_CONDITION -> ShardSet.all();
            case NEEDS_SCOPE -> refused ? Target.shard(0) : null;
            default -> Target.shard(0);
        };
    }

    /** The rows have ids without shards, so a target means nothing; only what determines none is refused. */
    private static @Nullable String refusal(RouteKind kind, Runnable determination) {
        if (kind == RouteKind.SHARD_OF_EACH_ROW) {
            return null;
        }
        try {
            determination.run();
            return null;
        } catch (NoShardException refused) {
            return refused.getMessage();
        } catch (RuntimeException other) {
            return kind == RouteKind.REFUSED ? other.getMessage() : null;
        }
    }
}
