/**
 * Tests of an application on a small sharded cluster of real servers: an annotation that starts it, a bean that looks into
 * it, and assertions. Needs {@code spring-boot-test}, AssertJ, and embedded PostgreSQL or Testcontainers; nothing of it is
 * loaded where an application is not tested.
 */
@NullMarked
package io.github.shardedid.boot.test;

import org.jspecify.annotations.NullMarked;
