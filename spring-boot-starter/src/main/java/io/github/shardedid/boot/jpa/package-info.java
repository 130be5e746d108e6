/**
 * Spring Data JPA and Hibernate on a sharded cluster: settings, guards and the transaction manager.
 */
@NullMarked
package io.github.shardedid.boot.jpa;

import org.jspecify.annotations.NullMarked;
