/**
 * Tests of applications with a small sharded cluster on real servers: an annotation that starts it, a bean to access it, and
 * assertions. Requires {@code spring-boot-test}, AssertJ, and embedded PostgreSQL or Testcontainers.
 */
@NullMarked
package io.github.shardedid.boot.test;

import org.jspecify.annotations.NullMarked;
