/** The steps of a change of the number of JVM nodes. */
@NullMarked
package io.github.shardedid.provisioning.internal.nodes;

import org.jspecify.annotations.NullMarked;
