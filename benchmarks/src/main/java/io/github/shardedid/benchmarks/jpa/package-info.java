/** The time in which Hibernate saves, finds and updates entities. */
@NullMarked
package io.github.shardedid.benchmarks.jpa;

import org.jspecify.annotations.NullMarked;
