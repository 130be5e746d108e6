package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/** Executes calls of repositories that are not routed, such as those of an application without shards. Called by several threads at a time. */
public interface UnroutedCalls {
    /**
     * Returns the rules by which the entities of a session factory would be routed.
     *
     * @param factory the session factory that a repository uses
     * @return empty if its repositories are to be left alone
     */
    Optional<EntityShards> shardsOf(SessionFactory factory);

    /**
     * Executes a call whose arguments would determine its target. Not called for those that execute code of the application, nor for queries
     * that are routed when their statements are executed.
     *
     * @param call the call
     * @param method the repository and the method, such as {@code PhotoRepository.findByCaption(String)}
     * @param kind how the call would determine its shards
     * @param determination determines them; throws what the call would be refused with
     * @return what the call returns
     * @throws Throwable what the call throws
     */
    @Nullable
    Object proceed(MethodInvocation call, String method, RouteKind kind, Runnable determination) throws Throwable;
}
