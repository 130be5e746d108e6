/**
 * Routing of Spring Data JPA repositories: the id, the shard key or the current scope determines the logical shard of a call.
 * Users write plain {@code JpaRepository} interfaces. Independent of Spring Boot.
 */
@NullMarked
package io.github.shardedid.spring.data;

import org.jspecify.annotations.NullMarked;
