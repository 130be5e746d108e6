package io.github.shardedid.boot.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is said of the application's health.
 *
 * @param databaseDown The status of a database that cannot be reached, if there are others. DEGRADED leaves the application's own
 *     status alone, as it serves the other shards; DOWN makes it DOWN.
 */
@ConfigurationProperties("sharded-id.health")
public record ShardedHealthProperties(@DefaultValue("DEGRADED") String databaseDown) {}
