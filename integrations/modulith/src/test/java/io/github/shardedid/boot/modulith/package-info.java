/** Tests of Spring Modulith's event publication registry over shards. */
@NullMarked
package io.github.shardedid.boot.modulith;

import org.jspecify.annotations.NullMarked;
