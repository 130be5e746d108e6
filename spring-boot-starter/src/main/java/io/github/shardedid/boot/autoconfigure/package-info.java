/**
 * Spring Boot's auto-configuration: from {@code sharded-id.databases} to pools, a provisioned cluster, one routing data
 * source, Hibernate and repositories on it. Every bean backs off to one of the application's own.
 */
@NullMarked
package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
