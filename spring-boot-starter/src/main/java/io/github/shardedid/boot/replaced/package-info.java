/** The check that a test has not replaced the sharded data source. */
@NullMarked
package io.github.shardedid.boot.replaced;

import org.jspecify.annotations.NullMarked;
