/** An application whose libraries schedule, lock, cache, trace and select. */
@NullMarked
package io.github.shardedid.tools;

import org.jspecify.annotations.NullMarked;
