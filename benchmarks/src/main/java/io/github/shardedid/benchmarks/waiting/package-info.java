/** What a user waits for, and what it takes of processors. */
@NullMarked
package io.github.shardedid.benchmarks.waiting;

import org.jspecify.annotations.NullMarked;
