/** How a job locks itself, records what it has done, and uses its threads. */
@NullMarked
package io.github.shardedid.jobs.internal;

import org.jspecify.annotations.NullMarked;
