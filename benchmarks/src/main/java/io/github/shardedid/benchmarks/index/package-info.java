/** The effect of different kinds of ids on the primary key index, inserts and reads. */
@NullMarked
package io.github.shardedid.benchmarks.index;

import org.jspecify.annotations.NullMarked;
