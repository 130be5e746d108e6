/**
 * The same random steps on a sharded cluster and on one plain schema give the same answers. {@code DifferentialIntegrationTests}
 * is where to begin; a step is a record that can be printed, run on either side, and made simpler.
 */
@NullMarked
package io.github.shardedid.boot.differential;

import org.jspecify.annotations.NullMarked;
