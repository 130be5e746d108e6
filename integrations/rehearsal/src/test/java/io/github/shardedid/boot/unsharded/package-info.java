/** An application without any annotation of this project. */
@NullMarked
package io.github.shardedid.boot.unsharded;

import org.jspecify.annotations.NullMarked;
