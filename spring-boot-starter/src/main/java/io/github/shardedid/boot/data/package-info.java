/**
 * What stands on the sharded data source: Hibernate and Spring Data JPA, ids for clients, the context of threads, Boot's own Flyway, and
 * the data source of the global database for other libraries.
 */
@NullMarked
package io.github.shardedid.boot.data;

import org.jspecify.annotations.NullMarked;
