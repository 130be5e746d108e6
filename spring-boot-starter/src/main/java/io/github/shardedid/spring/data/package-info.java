/**
 * Routing of Spring Data JPA repositories: a call of a repository's method tells, by its id, its shard key or an open
 * scope, to which logical shard it goes. Users write plain {@code JpaRepository} interfaces. Knows nothing of Spring Boot.
 */
@NullMarked
package io.github.shardedid.spring.data;

import org.jspecify.annotations.NullMarked;
