/** What an id costs that is made in the database. */
@NullMarked
package io.github.shardedid.benchmarks.nextid;

import org.jspecify.annotations.NullMarked;
