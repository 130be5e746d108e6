/** What kinds of ids do to the index of a primary key, to inserts and to reads. */
@NullMarked
package io.github.shardedid.benchmarks.index;

import org.jspecify.annotations.NullMarked;
