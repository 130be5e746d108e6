package io.github.shardedid.boot.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether log lines name shard and database.
 *
 * @param enabled Whether the MDC has the shard and the database, as shardedId.shard and shardedId.database, while a thread works for
 *     them.
 */
@ConfigurationProperties("sharded-id.mdc")
public record ShardedMdcProperties(@DefaultValue("true") boolean enabled) {}
