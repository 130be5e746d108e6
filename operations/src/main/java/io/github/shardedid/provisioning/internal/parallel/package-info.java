/** Runs work on several databases, or over several connections to one, at the same time. */
@NullMarked
package io.github.shardedid.provisioning.internal.parallel;

import org.jspecify.annotations.NullMarked;
