/** Hints for native images. */
@NullMarked
package io.github.shardedid.boot.aot;

import org.jspecify.annotations.NullMarked;
