/** Changes {@code jvm-nodes}, the number of JVMs that lease a share of the sequence, in a running cluster. */
@NullMarked
package io.github.shardedid.provisioning.nodes;

import org.jspecify.annotations.NullMarked;
