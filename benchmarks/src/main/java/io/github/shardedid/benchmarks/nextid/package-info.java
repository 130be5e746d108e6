/** The cost of ids that are generated in the database. */
@NullMarked
package io.github.shardedid.benchmarks.nextid;

import org.jspecify.annotations.NullMarked;
