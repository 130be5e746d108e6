package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of repositories. Immutable.
 *
 * @param repositories Repositories of sharded entities.
 * @param rehearsal Whether an application without shards reports what shards would change. Only without sharded-id.databases.
 * @param rehearsalReport File to which the reports of the rehearsal are appended. Empty: none. Default: shard-rehearsal.txt in target or
 *     build, in the directory of a Maven or Gradle project.
 */
@ConfigurationProperties("sharded-id")
public record RepositoryProperties(
        @DefaultValue Repositories repositories,
        @DefaultValue("false") boolean rehearsal,
        @Nullable String rehearsalReport) {
    /**
     * Repositories of sharded entities.
     *
     * @param unroutableMethods What to do at start-up about declared methods whose calls need a scope, because neither their names
     *     nor their parameters determine a shard: report them in the log and the endpoint, or refuse to start.
     */
    public record Repositories(@DefaultValue("report") Unroutable unroutableMethods) {}

    /** What to do about methods whose calls need a scope. */
    public enum Unroutable {
        /** List them in the log, once, and in the endpoint shardroutes. */
        REPORT,
        /** Refuse to start, with the list of them. */
        REFUSE
    }
}
