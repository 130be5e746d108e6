/** What Hibernate takes to save, find and change entities. */
@NullMarked
package io.github.shardedid.benchmarks.jpa;

import org.jspecify.annotations.NullMarked;
